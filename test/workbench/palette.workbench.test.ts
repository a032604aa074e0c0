import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { repositoryRoot } from '../../scripts/build/bundle.ts';
import { eventually } from '../support/eventually.ts';
import { startObserver, type Observer } from '../support/observer.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../support/zookeeperServer.ts';
import { installDeployer } from './support/deployer.ts';
import { keepTraceOfFailures } from './support/failureTrace.ts';
import { Keyboard } from './support/keyboard.ts';
import { LockPanelPage } from './support/lockPanelPage.ts';
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
const hidden = new Set(menus.commandPalette.filter(({ when }) => when === 'false').map(({ command }) => command));
/** Of recordings: recordedPalette.workbench.test.ts. Of scenarios: scenarioPalette.workbench.test.ts. Of all locks at once, of which there are few here: sessionPage.workbench.test.ts. */
const elsewhere = new Set(
  menus.commandPalette
    .filter(({ when }) => /^zookeeperLocks\.(hasRecording|isPlaying)$/u.test(when))
    .map(({ command }) => command)
    .concat(['openLogs', 'find', 'showSession'].map(name => `zookeeperLocks.${name}`)),
);
const offered = commands.filter(({ command: id }) => !hidden.has(id) && !elsewhere.has(id) && !id.includes('Scenario'));
const shortName = (command: string): string => command.replace('zookeeperLocks.', '');
/** Titles as the palette shows them, by the name of the command. */
const titles = new Map(
  offered.map(({ command, title }) => [shortName(command), `ZooKeeper Locks: ${nls[title.slice(1, -1)] ?? ''}`]),
);

/** Takes a test lock, so that there is an access to revoke. */
const deployerMain = `
const vscode = require('vscode');
exports.activate = async context => {
  const api = await vscode.extensions.getExtension('zookeeper-lock-inspector.zookeeper-lock-inspector').activate();
  context.subscriptions.push(vscode.commands.registerCommand('deployer.take', () => api.acquireTestLock({
    extensionId: 'example.deployer', path: '/test/deploy', recipe: 'mutex', identifier: 'release 7',
    clusterId: api.clusters()[0].id, timeoutMs: 5000, autoReleaseMs: 600000,
  })));
};
`;

let ensemble: ZooKeeperEnsemble;
let observer: Observer;
let workbench: Workbench;
let keyboard: Keyboard;
let clusters: TreeView;
let testLocks: TreeView;
let panel: LockPanelPage;
let folder: string;

const kazooName = (): string => `${crypto.randomUUID().replaceAll('-', '')}__lock__`;

function clusterFile(name: string): string {
  const cluster = { name, connectString: `${name.toLowerCase()}.invalid:2181`, environment: 'development' };
  return JSON.stringify({ kind: 'zookeeper-lock-inspector/clusters', version: 1, clusters: [cluster] });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palette-test-'));
  ensemble = await startZooKeeper();
  observer = await startObserver(ensemble.connectString);
  for (const [lock, data, ephemeral] of [
    ['/orders/invoice', 'worker-a', true],
    ['/orders/invoice', 'worker-b', true],
    ['/orders/stale', 'crashed-a', false],
    ['/orders/old', 'crashed-b', false],
  ] as const) {
    await observer.ensure(lock);
    await observer.create(`${lock}/${kazooName()}`, { data, ephemeral, sequence: true });
  }
  workbench = await openWorkbench({
    settings: { 'zookeeperLocks.testLocks.autoReleaseSeconds': 600 },
    // Rows that are out of sight are not drawn.
    viewport: { width: 1280, height: 1200 },
    prepare: ({ extensionsDir }) => installDeployer(extensionsDir, ['Take Lock'], deployerMain),
  });
  keyboard = new Keyboard(workbench.page);
  clusters = workbench.tree('Clusters');
  testLocks = workbench.tree('Test Locks');
  panel = new LockPanelPage(workbench.page);
  // A window that has just started may not offer it yet.
  await eventually(() => keyboard.run('ZooKeeper Locks: Focus on Clusters View'), 30_000);
});

keepTraceOfFailures(() => workbench);

afterAll(async () => {
  await workbench.close();
  await observer.stop();
  await ensemble.stop();
  await rm(folder, { recursive: true, force: true });
});

