import { readdir, readFile } from 'node:fs/promises';
import type * as vscode from 'vscode';
import { beforeEach, expect, it } from 'vitest';
import type { TestLockEvent } from '../../../../src/app/testLocks/testLockLog.ts';
import { openSampleScenarios, recordAsScenario } from '../../../../src/extension/scenarios/scenarioDocuments.ts';
import { isPlayable, readScenario } from '../../../../src/scenario/readScenario.ts';
import { hold, testLock } from '../../app/testLocks/testLockFixtures.ts';
import { playInputs } from '../dialogs/scriptedInput.ts';
import { Uri, window, workspace } from '../fakeVscode.ts';
import { clusterNode, profileNamed } from '../fixtures.ts';

const samples = new URL('../../../../samples/', import.meta.url);
const extensionUri = { path: '/extension' } as unknown as vscode.Uri;

let opened: { language: string; content: string }[];

beforeEach(() => {
  opened = [];
  Object.assign(Uri, {
    joinPath: ({ path }: { path: string }, ...parts: string[]) => ({ path: [path, ...parts].join('/') }),
  });
  Object.assign(workspace, {
    openTextDocument: (document: { language: string; content: string }) => Promise.resolve(void opened.push(document)),
    fs: {
      readDirectory: () => readdir(samples).then(names => names.map(name => [name, 1])),
      readFile: ({ path }: { path: string }) => readFile(new URL(path.replace('/extension/samples/', ''), samples)),
    },
  });
  Object.assign(window, { showTextDocument: () => Promise.resolve() });
});

it('a sample opens as a text of its own, chosen by what is to be seen in it', async () => {
  const shown = playInputs([{ pick: 'deadlock' }]);
  await openSampleScenarios(extensionUri);
  expect(shown[0]?.labels.length).toBeGreaterThanOrEqual(10);
  for (const detail of shown[0]?.details ?? []) expect(detail).toMatch(/^[A-Z].{20,}\.$/u);
  expect(opened.map(({ language }) => language)).toEqual(['zklock']);
  expect(opened[0]?.content).toContain('expect: deadlock between A and B');
});

it('test locks taken by hand open as a text; of several clusters one is chosen', async () => {
  const other = clusterNode({ id: 'other', profile: profileNamed('other $(bug)') });
  const held = { kind: 'held', hold } as const;
  const events: TestLockEvent[] = [{ lock: testLock(held), to: held }];
  await recordAsScenario(events);
  playInputs([{ pick: 'other' }]);
  await recordAsScenario([...events, { lock: testLock(held, { cluster: other, paths: ['/b'] }), to: held }]);
  expect(opened.map(({ content }) => /^path: (.*)$/mu.exec(content)?.[1])).toEqual(['/locks/a', '/b']);
  for (const { content } of opened) expect(isPlayable(readScenario(content)), content).toBe(true);
  expect(opened[1]?.content).not.toContain('$(');
});

it('says what to do where no test lock was taken', async () => {
  await expect(recordAsScenario([])).rejects.toThrow(/Acquire one first/u);
});
