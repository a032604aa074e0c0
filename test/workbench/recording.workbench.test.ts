import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { keepTraceOfFailures } from './support/failureTrace.ts';
import { Keyboard } from './support/keyboard.ts';
import { LockPanelPage } from './support/lockPanelPage.ts';
import { writeNight } from './support/recordedNight.ts';
import type { TreeView } from './support/tree.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

let workbench: Workbench;
let keyboard: Keyboard;
let tree: TreeView;
let panel: LockPanelPage;

const row = 'version-2 · 03:01–04:20';
const lockPath = '/orders/payment';

beforeAll(async () => {
  workbench = await openWorkbench({
    viewport: { width: 1400, height: 1000 },
    prepare: ({ workspace }) => writeNight(join(workspace, 'version-2')),
  });
  keyboard = new Keyboard(workbench.page);
  tree = workbench.tree('Clusters');
  panel = new LockPanelPage(workbench.page);
});

keepTraceOfFailures(() => workbench);

afterAll(async () => {
  await workbench.close();
});

async function answer(): Promise<string> {
  return panel.find('.answer').innerText();
}

/** Waits until the page shows this moment, and what was then. */
async function seeMoment(time: string, sentence: RegExp): Promise<void> {
  await eventually(async () => {
    const text = await answer();
    expect(text).toContain(`At 2026-11-24 ${time}`);
    expect(text).toMatch(sentence);
  }, 20_000);
}

function bar(who: string): ReturnType<LockPanelPage['find']> {
  return panel.find(`.bar:not(.is-wait)[aria-label*="${who}"]`);
}

async function pressButton(text: string): Promise<void> {
  await panel.content.getByRole('button', { name: text, exact: true }).click();
}

