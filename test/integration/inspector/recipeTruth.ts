import { expect } from 'vitest';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import { watchQueues } from '../../../src/inspector/watchQueues.ts';
import type { DialectId, Hazard, LockQueue } from '../../../src/locks/lockQueue.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import type { Contenders } from '../../support/contenders.ts';
import { eventually } from '../../support/eventually.ts';
import type { Observer } from '../../support/observer.ts';

/** Contenders join in the order given, then those named in `releases` give the lock back one after the other. */
export interface Scenario<Recipe extends string> {
  title: string;
  dialect: DialectId;
  join: (readonly [name: string, recipe: Recipe])[];
  maxLeases?: number;
  /** Who holds once all have joined, and then after each release. */
  holders: string[][];
  releases: string[];
  /** The lock is never shared: checked on every snapshot. */
  exclusive?: boolean;
  /** Hazards that the picture may show, since names do not carry everything. */
  doubts?: Hazard['kind'][];
}

/** What a comparison needs of its test. */
export interface Truth<Recipe extends string> {
  contenders: Contenders<Recipe>;
  client: ZooKeeperClient;
  observer: Observer;
  /** Of the test, as the contenders' program must write it. */
  chroot: string;
}

const lockPath = '/lock';

/**
 * Plays a scenario with real contenders and compares, after each step, what their library says with what the inspector
 * reads and what it sends by itself.
 */
export async function compareWithTruth<Recipe extends string>(
  truth: Truth<Recipe>,
  scenario: Scenario<Recipe>,
): Promise<void> {
  const { contenders, client } = truth;
  const names = new Map<bigint, string>();
  const snapshots: LockQueue[][] = [];
  const watch = await watchQueues(client, lockPath, queues => void snapshots.push(queues));
  try {
    for (const [name, recipe] of scenario.join) {
      const limit = scenario.maxLeases === undefined ? {} : { maxLeases: scenario.maxLeases };
      const path = truth.chroot + lockPath;
      names.set(await contenders.start({ contender: name, recipe, path, identifier: `host-${name}`, ...limit }), name);
      await contenders.begin(name);
      await hasJoined(truth, name);
      // One that still looks for its turn would also wait for who comes after it.
      if (scenario.holders[0]!.includes(name)) await contenders.holds(name);
    }
    await compare(truth, scenario, snapshots, names, 0);
    for (const [index, name] of scenario.releases.entries()) {
      await contenders.release(name);
      await compare(truth, scenario, snapshots, names, index + 1);
    }
    if (scenario.exclusive === true) {
      for (const [queue] of snapshots) expect(holderNames(queue, names).length).toBeLessThan(2);
    }
  } finally {
    watch.dispose();
    for (const [name] of scenario.join) await contenders.end(name).catch(() => undefined);
  }
}

/** Its node is somewhere in the directories that a layout may use. */
async function hasJoined<Recipe extends string>(truth: Truth<Recipe>, name: string): Promise<void> {
  const session = truth.contenders.sessionId(name);
  const places = [lockPath, `${lockPath}/locks`, `${lockPath}/leases`, `${lockPath}-__lock__`];
  await eventually(async () => {
    const nodes = await Promise.all(places.map(path => truth.observer.ls(path).catch(() => [])));
    expect(nodes.flat().map(node => node.ephemeralOwner)).toContain(session);
  });
}

async function compare<Recipe extends string>(
  truth: Truth<Recipe>,
  scenario: Scenario<Recipe>,
  snapshots: readonly LockQueue[][],
  names: ReadonlyMap<bigint, string>,
  step: number,
): Promise<void> {
  const expected = [...scenario.holders[step]!].sort();
  const released = scenario.releases.slice(0, step);
  const waiting = scenario.join
    .map(([name]) => name)
    .filter(name => !released.includes(name) && !expected.includes(name));
  await eventually(async () => expect(await truth.contenders.holders()).toEqual(expected));
  // The library knows a moment before its last clean-up (a semaphore's inner lock) is done.
  await eventually(async () => {
    const queues = await readQueues(truth.client, lockPath);
    checkPicture(queues, scenario, names, expected, waiting.sort());
  });
  await eventually(() => checkPicture(snapshots.at(-1) ?? [], scenario, names, expected, waiting.sort()));
}

function checkPicture(
  queues: readonly LockQueue[],
  { dialect, doubts = ['limit-unknown'] }: Pick<Scenario<string>, 'dialect' | 'doubts'>,
  names: ReadonlyMap<bigint, string>,
  holders: string[],
  waiters: string[],
): void {
  const queue = queues[0];
  expect(queues.length).toBeLessThan(2);
  expect({ holders: holderNames(queue, names), waiters: waiterNames(queue, names) }).toEqual({ holders, waiters });
  if (holders.length + waiters.length === 0) return;
  expect(queue).toMatchObject({ path: lockPath, dialect });
  expect(queue?.hazards.filter(({ kind }) => !doubts.includes(kind))).toEqual([]);
  const all = queue?.contenders.map(contender => contender.name) ?? [];
  for (const { waitsFor } of queue?.contenders ?? []) if (waitsFor !== undefined) expect(all).toContain(waitsFor);
}

/** Contenders with a node that holds, each once, sorted. */
export function holderNames(queue: LockQueue | undefined, names: ReadonlyMap<bigint, string>): string[] {
  return distinct(queue, names, 'holder');
}

/** Contenders with nodes that all wait. */
function waiterNames(queue: LockQueue | undefined, names: ReadonlyMap<bigint, string>): string[] {
  const holding = distinct(queue, names, 'holder');
  return distinct(queue, names, 'waiter').filter(name => !holding.includes(name));
}

function distinct(
  queue: LockQueue | undefined,
  names: ReadonlyMap<bigint, string>,
  role: 'holder' | 'waiter',
): string[] {
  const found = queue?.contenders
    .filter(contender => contender.role === role)
    .map(({ ownerSession }) => names.get(ownerSession) ?? `session ${ownerSession.toString(16)}`);
  return [...new Set(found)].sort();
}
