import { writeFile } from 'node:fs/promises';
import { LockPanelPage } from '../../workbench/support/lockPanelPage.ts';
import { openWorkbench, type Workbench } from '../../workbench/support/workbench.ts';
import { startBench, type Bench } from '../bench.ts';
import { describeMachine, type Machine } from '../machine.ts';
import { median, percentile } from '../statistics.ts';
import { QueueChanges } from './changes.ts';
import { findExtensionHost, processorSeconds, residentMegabytes } from './extensionHost.ts';
import { InspectedHost, type LoopDelays } from './inspectedHost.ts';
import { watchPage, type PageDelays } from './pageDelays.ts';
import { handOffDelays, makeRelay } from './relay.ts';
import { traceCategories, updateTimes, type UpdateTime } from './updateTimes.ts';

export interface PanelPlan {
  waiters: number;
  changesPerSecond: number;
  /** How long each part is measured. */
  seconds: number;
  /** Where a processor profile of the extension host goes; absent: none is made. */
  profile?: string;
}

export interface PanelFigure {
  name: string;
  unit: string;
  value: number;
  /** Must not be more. */
  target?: number;
  isMet?: boolean;
}

export interface PanelReport {
  machine: Machine;
  plan: PanelPlan;
  figures: PanelFigure[];
}

interface Span {
  changesPerSecond: number;
  /** Of one core, in percent. */
  hostShare: number;
  /** The most memory of the extension host, MB. */
  hostMemory: number;
}

/** What was seen with the panel open. */
interface Seen {
  span: Span;
  loop: LoopDelays;
  page: PageDelays;
  updates: readonly UpdateTime[];
  /** Memory of the extension host at the end, without garbage, MB. */
  keptMemory: number;
}

/**
 * Starts a server with a long queue that keeps changing and a real VS Code with the built extension, and measures how soon its
 * tree shows a hand-off, and what its panel costs: the script of each update, in the browser, and the processor time of the
 * extension host.
 */
export async function measurePanel(plan: PanelPlan, say: (text: string) => void): Promise<PanelReport> {
  const bench = await startBench({ quick: false, long: false, say });
  let workbench: Workbench | undefined;
  try {
    const machine = await describeMachine(bench.port);
    say(`Making a queue of ${plan.waiters} ...`);
    const path = await bench.fixtures.queue(plan.waiters);
    const relay = await makeRelay(bench);
    workbench = await openClusters(bench.ensemble.connectString);
    const tree = workbench.tree('Clusters');
    await tree.expand('Bench');
    await tree.waitForRow(path, 60_000);
    await tree.seeRow(relay.path, /held by/);
    say('Measuring hand-offs in the tree ...');
    const delays = await handOffDelays(bench, workbench, relay);
    const changes = new QueueChanges(bench.client, path, plan.changesPerSecond, await headsOf(bench, path));
    const host = findExtensionHost();
    say('Measuring without the panel ...');
    const closed = await during(changes, host, plan.seconds / 4);
    const panel = new LockPanelPage(workbench.page);
    await tree.chooseFromMenu(path, 'Show Queue', () => panel.see('live'));
    // What is compiled on the first calls is not what an update costs.
    await during(changes, host, plan.seconds / 4);
    say('Measuring with the panel ...');
    const open = await seen(workbench, panel, host, plan, () => during(changes, host, plan.seconds));
    await workbench.screenshot(`panel-${plan.waiters}`);
    return { machine, plan, figures: [...treeFigures(delays), ...figuresOf(plan, closed, open)] };
  } finally {
    await workbench?.close();
    await bench.close();
  }
}

async function openClusters(connectString: string): Promise<Workbench> {
  const cluster = { id: 'bench', name: 'Bench', connectString, environment: 'development' };
  const workbench = await openWorkbench({
    // VS Code looks for open ports every two seconds, in the same program, for some 70 ms.
    settings: {
      'remote.autoForwardPorts': false,
      'zookeeperLocks.clusters': [{ ...cluster, lockRoots: ['/bench/queues'] }],
    },
  });
  await workbench.openContainer('ZooKeeper Locks');
  return workbench;
}

/** Names of the queue from its head on. */
async function headsOf({ client }: Bench, path: string): Promise<string[]> {
  const { children } = await client.getChildren(path);
  return children.sort((a, b) => a.slice(-10).localeCompare(b.slice(-10)));
}

