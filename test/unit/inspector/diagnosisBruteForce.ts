import type { Contender, LockQueue } from '../../../src/locks/lockQueue.ts';
import type { SeededRandom } from '../../support/seededRandom.ts';
import { turnsOf, type TurnRule } from '../../../src/locks/turn.ts';
import { entry } from '../locks/directory.ts';
import { curatorQueue, semaphoreQueue } from './diagnosisQueues.ts';

/** One lock of a random case: who wants it how, in the order in which they joined. */
export interface RandomLock {
  path: string;
  maxLeases: number | undefined;
  members: { owner: bigint; kind: Contender['kind'] }[];
}

/** Sessions 1 to `sessions` want some of the locks, in any order. */
export function randomLocks(random: SeededRandom, sessions: number, locks: number): RandomLock[] {
  return Array.from({ length: locks }, (_, at) => {
    const owners = Array.from({ length: sessions }, (__, index) => BigInt(index + 1)).filter(() => random.next() < 0.6);
    for (let index = owners.length - 1; index > 0; index--) swap(owners, index, random.below(index + 1));
    return lockOf(random, `/locks/l${at}`, owners);
  });
}

/** Chooses the recipe of a lock, and how each of its owners wants it. */
export function lockOf(random: SeededRandom, path: string, owners: readonly bigint[]): RandomLock {
  const recipe = random.pick(['exclusive', 'shared', 'lease'] as const);
  const maxLeases = recipe === 'lease' ? 1 + random.below(3) : undefined;
  const members = owners.map(owner => ({
    owner,
    kind: recipe === 'shared' ? random.pick(['read', 'write'] as const) : recipe,
  }));
  return { path, maxLeases, members };
}

/** The queues that the model reads from such locks. */
export function queuesOf(locks: readonly RandomLock[]): LockQueue[] {
  return locks
    .filter(({ members }) => members.length > 0)
    .map(({ path, maxLeases, members }) =>
      maxLeases === undefined
        ? curatorQueue(path, members)
        : semaphoreQueue(
            path,
            members.map(({ owner }) => owner),
            maxLeases,
          ),
    );
}

/**
 * The sessions that can never finish, by trying every order: whoever holds everything that it wants may finish and give it back
 * at any time. Knows nothing of graphs; asks only whose turn it is.
 */
export function neverFinishing(locks: readonly RandomLock[], sessions: number): Set<bigint> {
  const everybody = Array.from({ length: sessions }, (_, index) => BigInt(index + 1));
  const finished = new Set<bigint>();
  const seen = new Set<string>();
  const explore = (left: readonly bigint[]): void => {
    const key = left.join();
    if (seen.has(key)) return;
    seen.add(key);
    for (const session of left) {
      if (!locks.every(lock => holdsOrWantsNothing(lock, session, left))) continue;
      finished.add(session);
      explore(left.filter(other => other !== session));
    }
  };
  explore(everybody);
  return new Set(everybody.filter(session => !finished.has(session)));
}

function holdsOrWantsNothing(lock: RandomLock, session: bigint, left: readonly bigint[]): boolean {
  const members = lock.members.filter(({ owner }) => left.includes(owner));
  const queue = members.map(({ owner, kind }) => entry({ name: String(owner), kind }));
  const at = members.findIndex(({ owner }) => owner === session);
  return at === -1 || turnsOf(queue, ruleOf(lock))[at]!.holds;
}

function ruleOf({ maxLeases, members }: RandomLock): TurnRule {
  if (maxLeases !== undefined) return { type: 'semaphore', maxLeases, waiterWatches: 'nothing' };
  return members.some(({ kind }) => kind === 'read' || kind === 'write')
    ? { type: 'read-write', readerWatches: 'nothing' }
    : { type: 'mutex', waiterWatches: 'children' };
}

/** Sessions that reach themselves over waits for those who never finish: all edges, no short cuts. */
export function onCycles(locks: readonly RandomLock[], stuck: ReadonlySet<bigint>, sessions: number): Set<bigint> {
  const reach = Array.from({ length: sessions + 1 }, () => new Set<bigint>());
  for (const lock of locks) {
    const members = lock.members.filter(({ owner }) => stuck.has(owner));
    for (const [at, { owner, kind }] of members.entries()) {
      if (holdsOrWantsNothing(lock, owner, [...stuck])) continue;
      for (const before of members.slice(0, at)) {
        if (kind !== 'read' || before.kind !== 'read') reach[Number(owner)]!.add(before.owner);
      }
    }
  }
  close(reach);
  return new Set([...stuck].filter(session => reach[Number(session)]!.has(session)));
}

/** Warshall's closure. */
function close(reach: readonly Set<bigint>[]): void {
  for (const [middle, further] of reach.entries()) {
    for (const from of reach) if (from.has(BigInt(middle))) for (const to of further) from.add(to);
  }
}

function swap(values: bigint[], a: number, b: number): void {
  [values[a], values[b]] = [values[b]!, values[a]!];
}
