import type { Contender } from './lockQueue.ts';
import type { Entry } from './order.ts';

// Whose turn it is: the one rule that the tree shows and the recipes obey. The algorithms are those of the libraries
// (docs/dialects.md, sections 1-4); the split of question and loop follows Curator's lock driver.
//
// Only what stands *before* a contender can block it, so a waiter may keep its first listing and walk it, with these exceptions,
// where a newcomer can be sorted in front of a waiter and the directory must be listed again: Curator (a downgraded read lock
// takes its writer's number since 5.5, and names of others count), Solr (`joinAtHead`), and every dialect once the parent's
// counter has passed 2147483647.

/** Numbers repeat at the end of the counter. Some libraries wait for lower ones only: those that share a number do not see each other. */
interface NumberRule {
  equalNumbers?: 'not-waited-for';
}

interface MutexRule extends NumberRule {
  type: 'mutex';
  /** `children`: the whole directory. `first-of-predecessors-client`: the first node of the client in front (Accumulo). */
  waiterWatches: 'predecessor' | 'children' | 'first-of-predecessors-client';
  /** True when being first is not enough yet: an election whose winner has not confirmed. */
  headUnconfirmed?: boolean;
}

interface ReadWriteRule extends NumberRule {
  type: 'read-write';
  /** A writer watches its predecessor. `nothing`: readers and writers poll or give up. */
  readerWatches: 'nearest-writer' | 'first-writer' | 'nothing';
  /** A reader with the number of its own session's write lock holds (Curator from 5.5 on). */
  downgrade?: boolean;
  /** The kinds that a reader waits for; default: everything that is no read. */
  readersWaitFor?: readonly Contender['kind'][];
}

interface SemaphoreRule {
  type: 'semaphore';
  maxLeases: number;
  /** `predecessor-or-children`: the first waiter watches the directory. `nothing`: no single node. */
  waiterWatches: 'predecessor-or-children' | 'nothing';
}

/** Libraries in one queue that do not see the same nodes, or do not go by the same rule. */
interface MixedRule {
  type: 'mixed';
  sides: readonly Side[];
}

/** One of them: what it sees of the queue, its own contenders included, and how it goes by that. */
export interface Side {
  rule: TurnRule;
  isOwn: (entry: Entry) => boolean;
  sees: (entry: Entry) => boolean;
  /** It may see nothing but its own contenders: one that would hold then, may hold. */
  mayMissOthers?: true;
}

/**
 * `marked`: the nodes' data marks the holders (DistributedLock.NET's semaphore, whose limit is stored nowhere). `everyone`: every listed
 * node holds: leases that are created only when one is free.
 */
export type TurnRule = MutexRule | ReadWriteRule | SemaphoreRule | MixedRule | MarkedRule | { type: 'everyone' };

interface MarkedRule {
  type: 'marked';
  /** `children`: every waiter watches the directory. Default: the first waiter does, the others watch their predecessor. */
  waiterWatches?: 'children';
}

/**
 * `waitsFor`: the name of the node to watch; absent when no single node is watched. `mayHold`: it may hold all the same, which
 * names cannot show.
 */
export type Turn = { holds: true } | { holds: false; waitsFor?: string | undefined; mayHold?: true };

/** Goes through a queue in grant order. `turn` answers whether an entry holds behind those passed so far; `pass` goes on to the next. */
interface Walk {
  turn: (entry: Entry) => Turn;
  pass: (entry: Entry) => void;
}

const HOLDS: Turn = { holds: true };

/**
 * Answers for a whole queue in one pass.
 *
 * @param queue in grant order (the dialect's own comparison)
 * @returns one answer per entry, in the same order
 */
export function turnsOf(queue: readonly Entry[], rule: TurnRule): Turn[] {
  const turnIn = startTurns(rule);
  return queue.map(entry => ({ ...turnIn(entry) }));
}

/**
 * Answers for one entry.
 *
 * @param queue in grant order (the dialect's own comparison)
 * @returns undefined when the queue has no entry of that name: it was removed
 */
export function turnOf(queue: readonly Entry[], name: string, rule: TurnRule): Turn | undefined {
  const turnIn = startTurns(rule);
  for (const contender of queue) {
    const turn = turnIn(contender);
    if (contender.name === name) return turn;
  }
  return undefined;
}

/**
 * Answers for a queue whose entries come one after the other.
 *
 * @returns to be called with each entry in grant order (the dialect's own comparison); an answer is valid until the next call
 */
export function startTurns(rule: TurnRule): (entry: Entry) => Turn {
  const { turn, pass } = walkOf(rule);
  return entry => {
    const answer = turn(entry);
    pass(entry);
    return answer;
  };
}

function walkOf(rule: TurnRule): Walk {
  switch (rule.type) {
    case 'mutex':
      return withEqualNumbers(mutexWalk(rule), rule);
    case 'read-write':
      return withEqualNumbers(readWriteWalk(rule), rule);
    case 'semaphore':
      return semaphoreWalk(rule);
    case 'mixed':
      return mixedWalk(rule);
    case 'marked':
      return markedWalk(rule);
    case 'everyone':
      return { turn: () => HOLDS, pass: () => undefined };
  }
}

/** Answers for those that wait, in one object: a queue has up to 100,000, and each is looked at once. */
function startWaits(): (waitsFor: string | undefined) => Turn {
  const answer: { holds: false; waitsFor: string | undefined } = { holds: false, waitsFor: undefined };
  return waitsFor => {
    answer.waitsFor = waitsFor;
    return answer;
  };
}

