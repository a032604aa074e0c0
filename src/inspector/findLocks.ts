import { inTurns, type Interruptible } from '../base/interruptible.ts';
import { childPath } from '../base/paths.ts';
import type { ChildNode } from '../locks/lockDirectory.ts';
import { recogniseNames, recogniseQueues } from '../locks/recognition/recognise.ts';
import type { ReadResult, ZooKeeperClient } from '../zookeeper/client.ts';
import { unlessAborted } from '../base/unlessAborted.ts';
import { CancelledError, isZooKeeperError, ReplyTooLargeError, type ZooKeeperError } from '../zookeeper/errors.ts';
import { LockSearch, type FoundLocks, type Guess } from './lockSearch.ts';
import { readDirectory } from './readDirectory.ts';
import { readNodes, requestFor } from './readNodes.ts';
import { assembleQueues } from './readQueues.ts';

/** How far a search has come. */
export interface SearchProgress {
  /** Nodes whose children were listed. */
  visited: number;
  found: number;
}

/** Limits of a search. */
export interface FindLocksOptions {
  signal?: AbortSignal;
  /** Nodes to list at most; default 100,000. */
  maxNodes?: number;
  onProgress?: (progress: SearchProgress) => void;
}

const defaultMaxNodes = 100_000;
/** Nodes to list at once: few enough to report progress and to stop soon, enough to make round trips negligible (about six each). */
const chunkSize = 4_000;
/** Guesses to confirm at once, two or three requests each. */
const guessesAtOnce = 32;
/** Of a directory with more children only a sample is read: it is more likely a log of messages than a lock. */
const readWholeUpTo = 10_000;
const sampleSize = 500;

/**
 * Looks for locks at and below `root`, breadth first, by the names of the nodes: one listing per node, thousands at a time.
 * Nodes are read only where names do not decide (an ephemeral node called `leader`, a semaphore of two directories).
 * `/zookeeper` is left out. Contenders are not listed, since they have no children: those with a certain name, and of those with
 * a doubtful name the ones that were read and have none. Of a directory with more than 10,000 names 500 are read; if none of the
 * doubtful ones among them has children, the other doubtful ones are not listed either, as in a log of messages. A lock that
 * is spread over several directories is reported once, at the path that its library is given. An idle lock, a directory without
 * contenders, looks like any other empty node and is not found. A branch without permission is reported in `denied` and the
 * search goes on; a branch that vanishes meanwhile, or a root that does not exist, holds no locks.
 *
 * Memory: the paths of one level, never more than `maxNodes`.
 *
 * @throws CancelledError once `signal` is aborted; ZooKeeperError, NotConnectedError or ReplyLostError if reading fails
 */
export async function findLocks(
  client: ZooKeeperClient,
  root: string,
  options: FindLocksOptions = {},
): Promise<FoundLocks> {
  const { signal, onProgress } = options;
  const search = new LockSearch(root, options.maxNodes ?? defaultMaxNodes);
  for (let paths = search.next(chunkSize); paths.length > 0; paths = search.next(chunkSize)) {
    const results = await unlessAborted(list(client, paths, signal), signal, cancelled);
    await unlessAborted(
      inTurns(takeAll(search, results), () => signal?.aborted !== true),
      signal,
      cancelled,
    );
    const guesses = search.takeGuesses();
    for (let at = 0; at < guesses.length; at += guessesAtOnce) {
      const some = guesses.slice(at, at + guessesAtOnce).map(guess => confirmGuess(client, guess, search, signal));
      await unlessAborted(Promise.all(some), signal, cancelled);
    }
    onProgress?.({ visited: search.visited, found: search.found });
  }
  return search.result();
}

function list(
  client: ZooKeeperClient,
  paths: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ReadResult[]> {
  return client.readMany(
    paths.map(path => ({ op: 'getChildren', path })),
    signal && { signal },
  );
}

const cancelled = (): Error => new CancelledError('Looking for locks');

function* takeAll(search: LockSearch, results: readonly ReadResult[]): Interruptible<void> {
  for (const result of results) {
    if (result.op === 'getChildren') yield* search.listed(result.path, result.children);
    else if (result.op === 'error') search.failed(result.path, reasonOf(result.error));
    yield;
  }
}

function reasonOf(error: ZooKeeperError | ReplyTooLargeError): 'gone' | 'denied' {
  if (isZooKeeperError(error, 'NO_NODE')) return 'gone';
  if (isZooKeeperError(error, 'NO_AUTH') || error instanceof ReplyTooLargeError) return 'denied';
  throw error;
}

/**
 * Reads the nodes of a path whose names look like a lock, and adds to the search the locks that they are, if any, and the nodes
 * that may have children. Takes two or three requests. A path that vanished or became unreadable meanwhile is no lock.
 */
async function confirmGuess(
  client: ZooKeeperClient,
  guess: Guess,
  search: LockSearch,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (guess.names.length > readWholeUpTo) {
    await confirmBySample(client, guess, search, signal);
    return;
  }
  try {
    const reading = await readDirectory(client, guess.path, signal);
    if (reading === undefined) return;
    const directories = [guess.path, ...reading.wantedFurther];
    for (const queue of assembleQueues(reading)) search.confirmed(queue, directories);
    search.descend(guess.path, withoutLeaves(guess.doubtful, reading.directory.children));
  } catch (error) {
    if (!isZooKeeperError(error, 'NO_AUTH')) throw error;
  }
}

async function confirmBySample(
  client: ZooKeeperClient,
  { path, names, doubtful }: Guess,
  search: LockSearch,
  signal: AbortSignal | undefined,
): Promise<void> {
  const sampled = names.slice(0, sampleSize);
  const paths = [path, ...sampled.map(name => childPath(path, name))];
  const [self, ...sample] = await readNodes(client, paths.map(requestFor), signal);
  if (typeof self !== 'object') return;
  const children = sample.filter(reading => typeof reading === 'object');
  const counts = recogniseNames(path, names);
  for (const queue of recogniseQueues({ path, self, children, further: new Map() })) {
    const named = counts.find(({ dialect, lockName }) => dialect === queue.dialect && lockName === queue.lockName);
    search.confirmed(queue, [path], named?.contenders);
  }
  const isDoubtful = new Set(doubtful);
  const judged = sampled.filter(name => isDoubtful.has(name));
  const isFlat = judged.length > 0 && withoutLeaves(judged, children).length === 0;
  if (!isFlat) search.descend(path, withoutLeaves(doubtful, children));
}

/** Without the names that were read and have no children: neither contenders nor the records of a log have any. */
function withoutLeaves(names: readonly string[], read: readonly ChildNode[]): string[] {
  const leaves = new Set(read.filter(({ numChildren }) => numChildren === 0).map(({ name }) => name));
  return names.filter(name => !leaves.has(name));
}
