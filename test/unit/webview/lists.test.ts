// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PanelView } from '../../../src/protocol.ts';
import { focused, openPage, press, rendered, type OpenPage } from './openPage.ts';
import { queueOf, snapshotOf } from './snapshots.ts';

let page: OpenPage;
beforeEach(async () => void (page = await openPage()));
afterEach(() => {
  page.close();
  vi.useRealTimers();
});

function lastView(): PanelView | undefined {
  const last = page.sent.findLast(message => message.type === 'ready' || message.type === 'view');
  return last?.view;
}

function button(text: string): HTMLElement {
  const found = page.all('vscode-button').find(candidate => candidate.textContent.startsWith(text));
  if (found === undefined) throw new Error(`The page has no button ${text}.`);
  return found;
}

function cell(row: number, column: string): HTMLElement {
  return page.all('.grid-row')[row]!.querySelector<HTMLElement>(`[data-column=${column}]`)!;
}

describe('the table', () => {
  it('sorts by keyboard: up, down, grant order', async () => {
    await page.show(snapshotOf(queueOf(3)));
    cell(0, 'position').focus();
    press(focused(), 'ArrowRight');
    press(focused(), 'ArrowRight');
    expect(focused()).toBe(cell(0, 'who'));
    press(focused(), 'Enter');
    expect(lastView()?.sort).toEqual({ column: 'who', descending: false });
    expect(cell(0, 'who').getAttribute('aria-sort')).toBe('ascending');
    press(focused(), ' ');
    expect(lastView()?.sort).toEqual({ column: 'who', descending: true });
    expect(cell(0, 'who').getAttribute('aria-sort')).toBe('descending');
    press(focused(), 'Enter');
    expect(lastView()?.sort).toBeUndefined();
    expect(cell(0, 'who').getAttribute('aria-sort')).toBe('none');
  });

  it('filters as one types, once for a burst of letters, from the first row', async () => {
    await page.show(snapshotOf(queueOf(3)));
    vi.useFakeTimers();
    const field = page.find('vscode-text-field') as HTMLElement & { value: string };
    for (const text of ['e', 'eu', 'eu-']) {
      field.value = text;
      field.dispatchEvent(new Event('input'));
    }
    vi.advanceTimersByTime(1_000);
    const views = page.sent.filter(({ type }) => type === 'view');
    expect(views).toEqual([{ type: 'view', view: { filter: 'eu-', tableFrom: 0, pictureCount: 50 } }]);
    expect(field.getAttribute('maxlength')).toBe('200');
  });

  it('turns pages, and says where it is', async () => {
    const snapshot = snapshotOf(queueOf(50));
    await page.show({ ...snapshot, table: { ...snapshot.table, from: 50, matching: 120 } });
    expect(page.find('.table').textContent).toContain('table.range(51,100,120');
    expect(page.all('.grid-row')[1]?.getAttribute('aria-rowindex')).toBe('52');
    button('table.next').click();
    expect(lastView()?.tableFrom).toBe(100);
    await page.show({ ...snapshot, table: { ...snapshot.table, from: 0, matching: 120 } });
    expect(button('table.previous').getAttribute('aria-disabled')).toBe('true');
  });

  it('keeps the focus on a contender that moves, and on the place of one that goes', async () => {
    await page.show(snapshotOf([{ name: 'a' }, { name: 'b' }, { name: 'c' }]));
    cell(2, 'who').focus();
    const held = focused();
    await page.show(snapshotOf([{ name: 'c' }, { name: 'b' }, { name: 'a' }]));
    expect(focused()).toBe(held);
    press(focused(), 'ArrowDown');
    expect(focused()).toBe(cell(3, 'who'));
    await page.show(snapshotOf([{ name: 'c' }, { name: 'b' }]));
    expect(focused()).toBe(cell(2, 'who'));
  });

  it('has one stop of the Tab key', async () => {
    await page.show(snapshotOf(queueOf(4)));
    cell(2, 'age').focus();
    await page.show(snapshotOf(queueOf(5)));
    const stops = page.all('.grid, .grid *').filter(found => found.tabIndex === 0);
    expect(stops).toEqual([cell(2, 'age')]);
  });

  it('copies the cell by Ctrl+C and opens the actions of the row', async () => {
    await page.show(snapshotOf([{ name: 'a' }, { name: 'b' }]));
    cell(2, 'session').focus();
    press(focused(), 'c', { ctrlKey: true });
    expect(page.sent.at(-1)).toMatchObject({ intent: { kind: 'copy', name: 'b', part: 'session' } });
    press(focused(), 'ContextMenu');
    const copyCell = page.all('[role=menuitem]')[0];
    expect(copyCell?.textContent).toContain('row.copyCell');
    copyCell?.click();
    expect(page.sent.at(-1)).toMatchObject({ intent: { kind: 'copy', name: 'b', part: 'session' } });
    expect(focused()).toBe(cell(2, 'session'));
  });

  it('goes by arrows, Home, End and pages, and stays within', async () => {
    await page.show(snapshotOf(queueOf(30)));
    cell(1, 'kind').focus();
    press(focused(), 'PageDown');
    expect(focused()).toBe(cell(11, 'kind'));
    press(focused(), 'End', { ctrlKey: true });
    expect(focused().closest('.grid-row')).toBe(page.all('.grid-row')[30]);
    press(focused(), 'ArrowDown');
    press(focused(), 'Home');
    expect(focused()).toBe(cell(30, 'position'));
    press(focused(), 'Home', { ctrlKey: true });
    press(focused(), 'ArrowUp');
    expect(focused()).toBe(cell(0, 'position'));
  });
});

