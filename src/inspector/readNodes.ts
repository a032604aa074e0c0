import type { ChildNode } from '../locks/lockDirectory.ts';
import { plainTextIn } from '../locks/nodeData.ts';
import { memberOf } from '../locks/recognition/members.ts';
import { childPath, lastSegment, parentPath } from '../base/paths.ts';
import type { NodeResult, ReadResult, Stat, ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError, ReplyTooLargeError } from '../zookeeper/errors.ts';

/** A node to read, and at the same time the request for `readMany`: no second object for each of 10,000 contenders. */
export interface NodeRequest {
  op: 'getData';
  readonly path: string;
  readonly name: string;
  /** The path of its parent. */
  readonly directory: string;
}

/** The result of reading one node. `unreadable`: it exists, but neither its data nor its stat may be read. */
export type NodeReading = ChildNode | 'gone' | 'unreadable';

/** Why the data cannot be read. */
type WithoutData = 'denied' | 'too large';

/** A znode may hold 1 MB. Identifiers are much shorter, and the nodes of a queue of 10,000 must fit in memory. */
const keptDataBytes = 64 * 1024;

/** A request for one of many children. Its path is made when it is sent: 100,000 of them take as much memory as the nodes. */
export class ChildRequest implements NodeRequest {
  readonly op = 'getData';
  readonly directory: string;
  readonly name: string;

  constructor(directory: string, name: string) {
    this.directory = directory;
    this.name = name;
  }

  get path(): string {
    return childPath(this.directory, this.name);
  }
}

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
  const readings = new Array<NodeReading>(requests.length);
  const withoutData: { request: NodeRequest; at: number; why: WithoutData }[] = [];
  let before = { of: '', text: '' };
  const onResult = (result: ReadResult, at: number): void => {
    const request = requests[at];
    if (request === undefined) return;
    const { directory } = request;
    if (before.of !== directory) before = { of: directory, text: childPath(directory, '') };
    const reading = toReading(request, before.text, result);
    if (reading === 'denied' || reading === 'too large') withoutData.push({ request, at, why: reading });
    else readings[at] = reading;
    // Parse the name now, while further replies are under way: it then adds no time.
    if (typeof reading === 'object') memberOf(directory, reading);
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
  const reading = toReading(request, childPath(request.directory, ''), result);
  return reading === 'denied' || reading === 'too large' ? readStatOnly(client, request, reading) : reading;
}

function toReading(request: NodeRequest, directory: string, result: ReadResult | undefined): NodeReading | WithoutData {
  if (result?.op === 'getData') return new ReadNode(request, directory, result.stat, latin1Of(result));
  if (result?.op !== 'error') throw new Error(`readMany did not answer the getData of ${request.path}.`);
  if (isZooKeeperError(result.error, 'NO_NODE')) return 'gone';
  if (isZooKeeperError(result.error, 'NO_AUTH')) return 'denied';
  if (result.error instanceof ReplyTooLargeError) return 'too large';
  throw result.error;
}

function latin1Of(node: NodeResult): string {
  if (node.latin1 !== undefined) return node.latin1(keptDataBytes);
  const { buffer, byteOffset, length } = node.data;
  return Buffer.from(buffer, byteOffset, Math.min(length, keptDataBytes)).toString('latin1');
}

async function readStatOnly(client: ZooKeeperClient, request: NodeRequest, why: WithoutData): Promise<NodeReading> {
  try {
    const stat = await client.exists(request.path);
    if (stat === undefined) return 'gone';
    const node = new ReadNode(request, childPath(request.directory, ''), stat, '');
    if (why === 'denied') node.isDataDenied = true;
    return node;
  } catch (error) {
    if (isZooKeeperError(error, 'NO_AUTH')) return 'unreadable';
    throw error;
  }
}

/** A node as read, in little memory: a queue has up to 100,000, of which most are looked at once. */
class ReadNode implements ChildNode {
  readonly name: string;
  /** Made of two texts, and not the one that was sent, which is a whole copy of both. */
  readonly path: string;
  readonly czxid: bigint;
  readonly createdAt: number;
  readonly ephemeralOwner: bigint;
  readonly version: number;
  readonly numChildren: number;
  isDataDenied?: boolean;
  member: ChildNode['member'];
  /** Mostly 0, which takes no object of its own as a moment does. */
  private readonly modifiedAfterMs: number;
  /** One character for each byte: an array of its own takes five times the memory, and a view keeps the whole reply. */
  private readonly bytes: string;

  /**
   * @param directory what stands before the name: one text for all of a directory
   * @param bytes the data, one character for each byte
   */
  constructor({ name }: NodeRequest, directory: string, stat: Stat, bytes: string) {
    this.name = name;
    this.path = directory + name;
    this.czxid = stat.czxid;
    this.createdAt = stat.ctime;
    this.modifiedAfterMs = stat.mtime - stat.ctime;
    this.ephemeralOwner = stat.ephemeralOwner;
    this.version = stat.version;
    this.numChildren = stat.numChildren;
    this.member = undefined;
    this.bytes = bytes;
  }

  get modifiedAt(): number {
    return this.createdAt + this.modifiedAfterMs;
  }

  get data(): Uint8Array {
    return Buffer.from(this.bytes, 'latin1');
  }

  get plainText(): string | undefined {
    return plainTextIn(this.bytes);
  }
}
