import { lastSegment, parentPath } from '../../base/paths.ts';
import { baseOfQueue } from '../../locks/libraries/queueBeside.ts';
import { furtherDirectories } from '../../locks/recognition/recognise.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import type { BatchReadings, NotedEvent } from './changeBatch.ts';
import { readWhole } from './lockReading.ts';
import type { LockTree } from './lockTree.ts';
import { readStates, type NodeReading, type NodeReadOptions, type NodeState } from './nodeStates.ts';

/** Says which events concern locks, and reads what they are about. */
export class LockEvents {
  private readonly client: Pick<ZooKeeperClient, 'readMany' | 'exists'>;
  private readonly tree: LockTree;
  private readonly parts: NodeReadOptions & { concerns(path: string): boolean };

  constructor(
    client: Pick<ZooKeeperClient, 'readMany' | 'exists'>,
    tree: LockTree,
    parts: NodeReadOptions & { concerns(path: string): boolean },
  ) {
    this.client = client;
    this.tree = tree;
    this.parts = parts;
  }

  /** The events that concern locks, also locks that appear with one of them. */
  ofLocks(events: readonly NotedEvent[]): NotedEvent[] {
    const expected = new Set<string>();
    return events.filter(({ type, path }) => {
      const directory = parentPath(path);
      if (this.isOfLock(path, directory)) {
        if (type === 'created') for (const each of this.appearing(path, directory)) expected.add(each);
        return true;
      }
      return expected.has(directory) || expected.has(path);
    });
  }

  private isOfLock(path: string, directory: string): boolean {
    const { tree } = this;
    if (path === '/zookeeper' || path.startsWith('/zookeeper/')) return false;
    return tree.isDirectory(directory) || tree.isDirectory(path) || tree.nodes.has(path) || this.parts.concerns(path);
  }

  /**
   * Reads the nodes of events, and the directories of locks that appear with them.
   *
   * @param last transaction that was passed on
   * @param firstPossible no transaction before that made one of the events; 0n: not known
   * @throws what reading throws
   */
  async read(events: readonly NotedEvent[], last: bigint, firstPossible: bigint): Promise<BatchReadings> {
    const paths = new Set<string>();
    /** By directory: the path of the first node of a lock in it, or of the queue beside it. */
    const appeared = new Map<string, string>();
    for (const { type, path, zxid } of events) {
      const directory = parentPath(path);
      if (type !== 'deleted') paths.add(path);
      else if (zxid === undefined) {
        paths.add(directory);
        if (!this.isOlder(path, firstPossible)) paths.add(path);
      }
      if (type !== 'created') continue;
      for (const each of this.appearing(path, directory)) if (!appeared.has(each)) appeared.set(each, path);
    }
    const states = await readStates(this.client, [...paths], this.parts);
    const older = new Map<string, NodeState[]>();
    for (const [each, first] of appeared) {
      older.set(first, [...(older.get(first) ?? []), ...(await this.adopt(each, states.get(first), last))]);
    }
    // Events that came before the answers are delivered by then.
    await new Promise(resolve => setImmediate(resolve));
    return { states, older };
  }

  /** Directories of which a lock is part since a node came, and that are not kept yet; some need not exist. */
  private appearing(path: string, directory: string): string[] {
    const base = baseOfQueue(path);
    const own = this.tree.isDirectory(directory)
      ? []
      : [directory, ...furtherDirectories(directory, [lastSegment(path)])];
    const all = base === undefined ? own : [...own, base];
    return all.filter(each => !this.tree.isDirectory(each));
  }

  /** Whether a node is known that came before, so that a deletion is about no other one. */
  private isOlder(path: string, firstPossible: bigint): boolean {
    const { czxid = 0n } = this.tree.nodes.get(path) ?? {};
    return czxid !== 0n && czxid < firstPossible;
  }

  /**
   * A lock appeared in a directory, which is kept whole from now on.
   *
   * @param first its first node
   * @returns what was there before that; the rest has events of its own
   */
  private async adopt(directory: string, first: NodeReading | undefined, last: bigint): Promise<NodeState[]> {
    const there = await readWhole(this.client, directory, this.parts);
    if (there.get(directory) === 'gone') return [];
    this.tree.keep(directory);
    const before = typeof first === 'object' ? first.node.czxid : last + 1n;
    return [...there.values()].flatMap(each => (typeof each === 'object' && each.node.mzxid < before ? each : []));
  }
}
