// @vitest-environment jsdom
import { afterEach, expect, it } from 'vitest';
import { openPage, type OpenPage } from './openPage.ts';
import { queueOf, snapshotOf } from './snapshots.ts';

let page: OpenPage | undefined;
afterEach(() => page?.close());

function isShown(text: string): boolean {
  return page!.all('vscode-button').some(button => button.textContent.startsWith(text) && !button.hidden);
}

it('keeps which lock it shows beside what the person looks at', async () => {
  page = await openPage({ kept: { view: { filter: 'x', tableFrom: 0, pictureCount: 50 } } });
  expect(page.kept()).toMatchObject({ view: { filter: 'x' }, lock: { path: '/orders' } });
});

it('offers to connect where nothing was read yet, and claims nothing about the queue', async () => {
  page = await openPage();
  const lock = { ...snapshotOf(queueOf(1)).lock, isRemoved: false };
  await page.show({ ...snapshotOf([]), lock, status: { state: 'unconnected', text: '' } });
  expect(isShown('status.connect')).toBe(true);
  expect(isShown('status.reconnect')).toBe(false);
  for (const part of ['.picture', '.table', '.timeline', '.answer']) expect(page.find(part).hidden, part).toBe(true);
  await page.show({
    ...snapshotOf([]),
    lock: { ...lock, isRemoved: true },
    status: { state: 'unconnected', text: '' },
  });
  expect(isShown('status.connect')).toBe(false);
});

it('offers to open a recording again whose files could not be read, and says how far they are read', async () => {
  page = await openPage();
  const lock = { ...snapshotOf([]).lock, isRemoved: true };
  await page.show({
    ...snapshotOf([]),
    lock,
    status: { state: 'unconnected', text: 'No such folder.', canOpen: true },
  });
  expect(page.find('.status-text').textContent).toBe('No such folder.');
  expect(isShown('status.openAgain')).toBe(true);
  await page.show({ ...snapshotOf([]), lock, status: { state: 'loading', text: 'Reading /logs: 25 %' } });
  expect(page.find('.status-text').textContent).toBe('Reading /logs: 25 %');
  expect(isShown('status.openAgain')).toBe(false);
});

it('says when it gets the keyboard', async () => {
  page = await openPage();
  window.dispatchEvent(new Event('focus'));
  expect(page.sent).toContainEqual({ type: 'focus' });
});
