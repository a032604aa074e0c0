import { childPath, lastSegment, parentPath } from '../../base/paths.ts';
import type { JournalNode } from '../../journal/entry.ts';
import { keptData } from '../../journal/keptData.ts';
import type { ChildNode } from '../../locks/lockDirectory.ts';
import type { ReadResult, Stat, ZooKeeperClient } from '../../zookeeper/client.ts';
import { isZooKeeperError, ReplyTooLargeError } from '../../zookeeper/errors.ts';

/** A node as it was read. */
export interface NodeState {
  node: JournalNode;
  numChildren: number;
  /** When a child last came or went. */
  pzxid: bigint;
}

/** `unreadable`: it is there, but neither its data nor its stat may be read. */
export type NodeReading = NodeState | 'gone' | 'unreadable';

export interface NodeReadOptions {
  /** The person asked for the data: they are kept whole. */
  isWholeData: boolean;
  signal: AbortSignal;
}

const noData = new Uint8Array(0);

/**
 * Reads nodes in one go, with as much of their data as a journal keeps.
 *
 * @throws ZooKeeperError for an answer that is neither a node nor a refusal, NotConnectedError, ReplyLostError, CancelledError
 */
export async function readStates(
  client: Pick<ZooKeeperClient, 'readMany' | 'exists'>,
  paths: readonly string[],
  options: NodeReadOptions,
): Promise<Map<string, NodeReading>> {
  const readings = new Map<string, NodeReading>();
  const withoutData: string[] = [];
  const onResult = (result: ReadResult): void => {
    if (result.op === 'getData') readings.set(result.path, stateOf(result.path, result.data, result.stat, options));
    else if (result.op !== 'error' || isDenied(result.error)) withoutData.push(result.path);
    else if (isZooKeeperError(result.error, 'NO_NODE')) readings.set(result.path, 'gone');
    else throw result.error;
  };
  if (paths.length === 0) return readings;
  const reads = paths.map(path => ({ op: 'getData', path }) as const);
  await client.readMany(reads, { onResult, signal: options.signal });
  await Promise.all(
    withoutData.map(async path => {
      readings.set(path, await readStat(client, path, options));
    }),
  );
  return readings;
}

function isDenied(error: unknown): boolean {
  return isZooKeeperError(error, 'NO_AUTH') || error instanceof ReplyTooLargeError;
}

/** Its data may not be read, or are too large to be sent. */
async function readStat(
  client: Pick<ZooKeeperClient, 'exists'>,
  path: string,
  options: NodeReadOptions,
): Promise<NodeReading> {
  try {
    const stat = await client.exists(path);
    return stat === undefined ? 'gone' : stateOf(path, noData, stat, options);
  } catch (error) {
    if (isZooKeeperError(error, 'NO_AUTH')) return 'unreadable';
    throw error;
  }
}

function stateOf(path: string, data: Uint8Array, stat: Stat, { isWholeData }: NodeReadOptions): NodeState {
  const directory = parentPath(path);
  const child: ChildNode = {
    name: lastSegment(path),
    path,
    data,
    czxid: stat.czxid,
    createdAt: stat.ctime,
    modifiedAt: stat.mtime,
    ephemeralOwner: stat.ephemeralOwner,
    version: stat.version,
    numChildren: stat.numChildren,
  };
  const kept = keptData(directory, child, isWholeData);
  return {
    node: {
      // A text of its own, so that it does not keep the request.
      path: path === '/' ? path : childPath(directory, child.name),
      czxid: stat.czxid,
      mzxid: stat.mzxid,
      ctime: stat.ctime,
      mtime: stat.mtime,
      version: stat.version,
      owner: stat.ephemeralOwner,
      // A view would keep the whole reply.
      data: kept.buffer === data.buffer ? kept.slice() : kept,
    },
    numChildren: stat.numChildren,
    pzxid: stat.pzxid,
  };
}

/** Stands for a node of which nothing but its path is known. @param czxid 0n: not known */
export function unreadNode(path: string, czxid: bigint, time: number): JournalNode {
  const at = { czxid, mzxid: czxid, ctime: time, mtime: time };
  return { path, ...at, version: 0, owner: 0n, data: noData, isUnread: true };
}
