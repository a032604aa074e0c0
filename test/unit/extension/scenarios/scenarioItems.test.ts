import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nullLogger } from '../../../../src/base/logger.ts';
import { ScenarioItems } from '../../../../src/extension/scenarios/scenarioItems.ts';
import { eventually } from '../../../support/eventually.ts';
import { FakeWindow, uriOf } from './fakeTests.ts';

let window: FakeWindow;
let items: ScenarioItems;

const mutex = 'path: /a\nA: acquire mutex\nexpect: A holds\nA: release\nexpect:  empty , tokens grow\n';

beforeEach(() => {
  window = new FakeWindow();
  window.files.set('file:/w/b.zklock', mutex);
  window.files.set('file:/w/sub/a.zklock', 'path: /a\nA: aquire mutex\n');
  window.files.set('file:/elsewhere/c.zklock', mutex);
  items = new ScenarioItems(window.controller, nullLogger);
});

afterEach(() => items.dispose());

const labels = (): string[] => items.all.map(({ item }) => item.label);
const expectations = (label: string): string[] =>
  window
    .item(label)
    .all()
    .map(child => child.label);

describe('tests of scenarios', () => {
  it('are the files of the workspace with their expectations, once they are looked at', async () => {
    expect(labels()).toEqual([]);
    await items.discover();
    expect(labels()).toEqual(['b.zklock', 'sub/a.zklock']);
    expect(expectations('b.zklock')).toEqual(['A holds', 'empty , tokens grow']);
    expect(
      window
        .item('b.zklock')
        .all()
        .map(({ range }) => range?.start.line),
    ).toEqual([2, 4]);
  });

  it('say what is wrong with a file, and where', async () => {
    await items.discover();
    expect(window.item('sub/a.zklock').error).toMatch(/^Line 2: aquire cannot stand here\..*Did you mean acquire\?/u);
    expect(window.item('b.zklock').error).toBeUndefined();
  });

  it('follow files that come, change and go', async () => {
    await items.discover();
    window.touch('file:/w/new.zklock', mutex);
    await eventually(() => expect(labels()).toContain('new.zklock'));
    window.touch('file:/w/new.zklock', 'path: /a\nA: acquire mutex\nexpect: no waiters\n');
    await eventually(() => expect(expectations('new.zklock')).toEqual(['no waiters']));
    window.touch('file:/w/new.zklock', undefined);
    await eventually(() => expect(labels()).not.toContain('new.zklock'));
  });

  it('are read from the editor, where text is not saved yet; the file counts again when it is closed', async () => {
    await items.discover();
    window.open('file:/w/b.zklock', mutex);
    window.type('file:/w/b.zklock', mutex.replace('A holds', 'A lost'));
    await eventually(() => expect(expectations('b.zklock')[0]).toBe('A lost'));
    window.close('file:/w/b.zklock');
    await eventually(() => expect(expectations('b.zklock')[0]).toBe('A holds'));
  });

  it('stay while a line is being typed', async () => {
    window.open('file:/w/b.zklock', mutex);
    await eventually(() => expect(expectations('b.zklock')).toHaveLength(2));
    window.type('file:/w/b.zklock', `${mutex}exp`);
    await eventually(() => expect(window.item('b.zklock').error).toMatch(/^Line 6: /u));
    expect(expectations('b.zklock')).toHaveLength(2);
  });

  it('are also those of elsewhere, and without a file, while they are open', async () => {
    window.open('untitled:Untitled-1', mutex);
    window.open('file:/elsewhere/c.zklock', mutex);
    window.open('git:/w/b.zklock?HEAD', mutex);
    await eventually(() => expect(labels()).toEqual(['/elsewhere/c.zklock', 'Untitled-1']));
    window.close('untitled:Untitled-1');
    window.close('file:/elsewhere/c.zklock');
    await eventually(() => expect(labels()).toEqual([]));
  });

  it('show foreign text harmless: no icons, no control characters', async () => {
    window.files.set('file:/w/$(bug)\u001b[31m.zklock', 'A: acquire mutex "/a$(bug)"\nexpect: "/a$(bug)" holders A\n');
    await items.discover();
    const { item } = items.all.find(({ uri }) => uri.path.includes('bug')) ?? expect.fail('not found');
    for (const label of [item.label, ...expectations(item.label)]) {
      expect(label).toContain('bug');
      expect(label).not.toMatch(/\$\(|\u001b/u);
    }
  });

  it('of a file that is too long say that, without its text', async () => {
    window.files.set('file:/w/long.zklock', '#'.repeat(4_200_000));
    expect((await items.update(uriOf('file:/w/long.zklock') as never))?.item.error).toMatch(/at most 1,?048,?576/u);
  });

  it('are looked for again on request', async () => {
    await items.discover();
    window.files.set('file:/w/late.zklock', mutex);
    await items.refresh();
    expect(labels()).toContain('late.zklock');
  });
});
