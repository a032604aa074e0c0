import type { ChildNode, LockDirectory } from '../locks/lockDirectory.ts';
import { furtherDirectories } from '../locks/recognition/recognise.ts';
import { inTurns } from '../base/interruptible.ts';
import { inNumberOrder } from '../locks/sequence.ts';
import { childPath, lastSegment } from '../base/paths.ts';
import type { ReadResult, ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError, ReplyTooLargeError } from '../zookeeper/errors.ts';
import { ChildRequest, readingOf, readNodes, requestFor, type NodeReading, type NodeRequest } from './readNodes.ts';

/** A lock directory as read, and the nodes that could not be read. */
export interface DirectoryReading {
  directory: LockDirectory;
  /** Every further directory that the layout may have, whether it exists or not. */
  wantedFurther: readonly string[];
  /** Nodes and further directories that exist but may not be read, by path. */
  unreadable: readonly string[];
}

interface Listing {
  self: NodeReading;
  /** By directory path, in the order of their numbers (`inNumberOrder`). Directories that do not exist are absent. */
  names: Map<string, readonly string[]>;
  /** The pzxid of each directory whose stat may be read. */
  lastChanges: Map<string, bigint>;
  denied: string[];
}

/** What earlier rounds have read: nodes by directory in the order of its last listing, and paths that may not be read. */
interface Known {
  nodes: Map<string, readonly ChildNode[]>;
  unreadable: Set<string>;
}

/** After this, the queue changes faster than it can be read, and it is shown without the nodes that vanished. */
const maxRounds = 5;

/**
 * Reads all nodes that decide who holds and who waits at `path`: the node, its children, and the further directories of its
 * layout.
 *
 * Listing and reading are not atomic. If every listed child could be read, all of them existed at the moment of the listing,
 * and the result is the state of that moment. If a child vanished in between, the waiter behind it could look like a holder. So
 * the directory is listed again and its new children are read, until no listed child has vanished (five rounds at most). All lists
 * are read in one request. One error remains: a node that was deleted and created again under the same fixed name
 * between two listings is shown as it was before.
 *
 * @returns `undefined` if there is no such node
 * @throws ZooKeeperError NO_AUTH if the children may not be listed, ReplyTooLargeError if they are too many to be sent; any failure of the connection; CancelledError
 */
export async function readDirectory(
  client: ZooKeeperClient,
  path: string,
  signal?: AbortSignal,
): Promise<DirectoryReading | undefined> {
  const known: Known = { nodes: new Map(), unreadable: new Set() };
  let further: string[] = [];
  for (let round = 1; ; round += 1) {
    const listing = await list(client, path, further, signal);
    if (listing === undefined) return undefined;
    const wanted = furtherDirectories(path, listing.names.get(path) ?? []);
    const complete = wanted.every(directory => further.includes(directory));
    further = wanted;
    if (!complete && round < maxRounds) continue;
    const vanished = await readUnknown(client, listing, known, signal);
    if (vanished && round < maxRounds) continue;
    // What is shown is then later than the listing.
    if (vanished) listing.lastChanges.clear();
    return assemble(path, listing, known, further);
  }
}

/**
 * Reads the node and all lists in one request, so that on 3.6+ they show the same moment. Before that the lists come first: a
 * change in between then shows in the directory's pzxid, which no listed child has.
 */