function mutexWalk(rule: MutexRule): Walk {
  const waits = startWaits();
  let predecessor: Entry | undefined;
  const firstOfClient = new Map<string, string>();
  const watched = ({ name, client }: Entry): string | undefined => {
    if (rule.waiterWatches === 'children') return undefined;
    return rule.waiterWatches === 'predecessor' || client === undefined ? name : firstOfClient.get(client);
  };
  return {
    turn: ({ hasFailed }) => {
      if (hasFailed === true) return waits(undefined);
      if (predecessor !== undefined) return waits(watched(predecessor));
      return rule.headUnconfirmed === true ? waits(undefined) : HOLDS;
    },
    pass: contender => {
      predecessor = contender;
      if (contender.client !== undefined && !firstOfClient.has(contender.client)) {
        firstOfClient.set(contender.client, contender.name);
      }
    },
  };
}

function readWriteWalk(rule: ReadWriteRule): Walk {
  const waits = startWaits();
  let head: Entry | undefined;
  let predecessor: Entry | undefined;
  let firstWriter: string | undefined;
  let nearestWriter: string | undefined;
  const blocksReaders = (kind: Contender['kind']) => rule.readersWaitFor?.includes(kind) ?? kind !== 'read';
  const read = (reader: Entry): Turn => {
    if (firstWriter === undefined) return HOLDS;
    if (rule.downgrade === true && isDowngrade(reader, head)) return HOLDS;
    if (rule.readerWatches === 'nearest-writer') return waits(nearestWriter);
    const turn = waits(rule.readerWatches === 'first-writer' ? firstWriter : undefined);
    return rule.downgrade === true && isBelowOwnWriter(reader, head) ? { ...turn, holds: false, mayHold: true } : turn;
  };
  const write = (): Turn => {
    if (predecessor === undefined) return HOLDS;
    return waits(rule.readerWatches === 'nothing' ? undefined : predecessor.name);
  };
  return {
    turn: contender => (contender.kind === 'read' ? read(contender) : write()),
    pass: contender => {
      if (contender.isNeverWaitedFor === true) return;
      if (blocksReaders(contender.kind)) {
        firstWriter ??= contender.name;
        nearestWriter = contender.name;
      }
      head ??= contender;
      predecessor = contender;
    },
  };
}

function isDowngrade(reader: Entry, head: Entry | undefined): boolean {
  return isBelowOwnWriter(reader, head) && head?.sequence === reader.sequence;
}

/**
 * Up to Curator 5.4 a downgraded reader had a number of its own, like other threads of the same program, which wait. Once its
 * writer is gone, it looks like any reader that waits (docs/dialects.md, section 1).
 */
function isBelowOwnWriter({ ownerSession }: Entry, head: Entry | undefined): boolean {
  return ownerSession !== 0n && head?.kind === 'write' && head.ownerSession === ownerSession;
}

/** Where equal numbers are not waited for, an entry is passed only once a higher number comes. */
function withEqualNumbers(walk: Walk, { equalNumbers }: NumberRule): Walk {
  if (equalNumbers === undefined) return walk;
  const equals: Entry[] = [];
  const passLower = ({ sequence }: Entry): void => {
    if (equals.length === 0 || equals[0]?.sequence === sequence) return;
    for (const equal of equals) walk.pass(equal);
    equals.length = 0;
  };
  return {
    turn: entry => {
      passLower(entry);
      return walk.turn(entry);
    },
    pass: entry => {
      passLower(entry);
      equals.push(entry);
    },
  };
}

function mixedWalk({ sides }: MixedRule): Walk {
  const waits = startWaits();
  const walks = sides.map(side => ({
    ...side,
    ...walkOf(side.rule),
    alone: side.mayMissOthers === true ? walkOf(side.rule) : undefined,
  }));
  return {
    turn: entry => {
      const side = walks.find(({ isOwn }) => isOwn(entry));
      const turn = side?.turn(entry) ?? waits(undefined);
      return !turn.holds && side?.alone?.turn(entry).holds === true ? { ...turn, mayHold: true } : turn;
    },
    pass: entry => {
      for (const { sees, isOwn, pass, alone } of walks) {
        if (sees(entry)) pass(entry);
        if (isOwn(entry)) alone?.pass(entry);
      }
    },
  };
}

function semaphoreWalk(rule: SemaphoreRule): Walk {
  const waits = startWaits();
  let ahead = 0;
  let predecessor: string | undefined;
  return {
    turn: () => {
      if (ahead < rule.maxLeases) return HOLDS;
      const isFirstWaiter = ahead === rule.maxLeases;
      return waits(rule.waiterWatches === 'nothing' || isFirstWaiter ? undefined : predecessor);
    },
    pass: ({ name }) => {
      predecessor = name;
      ahead++;
    },
  };
}

function markedWalk({ waiterWatches }: MarkedRule): Walk {
  const waits = startWaits();
  let predecessor: Entry | undefined;
  return {
    turn: ({ marked }) => {
      if (marked === true) return HOLDS;
      if (waiterWatches === 'children') return waits(undefined);
      // The first waiter watches the directory, the deeper ones their predecessor, which waits too.
      return waits(predecessor?.marked === false ? predecessor.name : undefined);
    },
    pass: contender => {
      predecessor = contender;
    },
  };
}
