import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { keepTraceOfFailures } from './support/failureTrace.ts';
import { Keyboard } from './support/keyboard.ts';
import { writeNightIncident } from './support/nightIncident.ts';
import { nightTime, writeNight } from './support/recordedNight.ts';
import { SessionPage } from './support/sessionPage.ts';
import type { TreeView } from './support/tree.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

let workbench: Workbench;
let keyboard: Keyboard;
let clusters: TreeView;
let blockers: TreeView;
let explorer: TreeView;
let page: SessionPage;
let folder: string;

const row = 'version-2 · 03:01–04:20';

beforeAll(async () => {
  workbench = await openWorkbench({
    viewport: { width: 1400, height: 1000 },
    prepare: async ({ workspace }) => {
      await writeNight((folder = join(workspace, 'version-2')));
      await writeNightIncident(join(workspace, 'night.zkincident'), nightTime(3, 16));
    },
  });
  keyboard = new Keyboard(workbench.page);
  clusters = workbench.tree('Clusters');
  blockers = workbench.tree('Blockers');
  explorer = workbench.tree('workspace');
  page = new SessionPage(workbench.page);
  // Until VS Code has read what extensions contribute it would open an incident file as text.
  await eventually(() => keyboard.run('ZooKeeper Locks: Focus on Clusters View'), 60_000);
});

keepTraceOfFailures(() => workbench);

afterAll(async () => {
  await workbench.close();
});

async function goTo(time: string): Promise<void> {
  await keyboard.run('ZooKeeper Locks: Focus on Clusters View');
  await keyboard.run('ZooKeeper Locks: Go to Moment…');
  await keyboard.answer('Go to Moment', time);
}

async function reload(): Promise<void> {
  await workbench.reload();
  await workbench.openContainer('ZooKeeper Locks');
}

describe('transaction logs', () => {
  it('have the blockers of their moment', async () => {
    await workbench.openContainer('ZooKeeper Locks');
    await keyboard.run('ZooKeeper Locks: Open Transaction Logs…');
    await keyboard.answerFileDialog(folder, () => clusters.waitForRow(row, 500));
    await clusters.expand(row);
    await goTo('03:10:30');
    await clusters.seeRow(row, /03:10:30/u);
    await blockers.seeRow('pay-2', /^2 wait/u);
  });

  it('have pages of sessions: what is held at the moment, and what was before', async () => {
    await blockers.pressInline('pay-2', 'Show Session', () => page.seeAtTop(/As recorded at 11\/24\/2026 03:10:30/u));
    await page.see('recorded');
    await page.seeAtTop(/holds 1.*waits for 0.*others that wait for it: 2/u);
    await page.seeIn('if-ended', /payment \/orders\/payment\s+Goes to pay-3\./u);
    await page.seeIn('facts-known', /No end of it is recorded up to this moment\.[^]*hold no client addresses/u);
    await page.seeIn('watches', /Not recorded\./u);
    const past = await page.seeIn('past', /Opened\s+11\/24\/2026 03:03:00/u);
    // What comes later is not said of this moment.
    expect(past).not.toContain('03:12:00');
    expect(await page.rowsOf('past')).toEqual([
      expect.stringMatching(/^payment \/orders\/payment 11\/24\/2026 03:05:00.* no end recorded/u),
    ]);
    await workbench.screenshot('session-recorded');
    expect(await page.findings()).toEqual([]);
  });

  it('have pages that follow the moment', async () => {
    await goTo('03:30:30');
    await page.seeAtTop(/As recorded at 11\/24\/2026 03:30:30[^]*It has no node in the locks that are read\./u);
    await page.seeIn('facts-known', /It was over at this moment\./u);
    await page.seeIn('past', /Ended\s+11\/24\/2026 03:12:00.*expired/u);
    expect(await page.rowsOf('past')).toEqual([
      expect.stringMatching(
        /^payment \/orders\/payment 11\/24\/2026 03:05:00.* 11\/24\/2026 03:12:00.* session expired/u,
      ),
    ]);
    await goTo('03:04:00');
    await page.seeAtTop(/As recorded at 11\/24\/2026 03:04:00[^]*holds 0.*waits for 1/u);
  });

  it('are read again with the window, for the page of the session', async () => {
    await workbench.waitForState(String(nightTime(3, 4)));
    await reload();
    await page.seeAtTop(/As recorded at 11\/24\/2026 03:04:00[^]*holds 0.*waits for 1/u);
    await clusters.seeRow(row, /03:04:00/u);
    expect(await workbench.notifications()).toEqual([]);
  });

  it('are opened from the page when they were closed', async () => {
    await workbench.runCommand('ZooKeeper Locks: Close Recording');
    await page.seeAtTop(/no longer in the list/u);
    await workbench.waitForState('isClosed');
    await reload();
    await page.seeAtTop(/no longer in the list/u);
    expect((await clusters.rows()).map(({ label }) => label)).not.toContain(row);
    await workbench.screenshot('session-recording-closed');
    expect(await page.findings()).toEqual([]);
    await page.tabTo('.button:has-text("Open again")');
    await keyboard.press('Enter');
    await page.seeAtTop(/As recorded at 11\/24\/2026 03:04:00[^]*waits for 1/u);
    await workbench.runCommand('View: Close All Editors');
    await workbench.runCommand('ZooKeeper Locks: Close Recording');
  });
});

describe('an incident file', () => {
  it('has the blockers of its moment, and pages of their sessions', async () => {
    await workbench.runCommand('View: Show Explorer');
    await explorer.waitForRow('night.zkincident');
    await explorer.select('night.zkincident');
    await page.see('open');
    await workbench.openContainer('ZooKeeper Locks');
    await clusters.expand('Orders · ');
    await blockers.seeRow('pay-3', /^1 wait/u);
    await blockers.pressInline('pay-3', 'Show Session', () => page.seeAtTop(/As recorded at 11\/24\/2026 03:1/u));
    await page.seeAtTop(/holds 1.*waits for 0.*others that wait for it: 1/u);
    await page.seeIn('if-ended', /payment \/orders\/payment\s+Goes to pay-4\./u);
    await page.seeIn('past', /payment \/orders\/payment\s+11\/24\/2026 03:12:00/u);
    await workbench.screenshot('session-incident');
    expect(await page.findings()).toEqual([]);
  });

  it('is read again with the window, for the page of the session', async () => {
    // The title of a page is written before what it shows, and a page of which that is missing is closed.
    const title = await workbench.page.locator('.tabs-container .tab.active .label-name').innerText();
    expect(title).toMatch(/^Session 0x\w+ · Orders · /u);
    const [, id = ''] = title.split(' ');
    await workbench.waitForState(title, `"subject":{"session":"${id}"}`);
    await reload();
    // The window starts first: 10 s, and more on a machine that is busy.
    await page.seeAtTop(/As recorded at 11\/24\/2026 03:1[^]*holds 1.*waits for 0/u, 60_000);
    await clusters.waitForRow('Orders · ', 30_000);
    await workbench.screenshot('session-incident-reloaded');
  });
});