/** Everything that is measured while the queue changes and the panel shows it. */
async function seen(
  workbench: Workbench,
  panel: LockPanelPage,
  pid: number,
  { profile }: PanelPlan,
  measure: () => Promise<Span>,
): Promise<Seen> {
  const browser = workbench.page.context().browser();
  if (browser === null) throw new Error('The page has no browser.');
  await panel.find('.table [role=gridcell]').first().click();
  await workbench.page.keyboard.press('Escape');
  const host = await InspectedHost.open(pid);
  const endPage = await watchPage(workbench.page, await panel.frame());
  await browser.startTracing(workbench.page, { categories: traceCategories });
  if (profile !== undefined) await host.startProfile();
  await host.watchLoop();
  const span = await measure();
  const loop = await host.loopDelays();
  if (profile !== undefined) await writeFile(profile, JSON.stringify(await host.stopProfile()));
  await host.collectGarbage();
  const keptMemory = residentMegabytes(pid);
  const page = await endPage();
  const updates = updateTimes((await browser.stopTracing()).toString('utf8'));
  host.close();
  if (updates.length === 0) throw new Error('The page was not updated.');
  return { span, loop, page, updates, keptMemory };
}

async function during(changes: QueueChanges, host: number, seconds: number): Promise<Span> {
  const before = processorSeconds(host);
  const start = performance.now();
  let hostMemory = 0;
  changes.start();
  while (performance.now() - start < seconds * 1000) {
    await new Promise(resolve => setTimeout(resolve, 100));
    hostMemory = Math.max(hostMemory, residentMegabytes(host));
  }
  const changesPerSecond = changes.stop();
  const passed = (performance.now() - start) / 1000;
  return { changesPerSecond, hostShare: (100 * (processorSeconds(host) - before)) / passed, hostMemory };
}

function limited(figure: PanelFigure & { target: number }): PanelFigure {
  return { ...figure, isMet: figure.value <= figure.target };
}

function treeFigures(delays: readonly number[]): PanelFigure[] {
  return [
    limited({ name: 'tree: hand-off to frame, median', unit: 'ms', value: median(delays), target: 200 }),
    { name: 'tree: hand-off to frame, longest', unit: 'ms', value: Math.max(...delays) },
  ];
}

function figuresOf(plan: PanelPlan, closed: Span, { span, loop, page, updates, keptMemory }: Seen): PanelFigure[] {
  const script = updates.map(update => update.script);
  const elapsed = updates.map(update => update.elapsed);
  return [
    { name: 'changes', unit: 'per second', value: span.changesPerSecond },
    { name: 'updates of the page', unit: 'per second', value: updates.length / plan.seconds },
    limited({ name: 'page: longest task above 50 ms', unit: 'ms', value: Math.max(0, ...page.longTasks), target: 50 }),
    { name: 'page: tasks above 50 ms', unit: '', value: page.longTasks.length },
    { name: 'page: their sum', unit: 'ms', value: page.longTasks.reduce((sum, each) => sum + each, 0) },
    limited({ name: 'page: key to frame, p95', unit: 'ms', value: percentile(page.keys, 0.95), target: 100 }),
    { name: 'page: key to frame, longest', unit: 'ms', value: Math.max(...page.keys) },
    { name: 'page: script per update, median', unit: 'ms', value: median(script) },
    limited({ name: 'page: script per update, p95', unit: 'ms', value: percentile(script, 0.95), target: 16 }),
    { name: 'page: script per update, longest', unit: 'ms', value: Math.max(...script) },
    { name: 'page: the same by the clock, p95', unit: 'ms', value: percentile(elapsed, 0.95) },
    limited({ name: 'host: longest delay of its loop', unit: 'ms', value: loop.longest, target: 50 }),
    { name: 'host: the same, own processor time', unit: 'ms', value: loop.longestOwn },
    { name: 'host: delays above 50 ms', unit: '', value: loop.long },
    { name: 'host: their sum', unit: 'ms', value: loop.longSum },
    limited({ name: 'host: memory, most', unit: 'MB', value: span.hostMemory, target: 250 }),
    limited({ name: 'host: memory without garbage', unit: 'MB', value: keptMemory, target: 250 }),
    limited({ name: 'host: processor, panel open', unit: '% of a core', value: span.hostShare, target: 20 }),
    { name: 'host: processor, panel closed', unit: '% of a core', value: closed.hostShare },
  ];
}
