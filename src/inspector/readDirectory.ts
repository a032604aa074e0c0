import { furtherDirectories } from '../locks/furtherDirectories.ts';
import type { ChildNode, LockDirectory } from '../locks/lockDirectory.ts';
import { childPath, lastSegment } from '../locks/paths.ts';
import type { ReadResult, ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError, ReplyTooLargeError } from '../zookeeper/errors.ts';
import { readingOf, readNodes, type NodeReading } from './readNodes.ts';

/** A lock directory as read, with what had to be left out. */
export interface DirectoryReading {
  directory: LockDirectory;
  /** Every further directory that the layout may have, those that do not exist included. */
  wantedFurther: readonly string[];
  /** Nodes and further directories that exist but may not be read, by path. */
  unreadable: readonly string[];
}

interface Listing {
  self: NodeReading;
  /** By directory path, in the server's order. Directories that do not exist are absent. */
  names: Map<string, string[]>;
  denied: string[];
}

/** Enough for any queue that moves slower than it can be read; one that moves faster is shown without the vanished. */
const maxRounds = 5;

/**
 * Reads everything that says who holds and who waits below `path`: the node, its children, and the further directories of
 * its layout.
 *
 * Listing and reading are not one atomic step. If every listed child could be read, then all of them existed at the moment
 * of the listing, and the result is exactly the state of that moment. If one vanished in between, a waiter behind it could
 * look like a holder that it never was; so the directory is listed again, and only what is new there is read, until a
 * listing meets nothing that vanished (five times at most). All lists of one directory are read in one request. What
 * remains: a node that was deleted and created anew under the same fixed name between two listings is shown as it was.
 *
 * @returns `undefined` if there is no such node
 * @throws ZooKeeperError NO_AUTH if the children may not be listed, ReplyTooLargeError if they are too many to be sent; any failure of the connection; CancelledError
 */
export async function readDirectory(
  client: ZooKeeperClient,
  path: string,
  signal?: AbortSignal,
): Promise<DirectoryReading | undefined> {
  const known = new Map<string, ChildNode>();
  const unreadable = new Set<string>();
  let further: string[] = [];
  for (let round = 1; ; round += 1) {
    const listing = await list(client, path, further, signal);
    if (listing === undefined) return undefined;
    const wanted = furtherDirectories(path, listing.names.get(path) ?? []);
    const complete = wanted.every(directory => further.includes(directory));
    further = wanted;
    if (!complete && round < maxRounds) continue;
    const vanished = await readUnknown(client, listing, known, unreadable, signal);
    if (vanished && round < maxRounds) continue;
    return assemble(path, listing, known, {
      wantedFurther: further,
      unreadable: [...new Set([...unreadable, ...listing.denied])],
    });
  }
}

/** The node and all its lists in one request, so that on 3.6+ they belong to one moment. */
async function list(
  client: ZooKeeperClient,
  path: string,
  further: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Listing | undefined> {
  const [selfResult, ...lists] = await client.readMany(
    [
      { op: 'getData', path },
      { op: 'getChildren', path },
      ...further.map(directory => ({ op: 'getChildren' as const, path: directory })),
    ],
    signal && { signal },
  );
  if (selfResult === undefined) throw new Error(`Reading ${path} gave no answer.`);
  const self = await readingOf(client, selfResult);
  const names = new Map<string, string[]>();
  const denied: string[] = [];
  for (const result of lists) {
    const outcome = addList(result, names);
    if (outcome === 'ok') continue;
    if (result.path === path) {
      if (outcome === 'gone') return undefined;
      if (result.op === 'error') throw result.error;
    }
    if (outcome === 'denied') denied.push(result.path);
  }
  return self.outcome === 'gone' ? undefined : { self, names, denied };
}

function addList(result: ReadResult, names: Map<string, string[]>): 'ok' | 'gone' | 'denied' {
  if (result.op === 'getChildren') {
    names.set(result.path, result.children);
    return 'ok';
  }
  if (result.op !== 'error') throw new Error(`readMany answered a getChildren of ${result.path} with data.`);
  if (isZooKeeperError(result.error, 'NO_NODE')) return 'gone';
  if (isZooKeeperError(result.error, 'NO_AUTH') || result.error instanceof ReplyTooLargeError) return 'denied';
  throw result.error;
}

/** @returns whether a listed node had vanished before it was read */
async function readUnknown(
  client: ZooKeeperClient,
  listing: Listing,
  known: Map<string, ChildNode>,
  unreadable: Set<string>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const paths: string[] = [];
  for (const [directory, names] of listing.names) {
    for (const name of names) {
      const path = childPath(directory, name);
      if (!known.has(path) && !unreadable.has(path)) paths.push(path);
    }
  }
  let vanished = false;
  for (const reading of await readNodes(client, paths, signal)) {
    if (reading.outcome === 'read') known.set(reading.path, reading.node);
    else if (reading.outcome === 'unreadable') unreadable.add(reading.path);
    else vanished = true;
  }
  return vanished;
}

function assemble(
  path: string,
  listing: Listing,
  known: ReadonlyMap<string, ChildNode>,
  rest: Pick<DirectoryReading, 'wantedFurther' | 'unreadable'>,
): DirectoryReading {
  const further = new Map<string, ChildNode[]>();
  let children: ChildNode[] = [];
  for (const [directory, names] of listing.names) {
    const nodes = names.map(name => known.get(childPath(directory, name))).filter(node => node !== undefined);
    if (directory === path) children = nodes;
    else further.set(directory, nodes);
  }
  const self = listing.self.outcome === 'read' ? listing.self.node : unknownSelf(path);
  return { directory: { path, self, children, further }, ...rest };
}

/** Stands for a directory node whose children may be listed while nothing may be known of itself. */
function unknownSelf(path: string): ChildNode {
  return {
    name: lastSegment(path),
    path,
    data: new Uint8Array(0),
    czxid: 0n,
    createdAt: 0,
    ephemeralOwner: 0n,
    version: 0,
    numChildren: 0,
  };
}
