import { traitsOf } from '../locks/libraries/registry.ts';
import type { Contender, LockQueue } from '../locks/lockQueue.ts';
import type { WatchFacts } from './owners/readWatchers.ts';
import { isLoneNode, namedQueue } from './turnsWithout.ts';

/** How many sessions the next release wakes. */
export interface Herd {
  /** By the dialect's rule; `undefined` for a lock that is one node: its waiters have no nodes. */
  sessions: number | undefined;
  /** Sessions with a watch on the node that leaves; `undefined` unless every server listed its watches. */
  registered: number | undefined;
}

/**
 * Counts the sessions that the next release wakes. Each gets a notification, and in recipes that watch a directory each lists the
 * directory again. More than one is a herd (docs/recipes.md). Of several holders, the one whose release wakes most counts.
 *
 * @param watches only watches on nodes: servers do not list those on directories
 */
export function herdOf(queue: LockQueue, watches?: WatchFacts): Herd {
  const holders = queue.contenders.filter(({ role }) => role === 'holder');
  const [first] = holders;
  if (first === undefined) return { sessions: 0, registered: undefined };
  if (isLoneNode(queue)) return { sessions: undefined, registered: registeredOn(first, watches) };
  const waiters = Map.groupBy(
    queue.contenders.filter(({ role }) => role === 'waiter'),
    ({ waitsFor }) => waitsFor,
  );
  const watching = ({ name }: Contender): Contender[] => waiters.get(name) ?? [];
  const release = holders.reduce((most, holder) => (watching(holder).length > watching(most).length ? holder : most));
  const unnamed = waiters.get(undefined) ?? [];
  const woken = unnamed.length > 0 && watchesDirectory(queue) ? [...watching(release), ...unnamed] : watching(release);
  const owners = new Set(woken.map(({ ownerSession, path }) => (ownerSession === 0n ? path : ownerSession)));
  return { sessions: owners.size, registered: registeredOn(release, watches) };
}

function registeredOn(release: Contender, watches: WatchFacts | undefined): number | undefined {
  if (watches?.isComplete !== true) return undefined;
  const sessions = new Set(watches.watchers.get(release.path));
  // Revocable and cautious owners watch their own node.
  sessions.delete(release.ownerSession);
  return sessions.size;
}

/** Whether waiters that wait for no single node watch the directory; otherwise they poll. */
function watchesDirectory(queue: LockQueue): boolean {
  if (traitsOf(queue.dialect).spansDirectories === true) return true;
  const rule = namedQueue(queue, queue.contenders)?.rule;
  switch (rule?.type) {
    case 'mutex':
      return rule.waiterWatches === 'children';
    case 'semaphore':
      return rule.waiterWatches === 'predecessor-or-children';
    case 'marked':
      return true;
    default:
      return false;
  }
}

/** A reader and a later writer that wait for each other (kazoo 2.8.0; docs/faults.md, L12). */
export interface MutualWait {
  queue: LockQueue;
  reader: Contender;
  writer: Contender;
}

/**
 * Readers that hold in kazoo's order with a writer behind them. In kazoo 2.8.0 such a reader may wait for the *highest* writer of the
 * directory, also a later one, while that writer waits for the reader. The nodes of every healthy queue look the same: only watches
 * show the difference (`findMutualWaits`).
 */
export function suspectMutualWaits(queues: readonly LockQueue[]): MutualWait[] {
  return queues.flatMap(queue => {
    if (traitsOf(queue.dialect).hasMutualWaits !== true) return [];
    const at = queue.contenders.findLastIndex(({ kind }) => kind !== 'read');
    const writer = queue.contenders[at];
    if (writer?.role !== 'waiter') return [];
    const readers = queue.contenders.slice(0, at).filter(({ kind, role }) => kind === 'read' && role === 'holder');
    return readers.map(reader => ({ queue, reader, writer }));
  });
}

/**
 * Those of `suspectMutualWaits` whose reader's session watches the later writer, though no other contender of that session waits for
 * it: a reader that holds watches no writer. It does not hold then.
 *
 * @param watches servers that did not answer may hide a finding, but make none up
 */
export function findMutualWaits(queues: readonly LockQueue[], { watchers }: WatchFacts): MutualWait[] {
  return suspectMutualWaits(queues).filter(({ queue, reader, writer }) => {
    const { ownerSession } = reader;
    const explains = ({ ownerSession: owner, waitsFor }: Contender): boolean =>
      owner === ownerSession && waitsFor === writer.name;
    return watchers.get(writer.path)?.has(ownerSession) === true && !queue.contenders.some(explains);
  });
}

/** Readers behind several writers: each reader waits until all these writers are done. */
export interface ReadersBehindWriters {
  queue: LockQueue;
  readers: number;
  writers: number;
}

/** Finds queues in which readers wait behind more than one writer, so that they rarely share the lock. */
export function findReadersBehindWriters(queues: readonly LockQueue[]): ReadersBehindWriters[] {
  return queues.flatMap(queue => {
    let writers = 0;
    let readers = 0;
    for (const { kind, role } of queue.contenders) {
      if (kind !== 'read') writers++;
      else if (role === 'waiter' && writers > 1) readers++;
    }
    return readers > 0 ? [{ queue, readers, writers }] : [];
  });
}
