// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { focused, openPage, press, rendered, type OpenPage } from './openPage.ts';
import { cellsWith, nodeName, queueOf, rowOf, snapshotOf, contenderOf } from './snapshots.ts';

let page: OpenPage | undefined;
afterEach(() => page?.close());

const hostile = '<img src=x onerror="globalThis.hacked=1"><svg/onload=x>" autofocus style=color:red {0} __proto__';

describe('the page of the lock panel', () => {
  it('asks first, and shows nothing before it was answered', async () => {
    page = await openPage();
    expect(page.sent).toEqual([{ type: 'ready', view: { filter: '', tableFrom: 0, pictureCount: 50 } }]);
    expect(page.all('.node')).toHaveLength(0);
  });

  it.each([undefined, null, 'snapshot', {}, { type: 7 }, { type: 'later' }, { type: '__proto__' }])(
    'ignores %j, which is no message of the host',
    async data => {
      page = await openPage();
      await page.show(snapshotOf(queueOf(1)));
      const before = document.body.innerHTML;
      window.dispatchEvent(new MessageEvent('message', { data }));
      await rendered();
      expect(document.body.innerHTML).toBe(before);
    },
  );

  it('makes neither elements nor attributes of hostile names and data', async () => {
    page = await openPage();
    const friendly = snapshotOf(queueOf(3), { status: { state: 'failed', text: 'x' } });
    const sketch = { name: hostile, who: hostile, isHolder: false, waitsFor: hostile };
    const foreign = snapshotOf([{}, sketch, {}], { status: { state: 'failed', text: hostile } });
    const lock = { ...foreign.lock, name: hostile, path: hostile, cluster: hostile, warnings: [{ text: hostile }] };
    const rows = foreign.table.rows.map(row => ({ ...row, cells: cellsWith(hostile) }));
    await page.show({ ...friendly, lock: { ...friendly.lock, warnings: [{ text: 'x' }] } });
    const before = shape(document.body);
    await page.show({ ...foreign, lock, table: { ...foreign.table, rows } });
    expect(page.find('h1').textContent).toBe(hostile);
    expect(page.all('.node-who')[1]?.textContent).toBe(hostile);
    expect(document.querySelector('img, script, [onerror], [onload], [autofocus]')).toBeNull();
    expect(Reflect.get(globalThis, 'hacked')).toBeUndefined();
    expect(shape(document.body)).toEqual(before);
  });

  it('survives names that are keys of objects', async () => {
    page = await openPage();
    await page.show(snapshotOf([{ name: '__proto__' }, { name: 'constructor' }, { name: 'toString' }]));
    expect(page.all('.node')).toHaveLength(3);
    expect(page.all('.grid-row')).toHaveLength(4);
  });

  it('takes contenders with one name for one', async () => {
    page = await openPage();
    await page.show(snapshotOf([{ name: 'a' }, { name: 'a' }, { name: 'b' }]));
    expect(page.all('.node-position').map(node => node.textContent)).toEqual(['1', '3']);
  });

  it('keeps the elements of contenders that stay', async () => {
    page = await openPage();
    await page.show(snapshotOf([{ name: 'a' }, { name: 'b' }, { name: 'c' }]));
    const [, b, c] = page.all('.node');
    const row = page.all('.grid-row')[2];
    await page.show(snapshotOf([{ name: 'b' }, { name: 'c' }, { name: 'd' }]));
    expect(page.all('.node').slice(0, 2)).toEqual([b, c]);
    expect(page.all('.grid-row')[1]).toBe(row);
  });

  it('says in words what it says in colour', async () => {
    page = await openPage();
    const marks = ['deadlocked', 'looksStale', 'own'] as const;
    const waiter = { marks: [...marks], waitsFor: 'a', name: 'b' };
    await page.show(snapshotOf([{ name: 'a', kind: 'write' }, waiter]));
    const [holder, waits] = page.all('.node').map(node => node.getAttribute('aria-label'));
    expect(holder).toBe('1, worker-1.example.org, kind write, mark.holder({0},{1},{2},{3})');
    for (const text of ['2, ', 'kind exclusive', ...marks.map(mark => `mark ${mark}`)]) {
      expect(waits).toContain(text);
    }
    expect(waits).toContain('queue.edge(a,');
  });

  it('colours a deadlock as an error only when it has lasted', async () => {
    page = await openPage();
    await page.show(snapshotOf([{ marks: ['deadlocked'] }, { marks: ['maybeDeadlocked'] }, {}]));
    expect(page.all('.node').map(node => node.getAttribute('class'))).toEqual([
      expect.stringContaining('is-lasting'),
      expect.stringContaining('is-possible'),
      expect.not.stringMatching(/is-(lasting|possible)/),
    ]);
    expect(page.all('.edge').map(edge => edge.getAttribute('marker-end'))).toEqual([
      'url(#arrow-possible)',
      'url(#arrow)',
    ]);
    expect(page.all('.node')[1]?.getAttribute('aria-label')).toContain('mark maybeDeadlocked');
  });

  it.each(['loading', 'empty', 'gone'] as const)('shows no queue when it is %s, and says so', async state => {
    page = await openPage();
    await page.show({ ...snapshotOf(queueOf(2)), status: { state } });
    expect(page.find('.picture').hidden).toBe(true);
    expect(page.find('.table').hidden).toBe(true);
    expect(page.find('.status-text').textContent).toContain(`status.${state}`);
  });

  it('keeps the last picture when the connection is lost, with the last contact and a way back', async () => {
    page = await openPage();
    await page.show({ ...snapshotOf(queueOf(2)), status: { state: 'disconnected', text: 'gone', lastContact: 0 } });
    expect(page.find('.picture').hidden).toBe(false);
    expect(page.find('.status-text').textContent).toBe('gone');
    expect(page.find('.answer').textContent).toMatch(/^answer\.asOf/);
    page
      .all('vscode-button')
      .find(button => button.textContent.startsWith('status.reconnect'))
      ?.click();
    expect(page.sent.at(-1)).toMatchObject({ type: 'intent', intent: { kind: 'reconnect' } });
  });

  it('does not speak of a filter while there is none', async () => {
    page = await openPage({ kept: { filter: '' } });
    await page.show({ ...snapshotOf([]), status: { state: 'disconnected', text: 'gone' } });
    expect(page.find('.table').hidden).toBe(false);
    expect(page.find('.table').textContent).not.toContain('table.noMatch');
  });

  it('offers to read again where there was no permission', async () => {
    page = await openPage();
    await page.show({ ...snapshotOf([]), status: { state: 'denied', text: 'no right' } });
    const button = page.all('vscode-button').find(one => one.textContent.startsWith('status.reconnect'));
    expect(button?.hidden).toBe(false);
  });

  it('shows the host’s answer to an intent, failures as such', async () => {
    page = await openPage();
    await page.show(snapshotOf(queueOf(1)));
    page
      .all('vscode-button')
      .find(button => button.textContent.startsWith('status.explain'))
      ?.click();
    page.receive({ type: 'outcome', outcome: 'failed', text: hostile });
    await rendered();
    expect(page.find('.outcome').textContent).toBe(hostile);
    expect(page.find('.outcome').classList.contains('is-failure')).toBe(true);
  });

  it('opens the actions of a node by keyboard, asks with its name, and gives the focus back', async () => {
    page = await openPage();
    await page.show(snapshotOf([{ name: 'a' }, { name: 'b' }]));
    page.find('.node').focus();
    press(focused(), 'ArrowRight');
    press(focused(), 'F10', { shiftKey: true });
    expect(page.all('[role=menuitem]').map(entry => entry.textContent.split('(')[0])).toEqual([
      'row.copyRow',
      'row.copyPath',
      'row.showData',
      'row.showSession',
      'row.forceDelete',
    ]);
    press(focused(), 'End');
    (focused() as HTMLElement).click();
    expect(page.sent.at(-1)).toMatchObject({ intent: { kind: 'forceDelete', name: 'b', czxid: '4294967298' } });
    expect(focused()).toBe(page.all('.node')[1]);
  });

  it('offers no force delete where the cluster is read-only', async () => {
    page = await openPage();
    const snapshot = snapshotOf(queueOf(1));
    await page.show({ ...snapshot, lock: { ...snapshot.lock, isReadOnly: true } });
    page.find('.node').focus();
    press(focused(), 'Enter');
    const entry = page.all('[role=menuitem]').at(-1);
    expect(entry?.getAttribute('aria-disabled')).toBe('true');
    entry?.click();
    expect(page.sent.filter(({ type }) => type === 'intent')).toEqual([]);
  });

  it('offers only to copy where the cluster is no longer in the list', async () => {
    page = await openPage();
    const snapshot = snapshotOf(queueOf(1));
    const offeredBy = (shown: OpenPage) =>
      shown.all('vscode-button').filter(button => !button.hidden && /explain|findOwners/.test(button.textContent));
    await page.show(snapshot);
    expect(offeredBy(page)).toHaveLength(2);
    await page.show({ ...snapshot, revision: 2, lock: { ...snapshot.lock, isRemoved: true } });
    expect(offeredBy(page)).toEqual([]);
    page.find('.node').focus();
    press(focused(), 'Enter');
    const entries = page.all('[role=menuitem]');
    expect(entries.map(entry => entry.getAttribute('aria-disabled'))).toEqual([null, null, 'true', 'true', 'true']);
  });

  it('labels every control of the toolkit itself', async () => {
    page = await openPage();
    await page.show(snapshotOf(queueOf(2)));
    const labels = page.all('[aria-label]').map(labelled => labelled.getAttribute('aria-label'));
    for (const placeholder of ['Data Grid', 'Text field', 'Icon Button']) expect(labels).not.toContain(placeholder);
    expect(page.find('.grid').getAttribute('aria-label')).toContain('table.label');
    expect(page.find('vscode-text-field').getAttribute('aria-label')).toContain('table.filter(');
  });

  it('restores what was looked at', async () => {
    const view = { filter: 'eu-', tableFrom: 100, pictureCount: 150, sort: { column: 'age', descending: true } };
    page = await openPage({ kept: { view, scroll: { page: 0, picture: 3 } } });
    expect(page.sent[0]).toEqual({ type: 'ready', view });
  });

  it('shows the ages by the host’s clock', async () => {
    page = await openPage();
    const snapshot = snapshotOf(queueOf(1));
    const row = { ...rowOf(contenderOf({}, 0, undefined)), createdAt: snapshot.takenAt - 125_000 };
    await page.show({ ...snapshot, table: { from: 0, rows: [row], matching: 1 } });
    expect(page.find('[data-column=age][role=gridcell]').textContent).toContain('span.min(2,5,');
    expect(row.name).toBe(nodeName(1));
  });

  it('says of each snapshot that it is on screen', async () => {
    const open = await openPage();
    page = open;
    const snapshot = snapshotOf(queueOf(1));
    await page.show({ ...snapshot, revision: 3 });
    await page.show({ ...snapshot, revision: 4 });
    await vi.waitFor(() => expect(open.drawn).toEqual([3, 4]));
  });

  it('counts a holder from between when its turn came', async () => {
    page = await openPage();
    const snapshot = snapshotOf(queueOf(1));
    const heldSince = { earliest: snapshot.takenAt - 125_000, latest: snapshot.takenAt - 9_000 };
    const row = { ...rowOf(contenderOf({}, 0, undefined)), heldSince };
    await page.show({ ...snapshot, table: { from: 0, rows: [row], matching: 1 } });
    const text = page.find('[data-column=age][role=gridcell]').textContent;
    expect(text).toContain('age.range(span.s(9,');
    expect(text).toContain('unit.min(3,');
  });
});

/** Every element and the names of its attributes, in order: what a text must not be able to change. */
function shape(root: Element): string[] {
  return [...root.querySelectorAll('*')].map(found => `${found.tagName} ${found.getAttributeNames().sort().join(' ')}`);
}
