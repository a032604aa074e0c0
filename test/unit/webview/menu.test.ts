// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { focused, openPage, press, type OpenPage } from './openPage.ts';
import { snapshotOf, type Sketch } from './snapshots.ts';

let page: OpenPage;
beforeEach(async () => void (page = await openPage()));
afterEach(() => page.close());

function isMenuOpen(): boolean {
  return !page.find('.menu').hidden;
}

/** Opens the actions of the second contender. */
const openers = {
  row: () => page.all('.grid-row')[2]!.querySelector<HTMLElement>('[data-column=who]')!,
  node: () => page.all('.node')[1]!,
};

async function openAt(where: keyof typeof openers, sketches: Sketch[]): Promise<Element> {
  await page.show(snapshotOf(sketches));
  openers[where]().focus();
  const opener = focused();
  press(opener, 'Enter');
  expect(isMenuOpen()).toBe(true);
  return opener;
}

describe.each(['row', 'node'] as const)('the actions of a %s', where => {
  it('stay open while the contender moves, and are about it', async () => {
    await openAt(where, [{ name: 'a', czxid: '1' }, { name: 'b', czxid: '2' }, { name: 'c' }]);
    await page.show(snapshotOf([{ name: 'b', czxid: '2' }, { name: 'c' }]));
    expect(isMenuOpen()).toBe(true);
    page.all('[role=menuitem]').at(-1)!.click();
    expect(page.sent.at(-1)).toMatchObject({ intent: { kind: 'forceDelete', name: 'b', czxid: '2' } });
  });

  it('do not offer to delete a contender that may not be read, nor its session', async () => {
    await openAt(where, [{ name: 'a' }, { name: 'b', isUnread: true }]);
    const entries = page.all('[role=menuitem]');
    expect(entries.map(entry => entry.getAttribute('aria-disabled') === 'true')).toEqual(
      entries.map(entry => entries.slice(-2).includes(entry)),
    );
    expect(page.all('.table [data-column=age]').map(cell => cell.textContent !== '')).toContain(false);
  });

  it('close when the contender goes, and leave the focus in its list', async () => {
    const opener = await openAt(where, [{ name: 'a' }, { name: 'b' }]);
    const list = opener.closest('.picture, .table')!;
    await page.show(snapshotOf([{ name: 'a' }]));
    expect(isMenuOpen()).toBe(false);
    expect(list.contains(focused())).toBe(true);
  });

  it('close when its element shows another contender', async () => {
    await openAt(where, [{ name: 'a' }, { name: 'b' }]);
    await page.show(snapshotOf([{ name: 'c' }, { name: 'd' }]));
    expect(isMenuOpen()).toBe(false);
  });

  it('close when the node is another one of the same name', async () => {
    await openAt(where, [{ name: 'a' }, { name: 'leader', czxid: '5' }]);
    await page.show(snapshotOf([{ name: 'a' }, { name: 'leader', czxid: '6' }]));
    expect(isMenuOpen()).toBe(false);
  });

  it('close when the queue is no longer shown', async () => {
    await openAt(where, [{ name: 'a' }, { name: 'b' }]);
    await page.show(snapshotOf([{ name: 'a' }, { name: 'b' }], { status: { state: 'denied', text: 'no right' } }));
    expect(isMenuOpen()).toBe(false);
  });

  it('close when the person turns to something else than the page', async () => {
    await openAt(where, [{ name: 'a' }, { name: 'b' }]);
    window.dispatchEvent(new Event('blur'));
    expect(isMenuOpen()).toBe(false);
  });
});
