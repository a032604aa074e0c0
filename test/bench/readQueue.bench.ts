import { monotonicNow } from '../../src/base/deadline.ts';
import { readQueues } from '../../src/inspector/readQueues.ts';
import { watchQueues } from '../../src/inspector/watchQueues.ts';
import type { ZooKeeperClient } from '../../src/zookeeper/client.ts';
import { connect } from '../../src/zookeeper/connect.ts';
import { startKazooContenders } from '../support/kazooContenders.ts';
import { longQueue } from '../support/longQueue.ts';
import { startObserver, type Observer } from '../support/observer.ts';
import { startZooKeeper } from '../support/zookeeperServer.ts';

// npm run bench:read [contenders]: one long queue, read by kazoo's contenders() and by readQueues on the same server, and the
// time from a change to the listener of watchQueues.

const length = Number(process.argv[2] ?? 10_000);
const repeats = 15;
const changes = 300;

function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
}

function say(what: string, values: readonly number[]): void {
  const [p50, p99] = [percentile(values, 0.5), percentile(values, 0.99)];
  console.log(`${what}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (${values.length} times)`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = monotonicNow();
  await work();
  return monotonicNow() - start;
}

async function compareReading(client: ZooKeeperClient, connectString: string): Promise<void> {
  const kazoo = startKazooContenders(connectString);
  try {
    await kazoo.start({ contender: 'reader', recipe: 'lock', path: '/bench/other' });
    const theirs: number[] = [];
    for (let run = 0; run < 3; run += 1) {
      theirs.push((await kazoo.timeContenders('reader', '/bench/lock')).seconds * 1000);
    }
    const first = await timed(() => readQueues(client, '/bench/lock'));
    const ours: number[] = [];
    for (let run = 0; run < repeats; run += 1) ours.push(await timed(() => readQueues(client, '/bench/lock')));
    say(`kazoo contenders() of ${length}`, theirs);
    console.log(`readQueues, first time in this program: ${first.toFixed(1)} ms`);
    say('readQueues', ours);
    const [kazooMs, ourMs] = [percentile(theirs, 0.5), percentile(ours, 0.5)];
    console.log(`ratio: 1/${(kazooMs / ourMs).toFixed(0)} (first: 1/${(kazooMs / first).toFixed(0)})`);
  } finally {
    await kazoo.stop();
  }
}

/** From the request to create a contender, made by another client, to the listener. */
async function measureLatency(client: ZooKeeperClient, writer: ZooKeeperClient, path: string): Promise<void> {
  let heard: () => void = () => undefined;
  const watch = await watchQueues(client, path, () => heard());
  const times: number[] = [];
  const writes: number[] = [];
  for (let change = 0; change < changes; change += 1) {
    const told = new Promise<void>(resolve => (heard = resolve));
    const start = monotonicNow();
    void writer
      .create(`${path}/${'f'.repeat(32)}__lock__`, { mode: 'ephemeral_sequential' })
      .then(() => writes.push(monotonicNow() - start));
    await told;
    times.push(monotonicNow() - start);
  }
  watch.dispose();
  say(`the create itself, ${path}`, writes);
  say(`create -> listener of watchQueues, ${path}`, times);
}

/** Many small locks, all watched, changed as fast as asked: how much of a core it takes. */
async function measureLoad(client: ZooKeeperClient, observer: Observer, perSecond: number): Promise<void> {
  const locks = Array.from({ length: 1_000 }, (_, index) => `/bench/many/l${index}`);
  await observer.ensure('/bench/many');
  await observer.createMany(locks.map(path => ({ path })));
  let calls = 0;
  const watches = await Promise.all(locks.map(path => watchQueues(client, path, () => void (calls += 1))));
  calls = 0;
  const cpu = process.cpuUsage();
  const start = monotonicNow();
  let made = 0;
  while (monotonicNow() - start < 5_000) {
    const due = Math.floor(((monotonicNow() - start) / 1000) * perSecond);
    const plans = Array.from({ length: Math.max(0, due - made) }, (_, index) => ({
      path: `${locks[(made + index) % locks.length] ?? ''}/${'e'.repeat(32)}__lock__`,
      ephemeral: true,
      sequence: true,
    }));
    made += plans.length;
    if (plans.length > 0) await observer.createMany(plans);
    else await new Promise(resolve => setTimeout(resolve, 2));
  }
  const seconds = (monotonicNow() - start) / 1000;
  const used = process.cpuUsage(cpu);
  const core = (used.user + used.system) / 1e6 / seconds;
  console.log(`${made} changes in ${seconds.toFixed(1)} s over 1,000 watched locks: ${calls} calls`);
  console.log(`share of a core, test driver included: ${(core * 100).toFixed(1)} %`);
  for (const watch of watches) watch.dispose();
}

const ensemble = await startZooKeeper();
const observer = await startObserver(ensemble.connectString);
const client = await connect(ensemble.connectString);
const writer = await connect(ensemble.connectString);
try {
  await longQueue(observer, '/bench/lock', length);
  await observer.ensure('/bench/short');
  await compareReading(client, ensemble.connectString);
  await measureLatency(client, writer, '/bench/short');
  await measureLatency(client, writer, '/bench/lock');
  await measureLoad(client, observer, 500);
} finally {
  await Promise.all([client.close(), writer.close()]);
  await observer.stop();
  await ensemble.stop();
}
