import { LockPanelPage } from '../../workbench/support/lockPanelPage.ts';
import { openWorkbench, type Workbench } from '../../workbench/support/workbench.ts';
import { startBench, type Bench } from '../bench.ts';
import { describeMachine, type Machine } from '../machine.ts';
import { median, percentile } from '../statistics.ts';
import { QueueChanges } from './changes.ts';
import { findExtensionHost, processorSeconds } from './extensionHost.ts';
import { traceCategories, updateTimes, type UpdateTime } from './updateTimes.ts';

export interface PanelPlan {
  waiters: number;
  changesPerSecond: number;
  /** How long each part is measured. */
  seconds: number;
}

export interface PanelFigure {
  name: string;
  unit: string;
  value: number;
  /** Must stay below. */
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
}

/**
 * Starts a server with a long queue that keeps changing and a real VS Code with the built extension, and measures what its
 * panel costs: the script of each update, in the browser, and the processor time of the extension host.
 */
export async function measurePanel(plan: PanelPlan, say: (text: string) => void): Promise<PanelReport> {
  const bench = await startBench({ quick: false, long: false, say });
  let workbench: Workbench | undefined;
  try {
    const machine = await describeMachine(bench.port);
    say(`Making a queue of ${plan.waiters} ...`);
    const path = await bench.fixtures.queue(plan.waiters);
    workbench = await openClusters(bench.ensemble.connectString);
    const tree = workbench.tree('Clusters');
    await tree.expand('Bench');
    await tree.waitForRow(path, 60_000);
    const changes = new QueueChanges(bench.client, path, plan.changesPerSecond, await headsOf(bench, path));
    const host = findExtensionHost();
    say('Measuring without the panel ...');
    const closed = await during(changes, host, plan.seconds);
    const panel = new LockPanelPage(workbench.page);
    await tree.chooseFromMenu(path, 'Show Queue', () => panel.see('live'));
    const browser = workbench.page.context().browser();
    if (browser === null) throw new Error('The page has no browser.');
    // What is compiled on the first calls is not what an update costs.
    await during(changes, host, plan.seconds / 4);
    say('Measuring with the panel ...');
    await browser.startTracing(workbench.page, { categories: traceCategories });
    const open = await during(changes, host, plan.seconds);
    const updates = updateTimes((await browser.stopTracing()).toString('utf8'));
    if (updates.length === 0) throw new Error('The page was not updated.');
    await workbench.screenshot('panel-10000');
    return { machine, plan, figures: figuresOf(plan, closed, open, updates) };
  } finally {
    await workbench?.close();
    await bench.close();
  }
}

async function openClusters(connectString: string): Promise<Workbench> {
  const cluster = { id: 'bench', name: 'Bench', connectString, environment: 'development' };
  const workbench = await openWorkbench({
    settings: { 'zookeeperLocks.clusters': [{ ...cluster, lockRoots: ['/bench/queues'] }] },
  });
  await workbench.openContainer('ZooKeeper Locks');
  return workbench;
}

/** Names of the queue from its head on. */
async function headsOf({ client }: Bench, path: string): Promise<string[]> {
  const { children } = await client.getChildren(path);
  return children.sort((a, b) => a.slice(-10).localeCompare(b.slice(-10)));
}

async function during(changes: QueueChanges, host: number, seconds: number): Promise<Span> {
  const before = processorSeconds(host);
  const start = performance.now();
  changes.start();
  await new Promise(resolve => setTimeout(resolve, seconds * 1000));
  const changesPerSecond = changes.stop();
  const passed = (performance.now() - start) / 1000;
  return { changesPerSecond, hostShare: (100 * (processorSeconds(host) - before)) / passed };
}

function figuresOf(plan: PanelPlan, closed: Span, open: Span, updates: readonly UpdateTime[]): PanelFigure[] {
  const script = updates.map(update => update.script);
  const elapsed = updates.map(update => update.elapsed);
  const limited = (figure: PanelFigure & { target: number }): PanelFigure => ({
    ...figure,
    isMet: figure.value < figure.target,
  });
  return [
    { name: 'changes', unit: 'per second', value: open.changesPerSecond },
    { name: 'updates of the page', unit: 'per second', value: updates.length / plan.seconds },
    { name: 'script per update, median', unit: 'ms', value: median(script) },
    limited({ name: 'script per update, p95', unit: 'ms', value: percentile(script, 0.95), target: 16 }),
    { name: 'script per update, longest', unit: 'ms', value: Math.max(...script) },
    { name: 'the same by the clock, p95', unit: 'ms', value: percentile(elapsed, 0.95) },
    limited({ name: 'extension host, panel open', unit: '% of a core', value: open.hostShare, target: 20 }),
    { name: 'extension host, panel closed', unit: '% of a core', value: closed.hostShare },
  ];
}
