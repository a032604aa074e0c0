import type * as vscode from 'vscode';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { knownPlaces } from '../../../../src/extension/scenarios/knownPlaces.ts';
import { registerLanguage } from '../../../../src/extension/scenarios/registerLanguage.ts';
import { startLanguage } from '../../../../src/extension/scenarios/startLanguage.ts';
import { eventually } from '../../../support/eventually.ts';
import { diagnostics, registered } from '../fakeEditor.ts';
import { workspace } from '../fakeVscode.ts';
import { documentOf } from './scenarioDocument.ts';

/** VS Code's events of documents, fired by the test. */
let opened: Emitter<vscode.TextDocument>;
let changed: Emitter<{ document: vscode.TextDocument }>;
let closed: Emitter<vscode.TextDocument>;

const events = ['textDocuments', 'onDidOpenTextDocument', 'onDidChangeTextDocument', 'onDidCloseTextDocument'];

function openWindow(textDocuments: readonly vscode.TextDocument[]): void {
  opened = new Emitter(nullLogger);
  changed = new Emitter(nullLogger);
  closed = new Emitter(nullLogger);
  Object.assign(workspace, {
    textDocuments,
    onDidOpenTextDocument: opened.event,
    onDidChangeTextDocument: changed.event,
    onDidCloseTextDocument: closed.event,
  });
}

beforeEach(() => {
  openWindow([]);
});

afterEach(() => {
  for (const name of events) Reflect.deleteProperty(workspace, name);
});

const scenarioCode = { knownPlaces, startLanguage };

describe('support of scenario files', () => {
  const parts = (load: () => Promise<{ scenarioCode: typeof scenarioCode }>) => ({
    registry: { all: [] },
    logger: nullLogger,
    load,
  });

  it('is loaded with the first scenario, and once', async () => {
    const load = vi.fn(() => Promise.resolve({ scenarioCode }));
    const support = registerLanguage(parts(load));
    opened.fire({ ...documentOf('{}'), languageId: 'json' });
    expect(load).not.toHaveBeenCalled();
    opened.fire(documentOf('wait 1s'));
    opened.fire(documentOf('wait 1s'));
    await eventually(() => expect(registered).toHaveLength(11));
    expect(load).toHaveBeenCalledOnce();
    expect(new Set(registered.map(([, language]) => language))).toEqual(new Set(['zklock']));
    support.dispose();
    expect(registered).toEqual([]);
  });

  it('is loaded at once where a scenario is open already, and tried again when that has failed', async () => {
    openWindow([documentOf('wait 1s')]);
    const load = vi.fn(() => Promise.resolve({ scenarioCode }));
    load.mockRejectedValueOnce(new Error('gone'));
    const support = registerLanguage(parts(load));
    expect(load).toHaveBeenCalledOnce();
    await eventually(() => {
      opened.fire(documentOf('wait 1s'));
      expect(load).toHaveBeenCalledTimes(2);
    });
    await eventually(() => expect(registered).toHaveLength(11));
    support.dispose();
  });
});

describe('problems', () => {
  const shown = (path = '/folder/orders.zklock') => diagnostics.get(path)?.map(({ message }) => message);

  it('are shown of open scenarios, follow each change, and go with the document', async () => {
    const document = documentOf('wait 5');
    openWindow([document, { ...documentOf('wait 5', '/x.json'), languageId: 'json' }]);
    const support = startLanguage(() => knownPlaces([]));
    await eventually(() => expect(shown()?.join()).toMatch(/5 is no time/u));
    expect(shown('/x.json')).toBeUndefined();

    const former = { ...documentOf('wait 5', '/former.zklock'), uri: { scheme: 'git', path: '/former.zklock' } };
    opened.fire(former as vscode.TextDocument);
    Object.assign(document, { ...documentOf('wait 5s'), version: 2 });
    changed.fire({ document });
    await eventually(() => expect(shown()).toEqual([]));
    expect(shown('/former.zklock')).toBeUndefined();

    Object.assign(document, { isClosed: true, version: 3 });
    changed.fire({ document });
    closed.fire(document);
    opened.fire(documentOf('wait 5', '/second.zklock'));
    await eventually(() => expect(shown('/second.zklock')).toHaveLength(1));
    expect(shown()).toBeUndefined();
    support.dispose();
    expect(diagnostics.size).toBe(0);
  });
});
