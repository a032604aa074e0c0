import type { ReadResult, ZooKeeperClient } from '../zookeeper/client.ts';
import { unlessAborted } from '../base/unlessAborted.ts';
import { CancelledError, isZooKeeperError, ReplyTooLargeError, type ZooKeeperError } from '../zookeeper/errors.ts';
import { confirmGuess } from './confirmGuess.ts';
import type { FoundLocks } from './foundLocks.ts';
import { LockSearch } from './lockSearch.ts';

/** How far a search has come. */
export interface SearchProgress {
  /** Nodes whose children were listed. */
  visited: number;
  found: number;
}

/** Where a search ends, and who hears of it. */
export interface FindLocksOptions {
  signal?: AbortSignal;
  /** Nodes to list at most; default 100,000. */
  maxNodes?: number;
  onProgress?: (progress: SearchProgress) => void;
}

const defaultMaxNodes = 100_000;
/** Small enough to report progress and to stop soon, large enough that the round trips do not count: some six for so many. */
const chunkSize = 4_000;
/** So many guesses are checked at a time, two or three requests each. */
const guessesAtOnce = 32;

/**
 * Looks for locks at and below `root`, breadth first, by the names of the nodes: one listing per node, thousands at a time.
 * Only where names leave it open (an ephemeral node called `leader`, a semaphore of two directories) are nodes read.
 * `/zookeeper` is left out, and so are contenders, which have no children: those whose names say so, and of those whose names
 * leave it open the ones that were seen to have none. Of a directory with more than 10,000 names 500 are read; if none of the
 * open ones among them has children, its other open ones are taken to have none either, as in a log of messages. A lock that
 * is spread over several directories is reported once, at the path that its library is given. An idle lock, a directory without
 * contenders, cannot be told from any other empty node and is not found. A branch without permission is reported in `denied` and
 * the search goes on; a branch that vanishes meanwhile, or a root that does not exist, holds no locks.
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
    for (const result of await unlessAborted(list(client, paths, signal), signal, cancelled)) take(search, result);
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

function take(search: LockSearch, result: ReadResult): void {
  if (result.op === 'getChildren') search.listed(result.path, result.children);
  else if (result.op === 'error') search.failed(result.path, reasonOf(result.error));
}

function reasonOf(error: ZooKeeperError | ReplyTooLargeError): 'gone' | 'denied' {
  if (isZooKeeperError(error, 'NO_NODE')) return 'gone';
  if (isZooKeeperError(error, 'NO_AUTH') || error instanceof ReplyTooLargeError) return 'denied';
  throw error;
}