async function list(
  client: ZooKeeperClient,
  path: string,
  further: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Listing | undefined> {
  const directories = [path, ...further];
  const results = await client.readMany(
    [
      ...directories.map(directory => ({ op: 'getChildren' as const, path: directory })),
      ...directories.map(directory => ({ op: 'getData' as const, path: directory })),
    ],
    signal && { signal },
  );
  const stats = results.slice(directories.length);
  const self = await readingOf(client, requestFor(path), stats[0]);
  const names = new Map<string, readonly string[]>();
  const denied: string[] = [];
  for (const result of results.slice(0, directories.length)) {
    if (result.op === 'getChildren') names.set(result.path, await inTurns(inNumberOrder(result.children)));
    else if (whyNotListed(result) === 'denied') {
      if (result.path === path && result.op === 'error') throw result.error;
      denied.push(result.path);
    }
  }
  return self === 'gone' || !names.has(path) ? undefined : { self, names, lastChanges: changesIn(stats), denied };
}

function changesIn(stats: readonly ReadResult[]): Map<string, bigint> {
  const changes = new Map<string, bigint>();
  for (const result of stats) if (result.op === 'getData') changes.set(result.path, result.stat.pzxid);
  return changes;
}

function whyNotListed(result: ReadResult): 'gone' | 'denied' {
  if (result.op !== 'error') throw new Error(`readMany answered a getChildren of ${result.path} with data.`);
  if (isZooKeeperError(result.error, 'NO_NODE')) return 'gone';
  if (isZooKeeperError(result.error, 'NO_AUTH') || result.error instanceof ReplyTooLargeError) return 'denied';
  throw result.error;
}

/** @returns whether a listed node had vanished before it was read */
async function readUnknown(
  client: ZooKeeperClient,
  listing: Listing,
  known: Known,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const parts = Array.from(listing.names, ([directory, names]) => partOf(directory, names, known));
  const [only] = parts.length === 1 ? parts : [];
  const requests = only === undefined ? parts.flatMap(part => part.requests) : only.requests;
  const readings = await readNodes(client, requests, signal);
  let at = 0;
  for (const part of parts) {
    const own = readings.slice(at, at + part.requests.length);
    at += own.length;
    own.forEach((reading, index) => {
      const request = part.requests[index];
      if (reading === 'unreadable' && request !== undefined) known.unreadable.add(request.path);
    });
    known.nodes.set(part.directory, nodesOf(part, own));
  }
  return readings.includes('gone');
}

/** A directory: its known nodes by name, and requests for the others. */
interface Part {
  directory: string;
  names: readonly string[];
  nodes: Map<string, ChildNode>;
  requests: NodeRequest[];
}

function partOf(directory: string, names: readonly string[], known: Known): Part {
  const nodes = new Map(known.nodes.get(directory)?.map(node => [node.name, node]));
  const isUnknown = (name: string): boolean => !nodes.has(name) && !known.unreadable.has(childPath(directory, name));
  const unknown = nodes.size === 0 && known.unreadable.size === 0 ? names : names.filter(isUnknown);
  return { directory, names, nodes, requests: unknown.map(name => new ChildRequest(directory, name)) };
}

/** The children that exist, in the order of the listing. In the first round `readings` has that order already. */
function nodesOf({ names, nodes }: Part, readings: readonly NodeReading[]): readonly ChildNode[] {
  // A list that is filtered grows, and leaves twice its memory behind.
  const read = readings.every(isNode) ? readings : readings.filter(isNode);
  if (nodes.size === 0) return read;
  for (const node of read) nodes.set(node.name, node);
  return names.map(name => nodes.get(name)).filter(node => node !== undefined);
}

function isNode(reading: NodeReading): reading is ChildNode {
  return typeof reading === 'object';
}

function assemble(path: string, listing: Listing, known: Known, wantedFurther: string[]): DirectoryReading {
  const nodesIn = (directory: string): readonly ChildNode[] => known.nodes.get(directory) ?? [];
  const children = nodesIn(path);
  const others = [...listing.names.keys()].filter(directory => directory !== path);
  const further = new Map(others.map(directory => [directory, nodesIn(directory)]));
  const self = typeof listing.self === 'object' ? listing.self : unknownSelf(path);
  const unreadable = [...new Set([...known.unreadable, ...listing.denied])];
  const { lastChanges } = listing;
  return { directory: { path, self, children, further, lastChanges }, wantedFurther, unreadable };
}

/** Stands for a directory node whose children may be listed, but whose stat may not be read. */
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
