import { traitsOf } from '../locks/libraries/registry.ts';
import type { Contender, LockQueue } from '../locks/lockQueue.ts';
import type { WatchFacts } from './owners/readWatchers.ts';

/** A reader and a later writer that may wait for each other for ever (kazoo 2.8.0; docs/faults.md, L12). */
export interface MutualWait {
  queue: LockQueue;
  reader: Contender;
  writer: Contender;
  /** The reader's session watches the writer's node: it is not only possible. */
  isConfirmed: boolean;
}

/** Readers that wait behind several writers: each of them must come and go first. */
export interface ReadersBehindWriters {
  queue: LockQueue;
  readers: number;
  writers: number;
}

/**
 * Finds readers that stand first in kazoo's order with a writer behind them. kazoo 2.8.0 lets such a reader wait for the *highest*
 * writer of the directory, a later one too, while that one waits for the reader. Nodes alone look the same when the reader holds;
 * only the watches tell, so without them it is a suspicion.
 *
 * @param watches with every server's answer, readers that watch no writer are left out
 */
export function findMutualWaits(queues: readonly LockQueue[], watches?: WatchFacts): MutualWait[] {
  return queues
    .filter(({ dialect }) => traitsOf(dialect).hasMutualWaits === true)
    .flatMap(queue => pairsIn(queue))
    .map(pair => ({ ...pair, isConfirmed: isWatching(pair, watches) }))
    .filter(({ isConfirmed }) => isConfirmed || watches?.isComplete !== true);
}

type Pair = Omit<MutualWait, 'isConfirmed'>;

function pairsIn(queue: LockQueue): Pair[] {
  const at = queue.contenders.findLastIndex(({ kind }) => kind !== 'read');
  const writer = queue.contenders[at];
  if (writer?.role !== 'waiter') return [];
  const readers = queue.contenders.slice(0, at).filter(({ kind, role }) => kind === 'read' && role === 'holder');
  return readers.map(reader => ({ queue, reader, writer }));
}

function isWatching({ reader, writer }: Pair, watches: WatchFacts | undefined): boolean {
  return watches?.watchers.get(writer.path)?.has(reader.ownerSession) === true;
}

/** Finds queues in which readers wait behind more than one writer: shared in name only. */
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
