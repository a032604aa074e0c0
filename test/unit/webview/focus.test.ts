// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PanelSnapshot } from '../../../src/protocol.ts';
import { focused, openPage, press, type OpenPage } from './openPage.ts';
import { queueOf, snapshotOf } from './snapshots.ts';

const view = { filter: 'worker', tableFrom: 0, pictureCount: 100, sort: { column: 'who', descending: false } };
let page: OpenPage;
beforeEach(async () => void (page = await openPage({ kept: { view } })));
afterEach(() => page.close());

function button(text: string): HTMLElement {
  const found = page.all('vscode-button').find(candidate => candidate.textContent.startsWith(text));
  if (found === undefined) throw new Error(`The page has no button ${text}.`);
  return found;
}

function pressed(text: string): void {
  button(text).focus();
  expect(focused()).toBe(button(text));
  button(text).click();
}

/** The focus is on something that can be seen. */
function expectFocusIn(selector: string): void {
  expect(focused()).not.toBe(document.body);
  expect(focused().closest('[hidden]')).toBeNull();
  expect(focused().closest(selector)).not.toBeNull();
}

const failed: Partial<PanelSnapshot> = { status: { state: 'failed', text: 'x' } };

describe('the focus of a button that goes away', () => {
  it('passes from Clear filter to the filter', async () => {
    await page.show(snapshotOf(queueOf(3)));
    pressed('table.filterClear');
    await page.show(snapshotOf(queueOf(3)));
    expectFocusIn('vscode-text-field');
  });

  it('passes from In grant order to another of its toolbar', async () => {
    await page.show(snapshotOf(queueOf(3)));
    pressed('table.grantOrder');
    await page.show(snapshotOf(queueOf(3)));
    expectFocusIn('.table > .toolbar');
  });

  it('passes from Reconnect to what its line offers now, and else to the next that can be reached', async () => {
    await page.show(snapshotOf(queueOf(3), failed));
    pressed('status.reconnect');
    await page.show(snapshotOf(queueOf(3)));
    expect(focused()).toBe(button('status.explain'));
    await page.show(snapshotOf([], { status: { state: 'gone' } }));
    expectFocusIn('.timeline');
  });

  it('passes from the last that could be unfolded to the picture', async () => {
    const folded = snapshotOf(queueOf(3));
    await page.show({ ...folded, picture: { ...folded.picture, folded: 2, canUnfold: true } });
    pressed('queue.folded');
    await page.show(snapshotOf(queueOf(5)));
    expectFocusIn('.node');
  });

  it('stays on Next page at the end, where another press does nothing', async () => {
    const pageFrom = (from: number): PanelSnapshot => {
      const snapshot = snapshotOf(queueOf(50));
      return { ...snapshot, table: { ...snapshot.table, from, matching: 100 } };
    };
    await page.show(pageFrom(0));
    pressed('table.next');
    await page.show(pageFrom(50));
    expect(focused()).toBe(button('table.next'));
    const sent = page.sent.length;
    button('table.next').click();
    expect(page.sent).toHaveLength(sent);
    button('table.previous').click();
    expect(page.sent.at(-1)).toMatchObject({ type: 'view', view: { tableFrom: 0 } });
  });

  it('passes from a list to what is left when the queue is no longer shown', async () => {
    await page.show(snapshotOf(queueOf(3)));
    page.find('.node').focus();
    press(focused(), 'ArrowRight');
    await page.show(snapshotOf([], { status: { state: 'gone' } }));
    expectFocusIn('.page');
  });

  it('is not taken by the page from what else has it', async () => {
    await page.show(snapshotOf(queueOf(3), failed));
    await page.show(snapshotOf([], { status: { state: 'gone' } }));
    expect(focused()).toBe(document.body);
  });
});

describe('while the keyboard is elsewhere in VS Code', () => {
  afterEach(() => vi.restoreAllMocks());

  it('the page takes it for nothing that changes, and goes on from the same place when it is back', async () => {
    await page.show(snapshotOf(queueOf(3)));
    const row = page.all('[role="gridcell"][data-column="who"]')[1]!;
    row.focus();
    vi.spyOn(document, 'hasFocus').mockReturnValue(false);
    const taken = vi.spyOn(HTMLElement.prototype, 'focus');
    await page.show(snapshotOf(queueOf(3).slice(2)));
    await page.show(snapshotOf([]));
    expect(taken).not.toHaveBeenCalled();
    vi.spyOn(document, 'hasFocus').mockReturnValue(true);
    await page.show(snapshotOf(queueOf(2)));
    window.dispatchEvent(new Event('focus'));
    expectFocusIn('.table');
  });

  it('the page waits for it only where its place went away', async () => {
    await page.show(snapshotOf(queueOf(3)));
    page.all('[role="gridcell"][data-column="who"]')[1]!.focus();
    vi.spyOn(document, 'hasFocus').mockReturnValue(false);
    const listen = vi.spyOn(window, 'addEventListener');
    const waits = (): number => listen.mock.calls.filter(([kind]) => kind === 'focus').length;
    for (let update = 0; update < 5; update++) await page.show(snapshotOf(queueOf(3)));
    expect(waits()).toBe(0);
    await page.show(snapshotOf([]));
    expect(waits()).toBe(1);
  });

  it('a menu that closes for that does not take it back', async () => {
    await page.show(snapshotOf(queueOf(3)));
    page.all('[role="gridcell"][data-column="who"]')[1]!.focus();
    press(focused(), 'Enter');
    expectFocusIn('.menu');
    vi.spyOn(document, 'hasFocus').mockReturnValue(false);
    const taken = vi.spyOn(HTMLElement.prototype, 'focus');
    window.dispatchEvent(new Event('blur'));
    expect(taken).not.toHaveBeenCalled();
    window.dispatchEvent(new Event('focus'));
    expectFocusIn('.table');
  });
});
