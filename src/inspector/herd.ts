import { traitsOf } from '../locks/libraries/registry.ts';
import type { Contender, LockQueue } from '../locks/lockQueue.ts';
import type { WatchFacts } from './owners/readWatchers.ts';
import { isLoneNode, namedQueue } from './turnsWithout.ts';

/**
 * `node`: they watch the one node that leaves. `directory`: they watch the children of the queue, so every change wakes them.
 * `unseen`: who watches is not in the tree (a lock that is one node). `nobody`: they poll, or nobody waits.
 */
export type HerdCause = 'node' | 'directory' | 'unseen' | 'nobody';

/** Who will be woken by the next release. */
export interface Herd {
  /** The holder whose release wakes most; absent if nobody holds. */
  release?: Contender;
  cause: HerdCause;
  /** Contenders that are woken, by the dialect's rule. */
  woken: Contender[];
  /** Sessions behind them; `undefined` for `unseen`. */
  sessions: number | undefined;
  /** Sessions that the servers have registered on the node that leaves; `undefined` if they were not asked, or not all told. */
  registered: number | undefined;
}

/**
 * How many sessions the next release wakes, by the dialect's rule: a notification for each, and in recipes that watch a directory a
 * new listing by each. One is enough; more is a herd (docs/recipes.md).
 *
 * @param watches confirms it by what is registered on the servers: watches on the node only, those on directories are listed nowhere
 */
export function herdOf(queue: LockQueue, watches?: WatchFacts): Herd {
  const holders = queue.contenders.filter(({ role }) => role === 'holder');
  const [first] = holders;
  if (first === undefined) return { cause: 'nobody', woken: [], sessions: 0, registered: undefined };
  if (isLoneNode(queue))
    return { ...seen([]), release: first, cause: 'unseen', sessions: undefined, ...registeredOn(first, watches) };
  const byHolder = watchersByName(queue);
  const watching = (holder: Contender): Contender[] => byHolder.get(holder.name) ?? [];
  const release = holders.reduce((most, holder) => (watching(holder).length > watching(most).length ? holder : most));
  const directory = directoryWatchers(queue);
  const woken = [...watching(release), ...directory];
  const cause = woken.length === 0 ? 'nobody' : directory.length > 0 ? 'directory' : 'node';
  return { ...seen(woken), release, cause, ...registeredOn(release, watches) };
}

function seen(woken: Contender[]): { woken: Contender[]; sessions: number } {
  const owners = new Set(woken.map(({ ownerSession, path }) => (ownerSession === 0n ? path : ownerSession)));
  return { woken, sessions: owners.size };
}

function registeredOn(release: Contender, watches: WatchFacts | undefined): { registered: number | undefined } {
  if (watches?.isComplete !== true) return { registered: undefined };
  const sessions = new Set(watches.watchers.get(release.path));
  // Revocable and cautious owners watch their own node.
  sessions.delete(release.ownerSession);
  return { registered: sessions.size };
}

function watchersByName(queue: LockQueue): Map<string, Contender[]> {
  const watchers = new Map<string, Contender[]>();
  for (const contender of queue.contenders) {
    if (contender.role !== 'waiter' || contender.waitsFor === undefined) continue;
    const known = watchers.get(contender.waitsFor);
    if (known === undefined) watchers.set(contender.waitsFor, [contender]);
    else known.push(contender);
  }
  return watchers;
}

/** Waiters that name no node watch the directory, unless their rule says that they poll. */
function directoryWatchers(queue: LockQueue): Contender[] {
  const without = queue.contenders.filter(({ role, waitsFor }) => role === 'waiter' && waitsFor === undefined);
  if (without.length === 0) return without;
  if (traitsOf(queue.dialect).spansDirectories === true) return without;
  return watchesDirectory(namedQueue(queue, queue.contenders)?.rule) ? without : [];
}

type Rule = NonNullable<ReturnType<typeof namedQueue>>['rule'];

function watchesDirectory(rule: Rule | undefined): boolean {
  switch (rule?.type) {
    case 'mutex':
      return rule.waiterWatches === 'children';
    case 'semaphore':
      return rule.waiterWatches === 'predecessor-or-children';
    case 'marked':
      return true;
    case 'read-write':
    case 'everyone':
    case undefined:
      return false;
  }
}
