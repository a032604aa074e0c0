import type { ChildNode } from '../locks/lockDirectory.ts';
import { memberOf } from '../locks/recognition/members.ts';
import { lastSegment, parentPath } from '../base/paths.ts';
import type { ReadResult, Stat, ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError, ReplyTooLargeError } from '../zookeeper/errors.ts';

/** A node to read. It is a request of `readMany` already: a queue of 10,000 makes as few objects as it can. */
export interface NodeRequest {
  op: 'getData';
  path: string;
  name: string;
  /** Where it lies. */
  directory: string;
}

/** What reading one node gave. `unreadable`: it exists, and neither its data nor its stat may be read. */
export type NodeReading = ChildNode | 'gone' | 'unreadable';

/** Why the data cannot be had. */
type WithoutData = 'denied' | 'too large';

/** A znode may hold 1 MB; to say who waits, far less will do, and a queue of 10,000 stays in memory. */
const keptDataBytes = 64 * 1024;
const noData = new Uint8Array(0);

/** The request for a node of which only the path is at hand. */
export function requestFor(path: string): NodeRequest {
  return { op: 'getData', path, name: lastSegment(path), directory: parentPath(path) };
}

/**
 * Reads nodes in bulk, in the order of the requests. A node that vanished meanwhile is `gone`. One whose data may not be
 * read, or is too large to be sent, is read by `exists`, which servers before 3.9.2 answer without the right to read
 * (ZOOKEEPER-2590): owner and age are then known, and `data` is empty. Of long data the first 64 KiB are kept.
 *
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
    if (reading === 'denied' || reading === 'too large') {
      readings[at] = 'unreadable';
      withoutData.push({ request, at, why: reading });
      return;
    }
    readings[at] = reading;
    // While the next ones are under way, so that it takes no time of its own.
    if (typeof reading === 'object') memberOf(request.directory, reading);
  };
  await client.readMany(requests, signal === undefined ? { onResult } : { onResult, signal });
  await Promise.all(
    withoutData.map(async ({ request, at, why }) => {
      readings[at] = await readStatOnly(client, request, why);
    }),
  );
  return readings;
}

/** One answer of `readMany`, read by `exists` where the data cannot be had. */
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
    // Copied, so that a cut node does not keep the whole reply alive.
    data: data.length > keptDataBytes ? data.slice(0, keptDataBytes) : data,
    czxid: stat.czxid,
    createdAt: stat.ctime,
    ephemeralOwner: stat.ephemeralOwner,
    version: stat.version,
    numChildren: stat.numChildren,
    member: undefined,
  };
}