/**
 * Runs one of our commands from the palette. A page (panel, report) that had the keyboard may take it back from the question that
 * follows the palette, so the view has it first.
 */
async function run(name: string): Promise<void> {
  await keyboard.run('ZooKeeper Locks: Focus on Clusters View');
  await keyboard.run(titles.get(name) ?? name);
}

async function labels(tree = clusters): Promise<string> {
  return (await tree.rows()).map(({ label, description }) => `${label} — ${description}`).join('\n');
}

async function see(text: RegExp, tree = clusters): Promise<void> {
  await eventually(async () => expect(await labels(tree)).toMatch(text), 20_000);
}

async function seeNot(text: RegExp, tree = clusters): Promise<void> {
  await eventually(async () => expect(await labels(tree)).not.toMatch(text), 20_000);
}

async function seeMessage(text: RegExp): Promise<void> {
  await eventually(async () => expect((await workbench.notifications()).join('\n')).toMatch(text), 15_000);
}

async function seeReport(text: RegExp): Promise<void> {
  await eventually(async () => expect(await workbench.report.innerText({ timeout: 1_000 })).toMatch(text), 20_000);
}

async function seeTitle(text: RegExp, isThere = true): Promise<void> {
  const title = workbench.page.locator('.pane-header', { hasText: 'Clusters' });
  await eventually(async () => {
    if (isThere) expect(await title.innerText()).toMatch(text);
    else expect(await title.innerText()).not.toMatch(text);
  });
}

async function seeNodes(path: string, count: number): Promise<void> {
  await eventually(async () => expect(await observer.ls(path)).toHaveLength(count), 15_000);
}

function pane(): Locator {
  return workbench.page.locator('.pane', {
    has: workbench.page.locator('.pane-header', { hasText: 'Clusters' }),
  });
}

/** Waits until the view has the keyboard, on that row: a row that is revealed takes it from a palette that is open by then. */
async function seeKeyboardOn(label: string): Promise<void> {
  const focused = pane().locator('.monaco-list:focus .monaco-list-row.focused');
  await eventually(async () => expect(await focused.innerText({ timeout: 500 })).toContain(label), 20_000);
}

/** Selects the head of the queue of a lock. */
async function selectHolder(path: string, holder: string): Promise<void> {
  await run('openLock');
  await keyboard.answer('Path of the lock', path);
  await see(new RegExp(`#1 ${holder}`));
  await seeKeyboardOn(path.split('/').at(-1)!);
  await keyboard.press('ArrowDown');
  await seeKeyboardOn(holder);
  await keyboard.press('Enter');
  await eventually(async () => expect(await pane().locator('.monaco-list-row.selected').innerText()).toContain(holder));
}

async function acquire(name: string, answers: readonly [RegExp, readonly string[]][], seen: RegExp): Promise<void> {
  await run(name);
  await keyboard.answerAll(answers, async () => expect(await labels(testLocks)).toMatch(seen));
}

/** Saves all locks of the selected row's cluster. @param part a part of what is in the file */
async function saveIncident(name: string, part: string): Promise<void> {
  const file = join(folder, `${name}.zkincident`);
  await run('saveIncident');
  await keyboard.choose('Which locks?', 'All locks of the cluster');
  await keyboard.choose('Who will read the file?', 'Keep everything');
  await keyboard.answerFileDialog(file, async () =>
    expect(gunzipSync(await readFile(file)).toString()).toContain(part),
  );
}

async function openIncident(name: string): Promise<void> {
  await run('openIncident');
  await keyboard.answerFileDialog(join(folder, `${name}.zkincident`), () =>
    panel.find('h1', `Incident · ${name}.zkincident`).waitFor({ timeout: 500 }),
  );
  await see(/^Orders · /m);
}

const which = /Which lock|Check two or more/;
const typed: [RegExp, readonly string[]][] = [[/Type .*to delete/, []]];

