import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { keepTraceOfFailures } from './support/failureTrace.ts';
import { Keyboard } from './support/keyboard.ts';
import { LockPanelPage } from './support/lockPanelPage.ts';
import { nightTime, writeNight } from './support/recordedNight.ts';
import type { TreeView } from './support/tree.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

let workbench: Workbench;
let keyboard: Keyboard;
let tree: TreeView;
let panel: LockPanelPage;
let folder: string;

const row = 'version-2 · 03:01–04:20';

beforeAll(async () => {
  workbench = await openWorkbench({
    viewport: { width: 1400, height: 900 },
    prepare: ({ workspace }) => writeNight((folder = join(workspace, 'version-2'))),
  });
  keyboard = new Keyboard(workbench.page);
  tree = workbench.tree('Clusters');
  panel = new LockPanelPage(workbench.page);
});

keepTraceOfFailures(() => workbench);

afterAll(async () => {
  await workbench.close();
});

/** In the state of the editors: the second tab was used last. */
const paymentInFront = '"mru":[1,0]';

async function seeAnswer(sentence: RegExp): Promise<void> {
  await eventually(async () => expect(await panel.find('.answer').innerText()).toMatch(sentence), 30_000);
}

async function goTo(time: string): Promise<void> {
  await keyboard.run('ZooKeeper Locks: Go to Moment…');
  await keyboard.answer('Go to Moment', time);
}

/** Loads the window again once VS Code has written what the page keeps. */
async function reloadWith(text: string | number): Promise<void> {
  await workbench.waitForState(String(text));
  await workbench.reload();
  await workbench.openContainer('ZooKeeper Locks');
}

async function seeStatus(text: RegExp): Promise<void> {
  await eventually(async () => expect(await panel.find('.status-text').innerText()).toMatch(text), 30_000);
}

describe('panels of a recording in a window that is loaded again', () => {
  it('read the files again by themselves, and show the same lock at the same moment', async () => {
    await workbench.openContainer('ZooKeeper Locks');
    await keyboard.run('ZooKeeper Locks: Open Transaction Logs…');
    await keyboard.answerFileDialog(folder, () => tree.waitForRow(row, 500));
    await tree.expand(row);
    for (const name of ['refund', 'payment']) {
      await tree.chooseFromMenu(`/orders/${name}`, 'Show Queue', () => workbench.page.locator('.tab', { hasText: name }).waitFor()); // prettier-ignore
      await panel.seeTimeBar();
    }
    await goTo('03:10:30');
    await seeAnswer(/At 2026-11-24 03:10:30.*Held by pay-2 for/u);
    await reloadWith(nightTime(3, 10, 30));
    await seeAnswer(/At 2026-11-24 03:10:30.*Held by pay-2 for/u);
    await tree.seeRow(row, /03:10:30/u);
    await tree.expand(row);
    await tree.seeRow('/orders/payment', /held by pay-2/u);
    expect(await panel.find('.time-now').innerText()).toContain('03:10:30');
    await workbench.screenshot('reload-recording');
    expect(await workbench.notifications()).toEqual([]);
  });

  it('share one recording, whose moment they do not set back', async () => {
    await goTo('03:16:00');
    await seeAnswer(/At 2026-11-24 03:16:00.*Held by pay-3/u);
    // This page has not been there since before the reload: what it keeps is older.
    await workbench.page.locator('.tab', { hasText: 'refund' }).click();
    await seeAnswer(/At 2026-11-24 03:16:00.*Held by refund-7/u);
    await workbench.page.locator('.tab', { hasText: 'payment' }).click();
    await seeAnswer(/At 2026-11-24 03:16:00.*Held by pay-3/u);
    expect((await tree.rows()).filter(({ label }) => label.startsWith('version-2'))).toHaveLength(1);
  });

  it('say that the files are gone and what to do, and open them when they are back', async () => {
    // The moment may have been written while the other tab was in front, which would come back in its place.
    await workbench.waitForState(String(nightTime(3, 16)), paymentInFront);
    await rename(folder, `${folder}-moved`);
    await workbench.reload();
    await workbench.openContainer('ZooKeeper Locks');
    await seeStatus(/There is no folder ".*version-2"\. Choose the folder "version-2" of a server, or a copy of it\./u);
    await workbench.screenshot('reload-recording-gone');
    expect(await panel.findings()).toEqual([]);
    await rename(`${folder}-moved`, folder);
    await panel.tabTo('vscode-button:has-text("Open again")');
    await keyboard.press('Enter');
    await seeAnswer(/At 2026-11-24 03:16:00.*Held by pay-3/u);
    await tree.seeRow(row, /03:16:00/u);
  });

  it('leave closed what the person has closed', async () => {
    await keyboard.run('ZooKeeper Locks: Close Recording');
    await seeStatus(/no longer in the list/u);
    await reloadWith('isClosed');
    await seeStatus(/no longer in the list/u);
    expect((await tree.rows()).map(({ label }) => label)).not.toContain(row);
    await panel.find('vscode-button:visible', 'Open again').click();
    await seeAnswer(/At 2026-11-24 03:16:00.*Held by pay-3/u);
  });
});
