import type { ChildNode } from '../locks/lockDirectory.ts';
import { lastSegment } from '../locks/paths.ts';
import type { ReadResult, Stat, ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError, ReplyTooLargeError } from '../zookeeper/errors.ts';

/** What reading one node gave. `unreadable`: it exists, and neither its data nor its stat may be read. */
export type NodeReading =
  | { outcome: 'read'; path: string; node: ChildNode }
  | { outcome: 'gone'; path: string }
  | { outcome: 'unreadable'; path: string };

/** A znode may hold 1 MB; to say who waits, far less will do, and a queue of 10,000 stays in memory. */
const keptDataBytes = 64 * 1024;
const noData = new Uint8Array(0);

/**
 * Reads nodes in bulk, in the order of `paths`. A node that vanished meanwhile is `gone`. One whose data may not be read,
 * or is too large to be sent, is read by `exists`, which servers before 3.9.2 answer without the right to read
 * (ZOOKEEPER-2590): owner and age are then known, and `data` is empty. Of long data the first 64 KiB are kept.
 *
 * @throws ZooKeeperError for any other answer, NotConnectedError, ReplyLostError, CancelledError
 */
export async function readNodes(
  client: ZooKeeperClient,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<NodeReading[]> {
  if (paths.length === 0) return [];
  const results = await client.readMany(
    paths.map(path => ({ op: 'getData', path })),
    signal && { signal },
  );
  const readings: NodeReading[] = [];
  const denied: Promise<void>[] = [];
  for (const [index, result] of results.entries()) {
    const reading = toReading(result);
    if (reading !== undefined) readings[index] = reading;
    else denied.push(readStatOnly(client, result.path).then(statOnly => void (readings[index] = statOnly)));
  }
  await Promise.all(denied);
  return readings;
}

/** One answer of `readMany` to a `getData`, read by `exists` where the data cannot be had. */
export async function readingOf(client: ZooKeeperClient, result: ReadResult): Promise<NodeReading> {
  return toReading(result) ?? (await readStatOnly(client, result.path));
}

/** @returns `undefined` if the data cannot be had */
function toReading(result: ReadResult): NodeReading | undefined {
  if (result.op === 'getData') {
    return { outcome: 'read', path: result.path, node: toChildNode(result.path, result.data, result.stat) };
  }
  if (result.op === 'getChildren') throw new Error(`readMany answered a getData of ${result.path} with children.`);
  if (isZooKeeperError(result.error, 'NO_NODE')) return { outcome: 'gone', path: result.path };
  if (isZooKeeperError(result.error, 'NO_AUTH') || result.error instanceof ReplyTooLargeError) return undefined;
  throw result.error;
}

async function readStatOnly(client: ZooKeeperClient, path: string): Promise<NodeReading> {
  try {
    const stat = await client.exists(path);
    if (stat === undefined) return { outcome: 'gone', path };
    return { outcome: 'read', path, node: toChildNode(path, noData, stat) };
  } catch (error) {
    if (isZooKeeperError(error, 'NO_AUTH')) return { outcome: 'unreadable', path };
    throw error;
  }
}

function toChildNode(path: string, data: Uint8Array, stat: Stat): ChildNode {
  return {
    name: lastSegment(path),
    path,
    // Copied, so that a cut node does not keep the whole reply alive.
    data: data.length > keptDataBytes ? data.slice(0, keptDataBytes) : data,
    czxid: stat.czxid,
    createdAt: stat.ctime,
    ephemeralOwner: stat.ephemeralOwner,
    version: stat.version,
    numChildren: stat.numChildren,
  };
}