describe('the transaction logs of a night', () => {
  it('are opened from the Explorer, and a row says which time they are of', async () => {
    await workbench.runCommand('View: Show Explorer');
    const explorer = workbench.tree('workspace');
    await explorer.waitForRow('version-2');
    // The menu lacks the entry until VS Code has read what extensions contribute.
    await eventually(async () => expect(await explorer.menu('version-2')).toContain('Open Transaction Logs…'), 60_000);
    await explorer.chooseFromMenu('version-2', 'Open Transaction Logs…', () => tree.waitForRow(row, 30_000));
    await tree.seeRow(row, /./u);
    await tree.expand(row);
    await tree.seeRow(lockPath, /./u);
    await workbench.screenshot('recording-tree');
  });

  it('show the tree at the moment that is typed, and at hand-overs and session ends', async () => {
    await keyboard.run('ZooKeeper Locks: Go to Moment…');
    await keyboard.answer('Go to Moment', '03:10:30');
    await tree.expand(lockPath);
    await tree.seeRow('#1 pay-2', /^held 5 min/u);
    await tree.seeRow('#2 pay-3', /^waits for #1 pay-2/u);
    await keyboard.run('ZooKeeper Locks: Next Hand-Over');
    await tree.seeRow('#1 pay-3', /^held/u);
    await workbench.screenshot('recording-tree-moment');
    await keyboard.run('ZooKeeper Locks: Previous Hand-Over');
    await tree.seeRow('#1 pay-2', /^held/u);
    await keyboard.run('ZooKeeper Locks: Next Session End');
    await tree.seeRow('#1 pay-3', /^held/u);
  });

  it('show the life of a lock in its panel, at that moment', async () => {
    await tree.chooseFromMenu(lockPath, 'Show Queue', () => panel.seeTimeBar());
    await panel.see('recorded');
    await seeMoment('03:12:00', /Held by pay-3 for 0 ms; 1 waits, for .+; next: pay-4\.$/u);
    const labels = await panel.find('.bar:not(.is-wait)').evaluateAll(bars => bars.map(each => each.ariaLabel ?? ''));
    for (const [index, end] of [
      'pay-1 held from 03:02:00 to 03:05:00: 3 min. Ended: released',
      'pay-2 held from 03:05:00 to 03:12:00: 7 min. Ended: session expired',
      'pay-3 held from 03:12:00 to 03:20:00: 8 min. Ended: deleted by session 0x',
      'pay-4 held from 03:20:00 to 03:40:00: 20 min. Ended: session closed by its client',
      'pay-6 ',
    ].entries()) {
      expect(labels[index]).toContain(end);
    }
    const waits = await panel.find('.bar.is-wait').evaluateAll(bars => bars.map(each => each.ariaLabel ?? ''));
    expect(waits.filter(label => label.includes('pay-5'))).toEqual([
      expect.stringContaining('waited from 03:30:00 to 03:35:00: 5 min. Ended: session expired'),
    ]);
    expect(await panel.find('.time-gap-list li').first().innerText()).toContain('from 2026-11-24 03:50:00.000');
    await eventually(async () => expect(await panel.find('.timeline .chart .unwatched').count()).toBeGreaterThan(1));
  });

  it('go to the begin of a hold that is clicked, and say everything about it', async () => {
    await bar('pay-4').click();
    await seeMoment('03:20:00', /Held by pay-4 for 0 ms; none waits/u);
    expect(await panel.find('.stay').innerText()).toContain('session closed by its client');
    await bar('pay-3').click();
    await seeMoment('03:12:00', /Held by pay-3/u);
    await eventually(async () => expect(await panel.find('.stay').innerText()).toMatch(/deleted by session 0x/u));
  });

  it.each([
    ['dark', 'Dark Modern', 'vscode-dark'],
    ['light', 'Light Modern', 'vscode-light'],
    ['high-contrast', 'Dark High Contrast', 'vscode-high-contrast'],
  ] as const)('fit the panel in a %s theme, and axe-core finds nothing', async (name, theme, kind) => {
    await workbench.chooseTheme(theme);
    await panel.find(`body[data-vscode-theme-kind='${kind}']`).waitFor({ timeout: 10_000 });
    await workbench.screenshot(`recording-panel-${name}`);
    expect(await panel.findings()).toEqual([]);
  });

  it('are walked through by keyboard alone', async () => {
    await panel.find('.answer').click();
    await panel.tabTo('[role=slider]', 'Shift+Tab');
    await keyboard.press('Home');
    await eventually(
      async () => expect(await panel.find('.status-text').innerText()).toContain('No client held'),
      20_000,
    );
    await keyboard.press('End');
    await seeMoment('04:20:00', /./u);
    await panel.tabTo('vscode-button:has-text("Previous session end")');
    await keyboard.press('Enter');
    await seeMoment('03:40:00', /Held by pay-6/u);
    await panel.tabTo('.time-field');
    await keyboard.press('Control+a');
    await workbench.page.keyboard.insertText('03:06:30');
    await keyboard.press('Enter');
    await seeMoment('03:06:30', /Held by pay-2 for 1 min 30 s; 1 waits, for .+; next: pay-3\.$/u);
    await keyboard.press('Control+a');
    await workbench.page.keyboard.insertText('last night');
    await keyboard.press('Enter');
    await eventually(async () =>
      expect(await panel.find('.outcome').innerText()).toContain('neither a time nor a zxid'),
    );
    await panel.tabTo('.bar');
    await keyboard.press('ArrowRight', 'Enter');
    await panel.find('.stay').waitFor();
    await keyboard.press('+');
    await eventually(async () =>
      expect(await panel.find('.timeline .note').first().innerText()).not.toContain('03:01:00'),
    );
    await keyboard.press('0');
  });

  it('are played, and paused', async () => {
    await panel.find('.time-choice').selectOption('1000');
    await pressButton('Play');
    const begun = Number(await panel.find('[role=slider]').getAttribute('aria-valuenow'));
    await eventually(async () => {
      const now = Number(await panel.find('[role=slider]').getAttribute('aria-valuenow'));
      expect(now - begun).toBeGreaterThan(60_000);
    }, 20_000);
    await pressButton('Stop playing');
    const stopped = await panel.find('.time-now').innerText();
    await pressButton('Previous hand-over');
    await eventually(async () => expect(await panel.find('.time-now').innerText()).not.toBe(stopped));
  });

  it('are explained: the moment, and what happened', async () => {
    await bar('pay-3').click();
    await seeMoment('03:12:00', /Held by pay-3/u);
    await pressButton('Explain what happened');
    await workbench.pick('The whole recording');
    await eventually(async () => {
      const text = await workbench.report.innerText({ timeout: 2_000 });
      for (const part of ['pay-2', 'its session expired', 'deleted by session 0x']) expect(text).toContain(part);
    }, 20_000);
    await workbench.screenshot('recording-what-happened');
    await workbench.runCommand('View: Close Editor');
    await panel.see('recorded');
    await pressButton('Explain lock');
    await eventually(
      async () => expect(await workbench.report.innerText({ timeout: 2_000 })).toContain('pay-3'),
      20_000,
    );
    await workbench.runCommand('View: Close Editor');
  });

  it('have no way to change anything', async () => {
    await panel.see('recorded');
    const texts = await panel.find('.page :is(button, vscode-button):visible').allInnerTexts();
    for (const text of ['Force delete…', 'Find owners', 'Pause', 'Clear', 'Connect']) expect(texts).not.toContain(text);
    expect(await tree.menu(lockPath)).not.toContain('Delete Stale Nodes…');
  });

  it('leave the list, and the panel says so', async () => {
    await keyboard.run('ZooKeeper Locks: Close Recording');
    await panel.see('failed');
    await eventually(async () => expect((await tree.rows()).map(({ label }) => label)).not.toContain(row));
  });
});
