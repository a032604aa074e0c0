import type { ChildNode } from '../locks/lockDirectory.ts';
import { memberOf } from '../locks/recognition/members.ts';
import { lastSegment, parentPath } from '../base/paths.ts';
import type { ReadResult, Stat, ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError, ReplyTooLargeError } from '../zookeeper/errors.ts';

/** A node to read, and at the same time the request for `readMany`: no second object for each of 10,000 contenders. */
export interface NodeRequest {
  op: 'getData';
  path: string;
  name: string;
  /** The path of its parent. */
  directory: string;
}

/** The result of reading one node. `unreadable`: it exists, but neither its data nor its stat may be read. */
export type NodeReading = ChildNode | 'gone' | 'unreadable';

/** Why the data cannot be read. */
type WithoutData = 'denied' | 'too large';

/** A znode may hold 1 MB. Identifiers are much shorter, and the nodes of a queue of 10,000 must fit in memory. */
const keptDataBytes = 64 * 1024;
const noData = new Uint8Array(0);

/** The request for the node at a path. */
export function requestFor(path: string): NodeRequest {
  return { op: 'getData', path, name: lastSegment(path), directory: parentPath(path) };
}

/**
 * Reads nodes in bulk. If the data may not be read, or are too large to be sent, `exists` reads the stat, which servers before
 * 3.9.2 answer without the right to read (ZOOKEEPER-2590): owner and age are then known, and `data` is empty. Of long data the
 * first 64 KiB are kept.
 *
 * @returns one reading per request, in the same order; `gone` for a node that does not exist any more
 * @throws ZooKeeperError for any other answer, NotConnectedError, ReplyLostError, CancelledError
 */
export async function readNodes(
  client: ZooKeeperClient,
  requests: readonly NodeRequest[],
  signal?: AbortSignal,
): Promise<NodeReading[]> {
  if (requests.length === 0) return [];
  const readings: NodeReading[] = [];
  const withoutData: { request: NodeRequest; at: number; why: WithoutData }[] = [];
  const onResult = (result: ReadResult, at: number): void => {
    const request = requests[at];
    if (request === undefined) return;
    const reading = toReading(request, result);
    if (reading === 'denied' || reading === 'too large') withoutData.push({ request, at, why: reading });
    else readings[at] = reading;
    // Parse the name now, while further replies are under way: it then adds no time.
    if (typeof reading === 'object') memberOf(request.directory, reading);
  };
  await client.readMany(requests, { onResult, ...(signal && { signal }) });
  await Promise.all(
    withoutData.map(async ({ request, at, why }) => {
      readings[at] = await readStatOnly(client, request, why);
    }),
  );
  return readings;
}

/** The reading from one answer of `readMany`; `exists` reads the stat if the data cannot be read. */
export async function readingOf(
  client: ZooKeeperClient,
  request: NodeRequest,
  result: ReadResult | undefined,
): Promise<NodeReading> {
  const reading = toReading(request, result);
  return reading === 'denied' || reading === 'too large' ? readStatOnly(client, request, reading) : reading;
}

function toReading(request: NodeRequest, result: ReadResult | undefined): NodeReading | WithoutData {
  if (result?.op === 'getData') return toChildNode(request, result.data, result.stat);
  if (result?.op !== 'error') throw new Error(`readMany did not answer the getData of ${request.path}.`);
  if (isZooKeeperError(result.error, 'NO_NODE')) return 'gone';
  if (isZooKeeperError(result.error, 'NO_AUTH')) return 'denied';
  if (result.error instanceof ReplyTooLargeError) return 'too large';
  throw result.error;
}

async function readStatOnly(client: ZooKeeperClient, request: NodeRequest, why: WithoutData): Promise<NodeReading> {
  try {
    const stat = await client.exists(request.path);
    if (stat === undefined) return 'gone';
    const node = toChildNode(request, noData, stat);
    if (why === 'denied') node.isDataDenied = true;
    return node;
  } catch (error) {
    if (isZooKeeperError(error, 'NO_AUTH')) return 'unreadable';
    throw error;
  }
}

function toChildNode({ name, path }: NodeRequest, data: Uint8Array, stat: Stat): ChildNode {
  return {
    name,
    path,
    // A copy: a view of the data would keep the whole reply in memory.
    data: data.length > keptDataBytes ? data.slice(0, keptDataBytes) : data,
    czxid: stat.czxid,
    createdAt: stat.ctime,
    modifiedAt: stat.mtime,
    ephemeralOwner: stat.ephemeralOwner,
    version: stat.version,
    numChildren: stat.numChildren,
    member: undefined,
  };
}
