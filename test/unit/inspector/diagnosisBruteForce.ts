import type { LockQueue } from '../../../src/locks/lockQueue.ts';
import type { SeededRandom } from '../../support/seededRandom.ts';
import { turnsOf, type TurnRule } from '../../../src/locks/turn.ts';
import { entry } from '../locks/directory.ts';
import { curatorQueue, semaphoreQueue, type Member } from './diagnosisQueues.ts';

/** One lock of a random case: who wants it how, in the order in which they joined. */
export interface RandomLock {
  path: string;
  maxLeases: number | undefined;
  members: Required<Member>[];
}

/** Sessions 1 to `sessions` want some of the locks, and joined them in any order. */
export function randomLocks(random: SeededRandom, sessions: number, locks: number): RandomLock[] {
  const built = Array.from({ length: locks }, (_, at) => {
    const owners = Array.from({ length: sessions }, (__, index) => BigInt(index + 1)).filter(() => random.next() < 0.6);
    return lockOf(random, `/locks/l${at}`, owners);
  });
  const joins = built.flatMap(({ members }) => members);
  for (let index = joins.length - 1; index > 0; index--) swap(joins, index, random.below(index + 1));
  for (const [at, join] of joins.entries()) join.czxid = BigInt(at + 1);
  for (const { members } of built) members.sort((one, other) => Number(one.czxid - other.czxid));
  return built;
}

/** Chooses the recipe of a lock, and how each of its owners wants it; they joined it one after the other. */
export function lockOf(random: SeededRandom, path: string, owners: readonly bigint[], from = 1): RandomLock {
  const recipe = random.pick(['exclusive', 'shared', 'lease'] as const);
  const maxLeases = recipe === 'lease' ? 1 + random.below(3) : undefined;
  const members = owners.map((owner, at) => ({
    owner,
    kind: recipe === 'shared' ? random.pick(['read', 'write'] as const) : recipe,
    czxid: BigInt(from + at),
  }));
  return { path, maxLeases, members };
}

/** The queues that the model reads from such locks. */
export function queuesOf(locks: readonly RandomLock[]): LockQueue[] {
  return locks
    .filter(({ members }) => members.length > 0)
    .map(({ path, maxLeases, members }) => {
      if (maxLeases === undefined) return curatorQueue(path, members);
      const owners = members.map(({ owner }) => owner);
      const czxids = members.map(({ czxid }) => czxid);
      return semaphoreQueue(path, owners, maxLeases, czxids);
    });
}

/** A wait that never ends: who waits, in which lock. */
export interface Wait {
  lock: RandomLock;
  member: RandomLock['members'][number];
}

/**
 * The waits that never end, by trying: whoever gets a lock gives it back, and whoever held one from the beginning gives it back
 * once its session has got all that it queued for later, at the same time or by and by. Knows nothing of graphs; asks only whose turn it is.
 */
export function neverEnding(locks: readonly RandomLock[]): Wait[] {
  const all = locks.flatMap(lock => lock.members.map(member => ({ lock, member })));
  const waits = new Set(all.filter(({ lock, member }) => !holds(lock, member, lock.members)));
  const left = new Set(all);
  const isThere = (lock: RandomLock) => lock.members.filter(each => [...left].some(({ member }) => member === each));
  const waitsLater = ({ member: { owner, czxid } }: Wait): boolean =>
    [...left].some(each => waits.has(each) && each.member.owner === owner && each.member.czxid > czxid);
  for (let before = -1; before !== left.size;) {
    before = left.size;
    for (const each of [...left]) {
      if (!holds(each.lock, each.member, isThere(each.lock))) continue;
      if (waits.has(each) || !waitsLater(each)) left.delete(each);
    }
  }
  return [...left].filter(each => waits.has(each));
}

function holds(lock: RandomLock, member: Wait['member'], members: readonly Wait['member'][]): boolean {
  const queue = members.map(({ czxid, kind }) => entry({ name: String(czxid), kind }));
  return turnsOf(queue, ruleOf(lock))[members.indexOf(member)]!.holds;
}

function ruleOf({ maxLeases, members }: RandomLock): TurnRule {
  if (maxLeases !== undefined) return { type: 'semaphore', maxLeases, waiterWatches: 'nothing' };
  return members.some(({ kind }) => kind === 'read' || kind === 'write')
    ? { type: 'read-write', readerWatches: 'nothing' }
    : { type: 'mutex', waiterWatches: 'children' };
}

/** Those of the waits without end that reach themselves: all edges, no short cuts. */
export function onCycles(stuck: readonly Wait[]): Wait[] {
  const blockers = ({ lock, member }: Wait): Wait['member'][] => {
    const before = lock.members.slice(0, lock.members.indexOf(member));
    return before.filter(({ kind }) => member.kind !== 'read' || kind !== 'read');
  };
  const isWait = (member: Wait['member']): boolean => stuck.some(each => each.member === member);
  const reach = stuck.map(
    wait =>
      new Set(
        blockers(wait).flatMap(blocker =>
          [...stuck.keys()].filter(at => {
            const { member } = stuck[at]!;
            if (isWait(blocker)) return member === blocker;
            return isHolder(wait.lock, blocker) && member.owner === blocker.owner && member.czxid > blocker.czxid;
          }),
        ),
      ),
  );
  close(reach);
  return stuck.filter((_, at) => reach[at]!.has(at));
}

function isHolder(lock: RandomLock, member: Wait['member']): boolean {
  return holds(lock, member, lock.members);
}

/** Warshall's closure. */
function close(reach: readonly Set<number>[]): void {
  for (const [middle, further] of reach.entries()) {
    for (const from of reach) if (from.has(middle)) for (const to of further) from.add(to);
  }
}

function swap(values: unknown[], a: number, b: number): void {
  [values[a], values[b]] = [values[b]!, values[a]!];
}