/** Answers the question for a name by typing the one that it names. */
async function typeTheName(seen: () => Promise<unknown>): Promise<void> {
  const asked = await keyboard.seeQuestion(/Type "[^"]+"/);
  await keyboard.answerAll([[typed[0]![0], [/Type "([^"]+)"/.exec(asked)?.[1] ?? '']]], seen);
}

/** Keys for one command, and what is seen of it. In an order in which each has something to do. */
const table: [name: string, keysAndEffect: () => Promise<void>][] = [
  ['trySandbox', async () => {
    await run('trySandbox');
    await see(/^Sandbox — in memory only · connected[^]*checkout — held by checkout-/);
    await seeKeyboardOn('Sandbox');
  }],
  ['copyConnectString', async () => {
    await run('copyConnectString');
    const copied = (): Promise<string> => workbench.page.evaluate(() => navigator.clipboard.readText());
    await eventually(async () => expect(await copied()).toMatch(/^127\.0\.0\.1:\d+$/));
  }],
  ['stopSandbox', async () => {
    await run('stopSandbox');
    await seeNot(/Sandbox/);
  }],
  ['addCluster', async () => {
    await run('addCluster');
    await keyboard.answer('(1/5)', 'Orders');
    await keyboard.answer('(2/5)', ensemble.connectString);
    await keyboard.choose('(3/5)', 'development');
    await keyboard.choose('(4/5)', 'Not encrypted');
    await keyboard.choose('(5/5)', 'No log-in');
    await see(/^Orders — development/);
    await seeKeyboardOn('Orders');
  }],
  ['connect', async () => {
    await run('connect');
    await see(/invoice — held by worker-a/);
    await seeKeyboardOn('Orders');
  }],
  ['findLocks', async () => {
    await run('findLocks');
    await keyboard.answer('Look for locks at and below', '/orders');
    await seeMessage(/Locks found below \W*\/orders\W*: 3/);
  }],
  ['openLock', async () => {
    await run('openLock');
    await keyboard.answer('Path of the lock', '/orders/elsewhere');
    await see(/elsewhere — free/);
    await seeKeyboardOn('elsewhere');
  }],
  ['refresh', async () => {
    await observer.ensure('/orders/fresh');
    await observer.create(`/orders/fresh/${kazooName()}`, { data: 'worker-c', ephemeral: true, sequence: true });
    await run('refresh');
    await see(/fresh — held by worker-c/);
  }],
  ['filter', async () => {
    await run('filter');
    await keyboard.answer('Show only locks', 'invoice');
    await seeNot(/fresh/);
    await see(/invoice/);
  }],
  ['clearFilter', async () => {
    await run('clearFilter');
    await see(/fresh/);
  }],
  ['showOnly', async () => {
    await run('showOnly');
    await keyboard.choose('Which locks are shown?', 'contended');
    await seeNot(/fresh/);
    await run('showOnly');
    await keyboard.choose('Which locks are shown?', 'all locks');
    await see(/fresh/);
  }],
  ['groupByDirectory', async () => {
    await run('groupByDirectory');
    await see(/^orders — .*locks/m);
  }],
  ['showAsList', async () => {
    await run('showAsList');
    await seeNot(/^orders — /m);
    await see(/invoice — held by worker-a/);
  }],
  ['pauseLive', async () => {
    await run('pauseLive');
    await seeTitle(/paused/);
  }],
  ['resumeLive', async () => {
    await run('resumeLive');
    await seeTitle(/paused/, false);
  }],
  ['showNodeData', async () => {
    await selectHolder('/orders/invoice', 'worker-a');
    await run('showNodeData');
    const lines = workbench.page.locator('.editor-instance .view-lines').first();
    await eventually(async () => expect(await lines.innerText()).toContain('worker-a'));
  }],
  ['showOwner', async () => {
    await selectHolder('/orders/invoice', 'worker-a');
    await run('showOwner');
    await seeReport(/^The session is alive[^]*Owner of \/orders\/invoice/);
  }],
  ['explainLock', async () => {
    await run('explainLock');
    await seeReport(/^Held by worker-a, 1 waiting/);
  }],
  ['copyReport', async () => {
    await run('copyReport');
    const clipboard = (): Promise<string> => workbench.page.evaluate(() => navigator.clipboard.readText());
    await eventually(async () => expect(await clipboard()).toMatch(/^Held by worker-a, 1 waiting\n/));
  }],
  ['explainDeadlocks', async () => {
    await run('explainDeadlocks');
    await seeReport(/^No deadlock found/);
  }],
  ['showQueue', async () => {
    await selectHolder('/orders/invoice', 'worker-a');
    await run('showQueue');
    await panel.see('live');
    await eventually(async () => expect(await panel.find('h1').innerText()).toBe('invoice'));
  }],
  ['acquireExclusive', () => acquire('acquireExclusive', [[which, ['/test/exclusive']]], /^exclusive — .*left/m)],
  ['acquireMutex', () => acquire('acquireMutex', [[which, ['/test/mutex']]], /^test\/mutex — .*left/m)],
  ['acquireRead', () => acquire('acquireRead', [[which, ['/test/read']]], /^read — .*left/m)],
  ['acquireWrite', () => acquire('acquireWrite', [[which, ['/test/write']]], /^write — .*left/m)],
  ['acquireSemaphore', () => acquire('acquireSemaphore', [[which, ['/test/semaphore']]], /^semaphore — .*left/m)],
  ['acquireSeveral', () => acquire('acquireSeveral', [[which, ['/test/one', '/test/two']]], /^one and 1 more — .*left/m)],
  ['keepLonger', async () => {
    await run('keepLonger');
    await keyboard.choose('Which lock?', '/test/mutex');
    // It had ten minutes at most.
    await see(/^test\/mutex — .*\b(?:1[1-9]|20):\d\d left/m, testLocks);
  }],
  ['releaseTestLock', async () => {
    await run('releaseTestLock');
    await keyboard.choose('Which lock?', '/test/exclusive');
    await seeNot(/^exclusive — /m, testLocks);
    expect(await observer.get('/test/exclusive')).toBeUndefined();
  }],
  ['cancelWait', async () => {
    await acquire('acquireMutex', [[which, ['/orders/invoice']]], /^invoice — waits/m);
    await seeNodes('/orders/invoice', 3);
    await run('cancelWait');
    await seeNot(/^invoice — waits/m, testLocks);
    await seeNodes('/orders/invoice', 2);
  }],
  ['releaseAllTestLocks', async () => {
    await run('releaseAllTestLocks');
    await keyboard.pressInDialog(/Release all \d+ test locks/, 'Release All');
    await seeNot(/left/, testLocks);
    await seeNodes('/test/mutex', 0);
  }],
  ['forceDelete', async () => {
    await selectHolder('/orders/stale', 'crashed-a');
    await run('forceDelete');
    await keyboard.pressInDialog(/stale/, 'Force Delete');
    await typeTheName(() => seeNodesNow('/orders/stale', 0));
  }],
  ['deleteStale', async () => {
    await run('deleteStale');
    await keyboard.seeQuestion('What is deleted?');
    // The box before the field takes all that is listed.
    await keyboard.press('Shift+Tab', 'Space', 'Tab', 'Enter');
    await keyboard.pressInDialog(/Delete \d+ nodes?/, 'Delete');
    await typeTheName(() => seeNodesNow('/orders/old', 0));
    await seeReport(/(\d+) of \1 deleted/);
  }],
  ['showAuditList', async () => {
    await run('showAuditList');
    await seeReport(/delete stale: deleted[^]*force delete: deleted/);
  }],
  ['saveAuditList', async () => {
    const file = join(folder, 'audit.json');
    await run('saveAuditList');
    await keyboard.answerFileDialog(file, () => seeFile(file, '/orders/old'));
  }],
  ['saveIncident', async () => {
    // The page of a report takes the keyboard back, and that closes a file dialog.
    await keyboard.run('View: Close All Editors');
    await selectHolder('/orders/invoice', 'worker-a');
    await saveIncident('before', 'worker-a');
    await observer.create(`/orders/invoice/${kazooName()}`, { data: 'worker-d', ephemeral: true, sequence: true });
    await saveIncident('after', 'worker-d');
  }],
  ['copyAsMarkdown', async () => {
    await selectHolder('/orders/invoice', 'worker-a');
    await run('copyAsMarkdown');
    await keyboard.choose('Which locks?', 'This lock');
    const copied = (): Promise<string> => workbench.page.evaluate(() => navigator.clipboard.readText());
    await eventually(async () => expect(await copied()).toMatch(/invoice[^]*worker-a/));
  }],
  ['openIncident', () => openIncident('before')],
  ['showIncidentReport', async () => {
    await run('showIncidentReport');
    await seeReport(/Orders[^]*worker-a/);
  }],
  ['compareIncidents', async () => {
    await openIncident('before');
    await run('compareIncidents');
    await keyboard.answerFileDialog(join(folder, 'after.zkincident'), () => workbench.report.waitFor({ timeout: 500 }));
    await seeReport(/invoice[^]*worker-d/);
    await keyboard.run('ZooKeeper Locks: Close Recording');
    await seeNot(/^Orders · /m);
  }],
  ['exportClusters', async () => {
    const file = join(folder, 'ours.json');
    await run('exportClusters');
    await keyboard.accept('Which clusters?');
    await keyboard.answerFileDialog(file, () => seeFile(file, 'Orders'));
  }],
  ['importClusters', async () => {
    const file = join(folder, 'theirs.json');
    await writeFile(file, clusterFile('Elsewhere'));
    await run('importClusters');
    await keyboard.answerFileDialog(file, () => keyboard.seeQuestionNow('Which clusters do you want?'));
    await keyboard.accept('Which clusters do you want?');
    await see(/^Elsewhere — /m);
  }],
  ['addRecommended', async () => {
    await workbench.writeWorkspaceFile('.vscode/zookeeper-locks.json', clusterFile('Team'));
    await run('addRecommended');
    await keyboard.accept('Which clusters do you want?');
    await see(/^Team — /m);
  }],
  ['editCluster', async () => {
    await run('editCluster');
    await keyboard.choose('Edit Cluster', 'Team');
    await keyboard.answerAll([[/\(1\//, ['Team B']]], () => expect(labels()).resolves.toMatch(/^Team B — /m));
  }],
  ['revokeExtensions', async () => {
    await keyboard.run('Deployer: Take Lock');
    await keyboard.pressInDialog(/May the extension/, 'Allow');
    await see(/^deploy — .*left/m, testLocks);
    await run('revokeExtensions');
    await keyboard.choose('Which extension', 'example.deployer');
    await run('releaseAllTestLocks');
    await seeNot(/left/, testLocks);
    await keyboard.run('Deployer: Take Lock');
    await keyboard.pressInDialog(/May the extension/, 'Cancel');
  }],
  ['showLog', async () => {
    await run('showLog');
    const log = workbench.page.locator('.part.panel .view-lines').first();
    await eventually(async () => expect(await log.innerText()).toMatch(/\[info\]/));
    await keyboard.press('Control+j');
  }],
  ['reconnectAll', async () => {
    await workbench.waitForState('connectedClusters');
    await workbench.reload();
    await keyboard.run('ZooKeeper Locks: Focus on Clusters View');
    await see(/^Orders — .*not connected/m);
    await run('reconnectAll');
    await see(/invoice — held by worker-a/);
  }],
  ['recordLocks', async () => {
    await run('recordLocks');
    await keyboard.choose('Record Locks', 'Orders');
    await keyboard.pressInDialog(/Record the locks of "Orders"/, 'Record');
    await see(/^Orders — .*· recording\b/m);
  }],
  ['openRecording', async () => {
    await run('openRecording');
    await keyboard.choose('Open Recording', 'Orders');
    await see(/^Orders \(recorded\) — /m);
  }],
  ['stopRecording', async () => {
    await run('stopRecording');
    await seeNot(/^Orders — .*recording/m);
  }],
  ['deleteRecordings', async () => {
    await run('deleteRecordings');
    await keyboard.choose('Delete Recordings', 'Orders');
    await keyboard.pressInDialog(/Delete the recordings of "Orders"/, 'Delete');
    await seeNot(/\(recorded\)/);
  }],
  ['disconnect', async () => {
    await run('disconnect');
    await see(/^Orders — .*not connected/m);
  }],
  ['removeCluster', async () => {
    await run('removeCluster');
    await keyboard.choose('Remove Cluster', 'Team B');
    await keyboard.pressInDialog(/Remove the cluster/, 'Remove');
    await seeNot(/Team B/);
  }],
]; // prettier-ignore

async function seeNodesNow(path: string, count: number): Promise<void> {
  expect(await observer.ls(path)).toHaveLength(count);
}

/** VS Code makes a file before it writes what is in it. */
async function seeFile(file: string, text: string): Promise<void> {
  expect(await readFile(file, 'utf8')).toContain(text);
}

it('every command of the palette has its keys here', () => {
  expect(table.map(([name]) => name).sort()).toEqual([...titles.keys()].sort());
});

it.each(table)('%s is done by the keyboard alone', async (_, keysAndEffect) => {
  await keysAndEffect();
});
