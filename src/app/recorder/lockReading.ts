import { inTurns, type Interruptible } from '../../base/interruptible.ts';
import { childPath } from '../../base/paths.ts';
import { baseOfQueue } from '../../locks/libraries/queueBeside.ts';
import type { ReadResult, ZooKeeperClient } from '../../zookeeper/client.ts';
import { CancelledError, isZooKeeperError, ReplyTooLargeError } from '../../zookeeper/errors.ts';
import type { LockTree } from './lockTree.ts';
import { readStates, unreadNode, type NodeReading } from './nodeStates.ts';
import { RecorderError } from './recorderError.ts';

export interface LockReadingOptions {
  /** Paths below which locks are looked for; none of them below another. */
  roots: readonly string[];
  /** Nodes whose children may be listed. */
  maxNodes: number;
  isWholeData: boolean;
  /** Whether a node at that path may be part of a lock. */
  concerns(path: string): boolean;
  signal: AbortSignal;
}

type ReadingClient = Pick<ZooKeeperClient, 'readMany' | 'exists'>;

/** Nodes to list at once. */
const chunkSize = 4_000;
/** Names gone through between two interruptions. */
const namesAtOnce = 1_024;

/** What a chunk of lists says. */
interface Listed {
  /** To be listed next. */
  open: string[];
  /** Directories that hold locks, and their children. */
  wanted: string[];
}

/**
 * Reads all nodes of locks below the roots into `tree`: of each directory with a child that may be part of a lock, and of one whose queue
 * stands beside it, the node itself and all children. Branches that may not be listed are left out, so are `/zookeeper` and what vanishes meanwhile.
 *
 * @throws RecorderError `too-many-nodes`: a part of the locks would look like all of them; CancelledError; what reading throws
 */
export async function readLocks(client: ReadingClient, tree: LockTree, options: LockReadingOptions): Promise<void> {
  const { maxNodes, roots, signal } = options;
  let open = [...roots];
  let visited = 0;
  /** Directories of leases: the names in them do not show that. */
  const besideQueues = new Set<string>();
  while (open.length > 0) {
    const chunk = open.slice(0, chunkSize);
    open = open.slice(chunkSize);
    visited += chunk.length;
    if (visited + open.length > maxNodes)
      throw new RecorderError('too-many-nodes', roots[0] ?? '/', { limit: maxNodes });
    const reads = chunk.map(path => ({ op: 'getChildren', path }) as const);
    const results = await client.readMany(reads, { signal });
    const listed = await inTurns(goThrough(results, tree, besideQueues, options), () => !signal.aborted);
    if (listed === undefined) throw new CancelledError('Reading locks');
    const states = await readStates(client, listed.wanted, options);
    for (const each of listed.open) open.push(each);
    await inTurns(
      keepAll(states, tree, path => open.push(path)),
      () => !signal.aborted,
    );
  }
  // Events that came before the last answer are delivered by then.
  await new Promise(resolve => setImmediate(resolve));
}

function* goThrough(
  results: readonly ReadResult[],
  tree: LockTree,
  besideQueues: Set<string>,
  options: LockReadingOptions,
): Interruptible<Listed> {
  const listed: Listed = { open: [], wanted: [] };
  let done = 0;
  for (const result of results) {
    if (result.op === 'error') pass(result.error);
    if (result.op !== 'getChildren') continue;
    const { path } = result;
    const paths = childPaths(path, result.children);
    let isOfLocks = besideQueues.has(path);
    for (const child of paths) {
      noteQueue(child, besideQueues);
      isOfLocks ||= options.concerns(child);
      if (++done % namesAtOnce === 0) yield;
    }
    if (isOfLocks) {
      tree.keep(path);
      listed.wanted.push(path);
    }
    const to = isOfLocks ? listed.wanted : listed.open;
    for (const child of paths) to.push(child);
  }
  return listed;
}

function noteQueue(path: string, besideQueues: Set<string>): void {
  const base = baseOfQueue(path);
  if (base !== undefined) besideQueues.add(base);
}

function childPaths(path: string, names: readonly string[]): string[] {
  const searched = path === '/' ? names.filter(name => name !== 'zookeeper') : names;
  return searched.map(name => childPath(path, name));
}

/** What vanished has no locks, and what may not be listed shows none. */
function pass(error: unknown): void {
  const isHarmless = isZooKeeperError(error, 'NO_NODE') || isZooKeeperError(error, 'NO_AUTH');
  if (!isHarmless && !(error instanceof ReplyTooLargeError)) throw error;
}

function* keepAll(
  states: ReadonlyMap<string, NodeReading>,
  tree: LockTree,
  descend: (path: string) => void,
): Interruptible<void> {
  let done = 0;
  for (const [path, state] of states) {
    keepOne(path, state, tree, descend);
    if (++done % namesAtOnce === 0) yield;
  }
}

function keepOne(path: string, state: NodeReading, tree: LockTree, descend: (path: string) => void): void {
  if (state === 'gone') return;
  if (state === 'unreadable') tree.setUnread(unreadNode(path, 0n, 0));
  else {
    tree.set(state);
    // A directory that is kept was listed already.
    if (state.numChildren > 0 && !tree.isDirectory(path)) descend(path);
  }
}

/**
 * Reads a directory in which the first node of a lock appeared. It is kept whole from now on.
 *
 * @returns itself and its children
 */
export async function readWhole(
  client: ReadingClient,
  directory: string,
  options: Pick<LockReadingOptions, 'isWholeData' | 'signal'>,
): Promise<Map<string, NodeReading>> {
  const [result] = await client.readMany([{ op: 'getChildren', path: directory }], { signal: options.signal });
  if (result?.op === 'error') pass(result.error);
  const names = result?.op === 'getChildren' ? result.children : [];
  return readStates(client, [directory, ...names.map(name => childPath(directory, name))], options);
}
