import { describe, expect, it } from 'vitest';
import { lockOf, readSavedLock, type SavedLock } from '../../../../src/app/panel/savedLock.ts';
import { queueWith } from '../../extension/fixtures.ts';
import { lockPath, PanelUnderTest, wholeView } from './panelUnderTest.ts';

/** What the page of a panel is given to keep. */
async function keptBy(panel: PanelUnderTest): Promise<SavedLock | undefined> {
  await panel.open(queueWith(2));
  const texts = panel.page.sent.find(message => message.type === 'texts');
  return readSavedLock(texts?.lock);
}

/** The panel as it comes back in another window. */
async function revived(saved: SavedLock | undefined, isListed = true): Promise<PanelUnderTest> {
  const panel = new PanelUnderTest();
  if (saved === undefined) throw new Error('Nothing was kept.');
  panel.isListed = isListed;
  panel.openOn(lockOf({ get: () => (isListed ? panel.browser : undefined) }, saved));
  panel.page.say({ type: 'ready', view: wholeView });
  await panel.pass(200);
  return panel;
}

describe('a panel after the window was loaded again', () => {
  it('says that it is not connected, connects nothing, and shows the queue once there is a session', async () => {
    const panel = await revived(await keptBy(new PanelUnderTest()));
    expect(panel.last).toMatchObject({ status: { state: 'unconnected', text: '' }, lock: { path: lockPath } });
    expect(panel.clients).toEqual([]);
    panel.queues = [queueWith(2)];
    await panel.browser.connect();
    await panel.shows({ status: { state: 'live' }, totals: { holders: 1, waiters: 2 } });
  });

  it('asks to connect only when the person does', async () => {
    const panel = await revived(await keptBy(new PanelUnderTest()));
    await panel.ask({ kind: 'reconnect' });
    expect(panel.asked).toMatchObject([['reconnect', { path: lockPath }]]);
  });

  it('says why when that failed, and shows no empty queue', async () => {
    const panel = await revived(await keptBy(new PanelUnderTest()));
    panel.refusal = new Error('no route');
    await panel.browser.connect();
    await panel.shows({ status: { state: 'unconnected' } });
    expect(panel.last.status).toMatchObject({ text: expect.stringContaining('no route') as string });
  });

  it('names a cluster that was removed meanwhile, and offers nothing', async () => {
    const saved = await keptBy(new PanelUnderTest());
    const panel = await revived(saved && { ...saved, clusterName: 'Old orders' }, false);
    expect(panel.last).toMatchObject({
      status: { state: 'unconnected', text: 'This cluster is no longer in the list.' },
      lock: { cluster: 'Old orders', isRemoved: true },
    });
  });

  it('belongs to its cluster again when that is added again', async () => {
    const panel = await revived(await keptBy(new PanelUnderTest()), false);
    panel.isListed = true;
    panel.queues = [queueWith(0)];
    panel.registryChanged.fire(undefined);
    await panel.browser.connect();
    await panel.shows({ status: { state: 'live' }, lock: { isRemoved: false } });
  });
});
