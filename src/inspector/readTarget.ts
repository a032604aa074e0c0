import { parentPath } from '../base/paths.ts';
import type { ReadResult, Stat, ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError, ReplyTooLargeError } from '../zookeeper/errors.ts';

/** A node right now: its stat, `gone`, or `unreadable` where not even that may be known. */
export type StatReading = Stat | 'gone' | 'unreadable';

/**
 * Reads the stats of a node and of its parent in one request, behind a `sync` in the same flush: nothing in the answer is older
 * than this moment. Data that may not be read do not hinder; the stat is then had by `exists`.
 *
 * @throws ZooKeeperError for any other refusal, NotConnectedError, ReplyLostError, CancelledError
 */
export async function readTarget(
  client: ZooKeeperClient,
  path: string,
  signal: AbortSignal | undefined,
): Promise<{ node: StatReading; parent: StatReading }> {
  const paths = [path, parentPath(path)];
  const [, results] = await Promise.all([
    client.sync(path),
    client.readMany(
      paths.map(each => ({ op: 'getData', path: each })),
      signal && { signal },
    ),
  ]);
  const [node = 'gone', parent = 'gone'] = await Promise.all(results.map(result => statOf(client, result)));
  return { node, parent };
}

async function statOf(client: ZooKeeperClient, result: ReadResult): Promise<StatReading> {
  if (result.op === 'getData') return result.stat;
  if (result.op === 'getChildren') throw new Error(`readMany answered a getData of ${result.path} with children.`);
  if (isZooKeeperError(result.error, 'NO_NODE')) return 'gone';
  if (!isZooKeeperError(result.error, 'NO_AUTH') && !(result.error instanceof ReplyTooLargeError)) throw result.error;
  try {
    return (await client.exists(result.path)) ?? 'gone';
  } catch (error) {
    if (isZooKeeperError(error, 'NO_AUTH')) return 'unreadable';
    throw error;
  }
}
