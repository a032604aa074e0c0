import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../../scripts/zookeeper/temporaryFolder.ts';
import { JsonLines } from '../../support/jsonLines.ts';
import type { Bench } from '../bench.ts';
import { Collector } from '../collector.ts';
import { HandOvers } from '../handOvers.ts';
import { ours, type Row } from '../row.ts';

interface Usage {
  entries: number;
  requestsPerMinute: number;
  onDisk: number;
  /** Of the event loop, and processor time of the thread meanwhile, at most since the look before, ms. */
  blockMs: number;
  ownMs: number;
  /** Heap and buffers after a collection, bytes. */
  used: number;
  rss: number;
  /** Processor time while the share of a core was measured since the look before, and for how long that was. */
  cpuMs: number;
  ms: number;
}

const contendersEach = 10;
/** Of files, so that the oldest are removed while it measures. */
const megabytes = 20;
const bareWatch = 'a bare watch';
/** Before anything is measured, so that the history in memory is as long as it gets. */
const warmUp = { perSecond: 3_000, ms: 15_000 };

function startRecorder(bench: Bench, root: string, folder: string): JsonLines {
  const script = fileURLToPath(new URL('../programs/recording.ts', import.meta.url));
  const args = [bench.ensemble.connectString, root, join(folder, 'journal'), String(megabytes), '600'];
  return new JsonLines('recording', process.execPath, ['--expose-gc', script, ...args]);
}

/** What the watch alone costs: the same session in a program that drops its events. @returns % of a core */
async function measureBareWatch(bench: Bench, root: string, changes: HandOvers, perSecond: number): Promise<number> {
  const script = fileURLToPath(new URL('../programs/treeWatch.ts', import.meta.url));
  const watch = new JsonLines('bare watch', process.execPath, [script, bench.ensemble.connectString, root]);
  try {
    const usage = async () => (await watch.request('usage')) as { cpuMs: number; nowMs: number };
    await changes.run(perSecond, 2_000);
    const start = await usage();
    await changes.run(perSecond, 4_000);
    const end = await usage();
    return ((end.cpuMs - start.cpuMs) / (end.nowMs - start.nowMs)) * 100;
  } finally {
    await watch.close();
  }
}

interface Measured {
  made: number;
  seconds: number;
  /** At the start, in the middle and at the end. */
  usages: readonly [Usage, Usage, Usage];
}

/** Of a turn for one measure and one for the other, ms. */
const turnMs = 60_000;

/** Contenders come and go. What measures blocks takes a part of a core itself, so both are measured in turns. @returns changes made */
async function runMeasured(recorder: JsonLines, changes: HandOvers, perSecond: number, ms: number): Promise<number> {
  const turns = Math.ceil(ms / turnMs);
  let made = 0;
  for (let turn = 0; turn < turns; turn++) {
    for (const what of ['share', 'blocks']) {
      await recorder.request('measure', { what });
      made += await changes.run(perSecond, ms / turns / 2);
    }
  }
  return made;
}

/** @param ms how long contenders come and go */
async function measureRate(recorder: JsonLines, changes: HandOvers, perSecond: number, ms: number): Promise<Measured> {
  const usage = async (): Promise<Usage> => (await recorder.request('usage')) as Usage;
  const start = await usage();
  const begun = performance.now();
  const first = await runMeasured(recorder, changes, perSecond, ms / 2);
  const middle = await usage();
  const second = await runMeasured(recorder, changes, perSecond, ms / 2);
  const seconds = (performance.now() - begun) / 1000;
  const end = await usage();
  return { made: first + second, seconds, usages: [start, middle, end] };
}

function collect(collector: Collector, size: number, { made, seconds, usages }: Measured): void {
  const [start, middle, end] = usages;
  const add = (measure: string, unit: 'MB' | 'ms' | '%' | 's' | 'count', value: number): void =>
    collector.add(ours, { measure, unit, size }, value);
  add('measured for', 's', seconds);
  add('changes made per second', 'count', made / seconds);
  // Behind a reconnect what happened meanwhile is missing.
  add('of them recorded', '%', Math.min(1, (end.entries - start.entries) / made) * 100);
  add('share of a core', '%', ((middle.cpuMs + end.cpuMs) / (middle.ms + end.ms)) * 100);
  add('longest block', 'ms', Math.max(middle.blockMs, end.blockMs));
  add('the same, own processor time', 'ms', Math.max(middle.ownMs, end.ownMs));
  add('on disk', 'MB', end.onDisk / 1e6);
  add('memory in use at the start', 'MB', start.used / 1e6);
  add('in the middle', 'MB', middle.used / 1e6);
  add('at the end', 'MB', end.used / 1e6);
  add('grown from the middle to the end', 'MB', (end.used - middle.used) / 1e6);
  add('resident set at the end', 'MB', end.rss / 1e6);
  add('requests per minute', 'count', end.requestsPerMinute);
}

export const recordingRow: Row = {
  id: 'recording',
  title: 'record 1,000 locks with 10 contenders each while they are handed over',
  sizeOf: 'changes per second',
  sizes: [50, 500, 2_500],
  main: 500,
  quick: 20,
  targets: [
    { measure: 'share of a core', kind: 'below', limit: 10 },
    { measure: 'longest block', kind: 'below', limit: 50 },
    { measure: 'grown from the middle to the end', kind: 'below', limit: 5 },
    { measure: 'on disk', kind: 'below', limit: megabytes },
  ],
  async measure(bench) {
    const { quick, long } = bench.options;
    const locks = quick ? 5 : 1_000;
    const root = await bench.fixtures.locks(locks, 0);
    const folder = await temporaryFolder('recording-');
    const collector = new Collector();
    const recorder = startRecorder(bench, root, folder);
    const changes = new HandOvers(bench, root, locks);
    try {
      await changes.fill(quick ? 3 : contendersEach);
      await recorder.request('record');
      if (!quick) await changes.run(warmUp.perSecond, warmUp.ms);
      for (const size of bench.sizes(this)) {
        const ms = quick ? 1_000 : size !== this.main ? 2_000 : long ? 600_000 : 10_000;
        collect(collector, size, await measureRate(recorder, changes, size, ms));
      }
      await recorder.close();
      if (!quick) {
        const share = await measureBareWatch(bench, root, changes, this.main);
        collector.add(bareWatch, { measure: 'share of a core', unit: '%', size: this.main }, share);
      }
    } finally {
      await changes.end();
      await recorder.close();
      await rm(folder, { recursive: true, force: true });
    }
    return collector.figures;
  },
};
