import { childPath } from '../base/paths.ts';
import { canJoin, contenderNaming, writtenDialect } from '../locks/libraries/registry.ts';
import type { DialectId, LockQueue } from '../locks/lockQueue.ts';
import { ensureDirectory } from '../recipes/ownNode.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { unlessAnswered } from '../zookeeper/errors.ts';

/** Nodes of contenders that no session keeps alive, as a faulty program leaves them. */
export class LeftNodes {
  private readonly czxids = new Set<bigint>();
  /** Noted before the create, whose reply may be lost: the data has an id, so the node is found all the same. */
  private readonly made: { readonly directory: string; readonly data: Buffer }[] = [];

  has(czxid: bigint): boolean {
    return this.czxids.has(czxid);
  }

  /**
   * @param dialect default: the one in use there, Curator's if there is none
   * @throws ZooKeeperError, NotConnectedError, OutcomeUnknownError
   */
  async leave(
    client: ZooKeeperClient,
    directory: string,
    name: string,
    dialect: DialectId | undefined,
    queues: readonly LockQueue[],
  ): Promise<void> {
    const inUse = queues.find(queue => canJoin(queue.dialect, 'mutex'))?.dialect;
    const attemptId = crypto.randomUUID();
    const naming = contenderNaming(writtenDialect(dialect ?? inUse ?? 'curator'), 'mutex');
    const prefix = naming?.prefix({ attemptId, sessionId: client.sessionId }) ?? 'lock-';
    const data = Buffer.from(`${name} #${attemptId}`);
    this.made.push({ directory, data });
    await ensureDirectory(client, directory);
    const { stat } = await client.create(childPath(directory, prefix), { data, mode: 'persistent_sequential' });
    this.czxids.add(stat.czxid);
  }

  /** The directories in which some may be. */
  get directories(): string[] {
    return [...new Set(this.made.map(({ directory }) => directory))];
  }

  /** Removes those that are there. @throws ZooKeeperError, NotConnectedError, OutcomeUnknownError, ReplyLostError */
  async remove(client: ZooKeeperClient, directory: string): Promise<void> {
    const listed = await unlessAnswered(client.getChildren(directory), 'NO_NODE');
    const paths = listed?.children.map(child => childPath(directory, child)) ?? [];
    const own = this.made.filter(each => each.directory === directory);
    for (const read of await client.readMany(paths.map(path => ({ op: 'getData', path })))) {
      if (read.op !== 'getData' || !own.some(({ data }) => data.equals(read.data))) continue;
      await unlessAnswered(client.remove(read.path, read.stat.version), 'NO_NODE');
    }
  }
}
