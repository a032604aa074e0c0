import type { Contender } from './lockQueue.ts';

/**
 * Whose turn it is: the one rule that the tree shows and the recipes obey. Pure and synchronous: names in, answer out.
 *
 * The algorithms are those of the libraries (docs/dialects.md, sections 1-4); the split of question and loop follows
 * Curator's lock driver. Only what stands *before* a contender can block it, so a waiter may keep its first listing and
 * walk it, with these exceptions, where a newcomer can be sorted in front of a waiter and the directory must be listed
 * again: Curator (a downgraded read lock takes its writer's number since 5.5, and names of others count), Solr
 * (`joinAtHead`), and every dialect once the parent's counter has passed 2147483647.
 */

/** The least that must be known of a contender: what its name says. A recipe that never reads a stat can fill this in. */
export interface TurnContender {
  name: string;
  /** A node that blocks writers only (a foreign child in a Curator queue) counts as `read`. */
  kind: Contender['kind'];
  sequence?: number;
  /** Contenders of different groups (named locks in one directory) do not see each other. */
  group?: string;
  /** Needed by rules with `downgrade`; 0n and absent match nobody. */
  ownerSession?: bigint;
  /** Needed by `first-of-predecessors-client`: the part of the name that stays the same for one client. */
  client?: string;
  /** Needed by the rule `marked`: the node's data says that it holds. */
  marked?: boolean;
  /** Waits like its kind but is never waited for (Hive's SEMI_SHARED). */
  blocksNobody?: boolean;
}

/** `children`: it watches the whole directory. `nobody`: it polls or gives up. Both name no node to wait for. */
type Watched = 'predecessor' | 'children' | 'nobody';

export interface MutexRule {
  type: 'mutex';
  /** `head`: every waiter watches the holder (a herd). `first-of-predecessors-client`: Accumulo. */
  waiterWatches: Watched | 'head' | 'first-of-predecessors-client';
  /** True when being first is not enough yet: an election whose winner has not confirmed. */
  headUnconfirmed?: boolean;
}

export interface ReadWriteRule {
  type: 'read-write';
  readerWatches: 'nearest-writer' | 'first-writer' | 'children' | 'nobody';
  writerWatches: Watched;
  /** A reader with the number of its own session's write lock holds (Curator from 5.5 on). */
  downgrade?: boolean;
  /** The kinds that a reader waits for; default: everything that is no read. */
  readersWaitFor?: readonly Contender['kind'][];
}

export interface SemaphoreRule {
  type: 'semaphore';
  maxLeases: number;
  /** `max-leases-ahead`: Curator's deprecated semaphore. `predecessor-or-children`: the first waiter watches the directory. */
  waiterWatches: 'max-leases-ahead' | 'predecessor-or-children' | Watched;
}

/** Nodes whose data says who holds (DistributedLock.NET's semaphore): the limit is nowhere stored. */
export interface MarkedRule {
  type: 'marked';
}

/** Whoever is listed holds: leases that are created only when one is free. */
export interface EveryoneRule {
  type: 'everyone';
}

export type TurnRule = MutexRule | ReadWriteRule | SemaphoreRule | MarkedRule | EveryoneRule;

/** `waitsFor`: the name of the node to watch; absent when no single node is watched. */
export type Turn = { holds: true } | { holds: false; waitsFor?: string };

/** Takes contenders in grant order, one after the other, and says for each whether it holds. */
type Walk = (contender: TurnContender) => Turn;

const HOLDS: Turn = { holds: true };

/**
 * Answers for a whole queue in one pass.
 *
 * @param queue in grant order (the dialect's own comparison)
 * @returns one answer per contender, in the same order
 */
export function turnsOf(queue: readonly TurnContender[], rule: TurnRule): Turn[] {
  const walk = startTurns(rule);
  return queue.map(contender => walk(contender));
}

/**
 * Answers for one contender.
 *
 * @param queue in grant order (the dialect's own comparison)
 * @returns undefined when the queue has no contender of that name: it was removed
 */
export function turnOf(queue: readonly TurnContender[], name: string, rule: TurnRule): Turn | undefined {
  const walk = startTurns(rule);
  for (const contender of queue) {
    const turn = walk(contender);
    if (contender.name === name) return turn;
  }
  return undefined;
}

/**
 * Answers for a queue whose contenders come one after the other.
 *
 * @returns to be called with each contender in grant order (the dialect's own comparison)
 */