describe('the picture', () => {
  it('keeps the focus over an update, and hands it on when the node goes', async () => {
    await page.show(snapshotOf([{ name: 'a' }, { name: 'b' }, { name: 'c' }]));
    page.find('.node').focus();
    press(focused(), 'ArrowRight');
    const b = focused();
    await page.show(snapshotOf([{ name: 'b' }, { name: 'c' }, { name: 'd' }]));
    expect(focused()).toBe(b);
    await page.show(snapshotOf([{ name: 'c' }, { name: 'd' }]));
    expect(focused()).toBe(page.all('.node')[0]);
    expect(page.all('.node').map(node => node.getAttribute('tabindex'))).toEqual(['0', '-1']);
  });

  it('unfolds in pages, and folds again', async () => {
    const snapshot = snapshotOf(queueOf(50));
    await page.show({ ...snapshot, picture: { ...snapshot.picture, folded: 9_950, canUnfold: true } });
    expect(button('queue.folded').textContent).toContain('9,950');
    button('queue.folded').click();
    expect(lastView()?.pictureCount).toBe(100);
    button('queue.folded').click();
    const more = snapshotOf(queueOf(100));
    await page.show({ ...more, picture: { ...more.picture, folded: 9_900, canUnfold: true } });
    button('queue.foldAgain').click();
    expect(lastView()?.pictureCount).toBe(50);
  });

  it('points at the table when no more can be drawn', async () => {
    const snapshot = snapshotOf(queueOf(3));
    await page.show({ ...snapshot, picture: { ...snapshot.picture, folded: 7, canUnfold: false } });
    expect(button('queue.folded').hidden).toBe(true);
    expect(page.find('.fold .note').hidden).toBe(false);
    await page.show(snapshot);
    expect(page.find('.fold').hidden).toBe(true);
  });

  it('draws free leases as empty slots', async () => {
    const snapshot = snapshotOf([{ kind: 'lease' }, { kind: 'lease', isHolder: true }]);
    await page.show({ ...snapshot, picture: { ...snapshot.picture, slots: 5 } });
    expect(page.all('.free-slot')).toHaveLength(3);
    expect(page.find('.picture').textContent).toContain('queue.slots(2,5,');
  });
});

describe('what is announced', () => {
  it('is the last word of a busy lock, not each', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await page.show(snapshotOf(queueOf(1)));
    const live = page.find('[role=status]');
    for (const count of [2, 3, 4]) page.receive({ type: 'snapshot', snapshot: snapshotOf(queueOf(count)) });
    expect(live.textContent).toContain('answer.noWaiter');
    vi.advanceTimersByTime(6_000);
    expect(live.textContent).toContain('answer.waiters(3,');
    await rendered();
  });

  it('is the outcome of an action, at once, whatever the lock does before and after', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await page.show(snapshotOf(queueOf(1)));
    const said: (string | null)[] = [];
    const heard = new MutationObserver(changes => said.push(...changes.map(({ target }) => target.textContent)));
    for (const region of page.all('[role=status]')) heard.observe(region, { childList: true });
    page.receive({ type: 'snapshot', snapshot: snapshotOf(queueOf(2)) });
    button('status.explain').click();
    button('status.explain').click();
    for (let time = 0; time < 2; time++) {
      page.receive({ type: 'outcome', outcome: 'failed', text: 'not deleted' });
      await rendered();
    }
    cell(0, 'who').click();
    page.receive({ type: 'snapshot', snapshot: snapshotOf(queueOf(3)) });
    await rendered();
    expect(said).toEqual(['not deleted', 'not deleted', expect.stringContaining('table.sortedAscending')]);
    vi.advanceTimersByTime(6_000);
    await rendered();
    expect(said.at(-1)).toContain('answer.waiters(2,');
    heard.disconnect();
  });
});
