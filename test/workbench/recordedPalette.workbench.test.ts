import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { repositoryRoot } from '../../scripts/build/bundle.ts';
import { eventually } from '../support/eventually.ts';
import { keepTraceOfFailures } from './support/failureTrace.ts';
import { Keyboard } from './support/keyboard.ts';
import { writeNight } from './support/recordedNight.ts';
import type { TreeView } from './support/tree.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

interface Manifest {
  contributes: {
    commands: { command: string; title: string }[];
    menus: { commandPalette: { command: string; when: string }[] };
  };
}

const manifest = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as Manifest;
const nls = JSON.parse(readFileSync(join(repositoryRoot, 'package.nls.json'), 'utf8')) as Record<string, string>;
const { commands, menus } = manifest.contributes;
const ofRecordings = menus.commandPalette
  .filter(({ when }) => /^zookeeperLocks\.(hasRecording|isPlaying)$/u.test(when))
  .map(({ command }) => command)
  .concat('zookeeperLocks.openLogs');
/** Titles as the palette shows them, by the name of the command. */
const titles = new Map(
  ofRecordings.map(command => {
    const title = commands.find(each => each.command === command)?.title ?? '';
    return [command.replace('zookeeperLocks.', ''), `ZooKeeper Locks: ${nls[title.slice(1, -1)] ?? ''}`];
  }),
);

const row = 'version-2 · 03:01–04:20';
const lockPath = '/orders/payment';

let workbench: Workbench;
let keyboard: Keyboard;
let tree: TreeView;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recorded-palette-'));
  await writeNight(join(folder, 'version-2'));
  workbench = await openWorkbench({});
  keyboard = new Keyboard(workbench.page);
  tree = workbench.tree('Clusters');
  // A window that has just started may not offer it yet.
  await eventually(() => keyboard.run('ZooKeeper Locks: Focus on Clusters View'), 30_000);
});

keepTraceOfFailures(() => workbench);

afterAll(async () => {
  await workbench.close();
  await rm(folder, { recursive: true, force: true });
});

async function run(name: string): Promise<void> {
  await keyboard.run('ZooKeeper Locks: Focus on Clusters View');
  await keyboard.run(titles.get(name) ?? name);
}

async function step(name: string, holder: string): Promise<void> {
  await run(name);
  await tree.seeRow(`#1 ${holder}`, /^held/u);
}

async function seeReport(text: RegExp): Promise<void> {
  await eventually(async () => expect(await workbench.report.innerText({ timeout: 1_000 })).toMatch(text), 20_000);
}

const table: readonly (readonly [string, () => Promise<void>])[] = [
  [
    'openLogs',
    async () => {
      await run('openLogs');
      await keyboard.answerFileDialog(join(folder, 'version-2'), () => tree.waitForRow(row, 500));
      await tree.expand(row);
      await tree.expand(lockPath);
    },
  ],
  [
    'goToMoment',
    async () => {
      await run('goToMoment');
      await keyboard.answer('Go to Moment', '03:10:30');
      await tree.seeRow('#1 pay-2', /^held 5 min/u);
    },
  ],
  ['nextHandOver', () => step('nextHandOver', 'pay-3')],
  ['previousHandOver', () => step('previousHandOver', 'pay-2')],
  ['nextSessionEnd', () => step('nextSessionEnd', 'pay-3')],
  [
    'previousSessionEnd',
    async () => {
      // Of the sessions that held or waited, the one of pay-7 ends next.
      await run('nextSessionEnd');
      await tree.seeRow('#1 pay-4', /^held/u);
      await step('previousSessionEnd', 'pay-3');
    },
  ],
  [
    'playRecording',
    async () => {
      await run('playRecording');
      await keyboard.choose('How fast?', /^1×/u);
      await tree.seeRow(row, /plays at 1×/u);
    },
  ],
  [
    'pauseRecording',
    async () => {
      await run('pauseRecording');
      await eventually(async () => {
        const shown = (await tree.rows()).find(({ label }) => label === row);
        expect(shown?.description).not.toContain('plays');
      });
    },
  ],
  [
    'followRecording',
    async () => {
      await run('followRecording');
      await tree.seeRow(row, /follows the files/u);
      await run('goToMoment');
      await keyboard.answer('Go to Moment', '03:10:30');
      await tree.seeRow('#1 pay-2', /^held/u);
    },
  ],
  [
    'explainWhatHappened',
    async () => {
      await tree.select(lockPath);
      await run('explainWhatHappened');
      await keyboard.choose('Which time?', 'The whole recording');
      await seeReport(/its session expired[^]*deleted by session 0x/u);
    },
  ],
  [
    'longestWaits',
    async () => {
      await run('longestWaits');
      await keyboard.choose('Choose one', 'Show all as a report');
      await seeReport(/10 min[^]*pay-4/u);
    },
  ],
  [
    'endedByExpiry',
    async () => {
      await run('endedByExpiry');
      await keyboard.choose('Choose one', 'Show all as a report');
      await seeReport(/pay-2[^]*it held/u);
    },
  ],
  [
    'saveHolds',
    async () => {
      const file = join(folder, 'holds.json');
      await run('saveHolds');
      await keyboard.choose('Which format?', 'JSON');
      await keyboard.answerFileDialog(file, async () => {
        expect(await readFile(file, 'utf8')).toContain('pay-3');
      });
    },
  ],
  [
    'savePlayAsScenario',
    async () => {
      await tree.select(lockPath);
      await run('savePlayAsScenario');
      await keyboard.choose('Which time?', 'The whole recording');
      const lines = workbench.page.locator('.editor-instance .view-lines').first();
      await eventually(
        async () => expect(await lines.innerText({ timeout: 500 })).toMatch(/cluster:\s+sandbox/u),
        20_000,
      );
      await workbench.screenshot('scenarios-played-dark');
      await keyboard.run('View: Revert and Close Editor');
    },
  ],
  [
    'describeRecording',
    async () => {
      await run('describeRecording');
      await seeReport(/Not everything could be read/u);
    },
  ],
  [
    'closeRecording',
    async () => {
      await run('closeRecording');
      await eventually(async () => expect((await tree.rows()).map(({ label }) => label)).not.toContain(row));
    },
  ],
];

it('every command of recordings has its keys here', () => {
  expect(table.map(([name]) => name).sort()).toEqual([...titles.keys()].sort());
});

it.each(table)('%s is done by the keyboard alone', async (_, keysAndEffect) => {
  await keysAndEffect();
});