export function startTurns(rule: TurnRule): (contender: TurnContender) => Turn {
  const walks = new Map<string | undefined, Walk>();
  return contender => {
    let walk = walks.get(contender.group);
    if (walk === undefined) {
      walk = startWalk(rule);
      walks.set(contender.group, walk);
    }
    return walk(contender);
  };
}

function startWalk(rule: TurnRule): Walk {
  switch (rule.type) {
    case 'mutex':
      return mutexWalk(rule);
    case 'read-write':
      return readWriteWalk(rule);
    case 'semaphore':
      return semaphoreWalk(rule);
    case 'marked':
      return markedWalk();
    case 'everyone':
      return () => HOLDS;
  }
}

function waits(waitsFor: string | undefined): Turn {
  return waitsFor === undefined ? { holds: false } : { holds: false, waitsFor };
}

function mutexWalk(rule: MutexRule): Walk {
  let head: string | undefined;
  let predecessor: TurnContender | undefined;
  const firstOfClient = new Map<string, string>();
  const watched = (before: TurnContender): string | undefined => {
    switch (rule.waiterWatches) {
      case 'predecessor':
        return before.name;
      case 'head':
        return head;
      case 'first-of-predecessors-client':
        return before.client === undefined ? before.name : firstOfClient.get(before.client);
      case 'children':
      case 'nobody':
        return undefined;
    }
  };
  return contender => {
    const before = predecessor;
    predecessor = contender;
    head ??= contender.name;
    if (contender.client !== undefined && !firstOfClient.has(contender.client)) {
      firstOfClient.set(contender.client, contender.name);
    }
    if (before !== undefined) return waits(watched(before));
    return rule.headUnconfirmed === true ? waits(undefined) : HOLDS;
  };
}

function readWriteWalk(rule: ReadWriteRule): Walk {
  let head: TurnContender | undefined;
  let predecessor: TurnContender | undefined;
  let firstWriter: string | undefined;
  let nearestWriter: string | undefined;
  const blocksReaders = (kind: Contender['kind']) => rule.readersWaitFor?.includes(kind) ?? kind !== 'read';
  const read = (reader: TurnContender): Turn => {
    if (firstWriter === undefined) return HOLDS;
    if (rule.downgrade === true && isDowngrade(reader, head)) return HOLDS;
    if (rule.readerWatches === 'nearest-writer') return waits(nearestWriter);
    return waits(rule.readerWatches === 'first-writer' ? firstWriter : undefined);
  };
  const write = (): Turn => {
    if (predecessor === undefined) return HOLDS;
    return waits(rule.writerWatches === 'predecessor' ? predecessor.name : undefined);
  };
  return contender => {
    const turn = contender.kind === 'read' ? read(contender) : write();
    if (contender.blocksNobody === true) return turn;
    if (blocksReaders(contender.kind)) {
      firstWriter ??= contender.name;
      nearestWriter = contender.name;
    }
    head ??= contender;
    predecessor = contender;
    return turn;
  };
}

/**
 * Up to Curator 5.4 a downgraded reader had a number of its own, as have other threads of the same program, which wait: it is shown
 * as waiting, too (docs/dialects.md, section 1).
 */
function isDowngrade(reader: TurnContender, head: TurnContender | undefined): boolean {
  const { ownerSession = 0n, sequence } = reader;
  if (ownerSession === 0n || sequence === undefined) return false;
  return head?.kind === 'write' && head.ownerSession === ownerSession && head.sequence === sequence;
}

function semaphoreWalk(rule: SemaphoreRule): Walk {
  const names: string[] = [];
  const watched = (index: number): string | undefined => {
    if (rule.waiterWatches === 'max-leases-ahead') return names[index - rule.maxLeases];
    const watchesPredecessor =
      rule.waiterWatches === 'predecessor' ||
      (rule.waiterWatches === 'predecessor-or-children' && index > rule.maxLeases);
    return watchesPredecessor ? names[index - 1] : undefined;
  };
  return contender => {
    const index = names.push(contender.name) - 1;
    return index < rule.maxLeases ? HOLDS : waits(watched(index));
  };
}

function markedWalk(): Walk {
  let predecessor: TurnContender | undefined;
  return contender => {
    const before = predecessor;
    predecessor = contender;
    if (contender.marked === true) return HOLDS;
    // The first waiter watches the directory, the deeper ones their predecessor, which waits too.
    return waits(before?.marked === false ? before.name : undefined);
  };
}
