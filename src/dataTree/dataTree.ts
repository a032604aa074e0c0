import type { ServerEvent, Stat } from '../zookeeper/wire/records.ts';
import { openAcl, readOnlyAcl, type AclEntry } from './acl.ts';
import { ErrorCode } from '../zookeeper/wire/errorCodes.ts';
import { MapNodes, type NodeStore } from './nodeStore.ts';
import type { Change, Transaction } from './transaction.ts';
import { ownerKind, type Sized, ttlOf, Znode } from './znode.ts';

/**
 * Gets each change of a node as watches see it, in the order in which the server reports them.
 *
 * @param acl of the node: who may not read it gets no event
 */
export type ChangeListener = (event: ServerEvent, acl: readonly AclEntry[], zxid: bigint) => void;

/** What a transaction did. */
export interface Applied {
  /** A code of `ErrorCode`. */
  error: number;
  /** Of the node that was created or changed. */
  path?: string;
  /** Of that node afterwards. */
  stat?: Stat | undefined;
  /** Of a multi, part by part. */
  parts?: Applied[];
}

/** Of a transaction. */
export type Header = Omit<Transaction, 'change'>;

const ok: Applied = { error: ErrorCode.OK };
const noNode: Applied = { error: ErrorCode.NO_NODE };

/**
 * The nodes of a ZooKeeper, changed by transactions alone, as in DataTree.java (3.9). Pure: no clock, no I/O. A transaction that does
 * not fit (its node is gone) ends with an error and changes nothing, as a server does that replays its log over a fuzzy snapshot.
 *
 * @typeParam Data what stands for the data of nodes where it is not their bytes
 */
export class DataTree<Data extends Sized = Uint8Array> {
  private readonly nodes: NodeStore<Data | Uint8Array>;
  private readonly ownedBy = new Map<bigint, Set<string>>();
  private readonly containers = new Set<string>();
  private readonly ttlNodes = new Set<string>();
  private readonly onChange: ChangeListener;
  /** Of the last transaction that was applied. */
  lastZxid = 0n;

  /**
   * @param nodes an empty store gets the nodes that every server has. Of a store that is not empty the tree knows no owners: the
   * ephemeral nodes of a session are those that were created here, and nothing else is removable
   */
  constructor(
    onChange: ChangeListener = () => undefined,
    nodes: NodeStore<Data | Uint8Array> = new MapNodes<Data | Uint8Array>(),
  ) {
    this.onChange = onChange;
    this.nodes = nodes;
    if (nodes.get('/') !== undefined) return;
    this.place('/', openAcl);
    this.place('/zookeeper', openAcl);
    this.place('/zookeeper/quota', openAcl);
    this.place('/zookeeper/config', readOnlyAcl).aversion = -1;
  }

  private place(path: string, acl: readonly AclEntry[]): Znode<Data | Uint8Array> {
    const node = new Znode<Data | Uint8Array>(new Uint8Array(0), acl, 0n, 0n, 0);
    this.nodes.add(path, node, path === '/' ? undefined : this.nodes.change(directoryOf(path)));
    return node;
  }

  get(path: string): Znode<Data | Uint8Array> | undefined {
    return this.nodes.get(path);
  }

  /** Names of the children of a node; the order means nothing. */
  childrenOf(path: string): Iterable<string> {
    return this.nodes.childrenOf(path);
  }

  /** How many nodes there are as the server counts them: ZooKeeper's own are included, and the root is there twice. */
  get size(): number {
    return this.nodes.size + 1;
  }

  /** How many nodes are below `path`, at any depth. Goes through all nodes, as the server does. */
  countBelow(path: string): number {
    if (path === '/') return this.nodes.size - 1;
    const start = `${path}/`;
    let count = 0;
    for (const each of this.nodes.paths()) if (each.startsWith(start)) count++;
    return count;
  }

  /** The ephemeral nodes of a session. */
  ephemeralsOf(sessionId: bigint): Iterable<string> {
    return this.ownedBy.get(sessionId) ?? [];
  }

  /** The sessions that have ephemeral nodes, with these. */
  get ephemerals(): ReadonlyMap<bigint, ReadonlySet<string>> {
    return this.ownedBy;
  }

  /**
   * The nodes that the server removes by itself now (ContainerManager.java): containers that had children and have none, and TTL nodes
   * without children that were not written for longer than their TTL.
   *
   * @param now epoch ms
   */
  removable(now: number): string[] {
    const isDone = (path: string): boolean => {
      const node = this.nodes.get(path);
      return (
        node?.childCount === 0 &&
        (ownerKind(node.owner) === 'ttl' ? this.isOverdue(node, now) : node.childrenCreated > 0)
      );
    };
    return [...this.containers, ...this.ttlNodes].filter(isDone);
  }

  private isOverdue(node: Znode<Sized>, now: number): boolean {
    return now - node.mtime > ttlOf(node.owner);
  }

  /** Whether there is a node that may be removable later. */
  get hasRemovable(): boolean {
    return this.containers.size + this.ttlNodes.size > 0;
  }

  /** Places a node that a snapshot has, without an event. @returns false if there is no parent for it */
  restore(path: string, node: Znode<Data | Uint8Array>): boolean {
    const existing = this.nodes.change(path);
    existing?.assign(node);
    if (existing !== undefined) return true;
    const parent = this.nodes.change(directoryOf(path));
    if (parent === undefined) return false;
    this.nodes.add(path, node, parent);
    this.listOwned(path, node.owner);
    return true;
  }

  /** Applies one transaction. `stat` and `path` of the result are those that a reply shows. */
  apply(transaction: Transaction<Data | Uint8Array>): Applied {
    const applied = this.change(transaction.change, transaction);
    if (transaction.zxid > this.lastZxid) this.lastZxid = transaction.zxid;
    return applied;
  }

  private change(change: Change<Data | Uint8Array>, header: Header): Applied {
    switch (change.type) {
      case 'create':
        return this.create(change, header);
      case 'delete':
        return this.delete(change.path, header.zxid);
      case 'setData':
        return this.setData(change, header);
      case 'setAcl':
        return this.setAcl(change);
      case 'closeSession':
        return this.closeSession(change.paths, header);
      case 'multi':
        return this.multi(change.parts, header);
      case 'error':
        return { error: change.code };
      case 'check':
        return { error: ErrorCode.OK, path: change.path };
      case 'createSession':
        return ok;
    }
  }

  /** The stat that a reply shows. */
  protected statOf(node: Znode<Data | Uint8Array>): Stat | undefined {
    return node.stat();
  }

  /** Creates one node. A node that is there keeps its data (DataTree.createNode). */
  protected create(change: Change<Data | Uint8Array> & { type: 'create' }, { zxid, time }: Header): Applied {
    const { path, data, acl, owner } = change;
    const directory = directoryOf(path);
    const parent = this.nodes.change(directory);
    if (parent === undefined) return noNode;
    const existing = this.nodes.change(path);
    countChild(parent, change.parentChildrenCreated, zxid);
    if (existing !== undefined) {
      existing.acl = acl;
      return { error: ErrorCode.NODE_EXISTS };
    }
    const node = new Znode<Data | Uint8Array>(data, acl, owner, zxid, time);
    this.nodes.add(path, node, parent);
    this.listOwned(path, owner);
    this.onChange({ type: 'created', path }, acl, zxid);
    this.onChange({ type: 'childrenChanged', path: directory === '' ? '/' : directory }, parent.acl, zxid);
    return { error: ErrorCode.OK, path, stat: this.statOf(node) };
  }

  private listOwned(path: string, owner: bigint): void {
    const kind = ownerKind(owner);
    if (kind === 'container') this.containers.add(path);
    else if (kind === 'ttl') this.ttlNodes.add(path);
    else if (kind === 'session') {
      const paths = this.ownedBy.get(owner);
      if (paths === undefined) this.ownedBy.set(owner, new Set([path]));
      else paths.add(path);
    }
  }

  private unlistOwned(path: string, owner: bigint): void {
    this.containers.delete(path);
    this.ttlNodes.delete(path);
    const paths = this.ownedBy.get(owner);
    if (paths?.delete(path) === true && paths.size === 0) this.ownedBy.delete(owner);
  }

  /** Deletes one node. What is below it stays, and cannot be reached: no request of a client gets there. */
  protected delete(path: string, zxid: bigint): Applied {
    const directory = directoryOf(path);
    const parent = this.nodes.change(directory);
    if (parent === undefined) return noNode;
    if (zxid > parent.pzxid) parent.pzxid = zxid;
    const node = this.nodes.get(path);
    if (node === undefined) return noNode;
    this.nodes.delete(path, parent);
    this.unlistOwned(path, node.owner);
    this.onChange({ type: 'deleted', path }, node.acl, zxid);
    this.onChange({ type: 'childrenChanged', path: directory === '' ? '/' : directory }, parent.acl, zxid);
    return { error: ErrorCode.OK, path };
  }

  private setData(change: Change<Data | Uint8Array> & { type: 'setData' }, { zxid, time }: Header): Applied {
    const { path, data, version } = change;
    const node = this.nodes.change(path);
    if (node === undefined) return noNode;
    node.data = data;
    node.mtime = time;
    node.mzxid = zxid;
    node.version = version;
    const stat = this.statOf(node);
    this.onChange({ type: 'dataChanged', path }, node.acl, zxid);
    return { error: ErrorCode.OK, path, stat };
  }

  private setAcl({ path, acl, version }: Change & { type: 'setAcl' }): Applied {
    const node = this.nodes.change(path);
    if (node === undefined) return noNode;
    node.acl = acl;
    node.aversion = version;
    return { error: ErrorCode.OK, path, stat: this.statOf(node) };
  }

  protected closeSession(paths: readonly string[] | undefined, { sessionId, zxid }: Header): Applied {
    const left = new Set([...(paths ?? []), ...this.ephemeralsOf(sessionId)]);
    for (const path of left) this.delete(path, zxid);
    this.ownedBy.delete(sessionId);
    return ok;
  }

  private multi(parts: readonly Change<Data | Uint8Array>[], header: Header): Applied {
    const failedAt = parts.findIndex(({ type }) => type === 'error');
    if (failedAt === -1) return { error: ErrorCode.OK, parts: parts.map(part => this.change(part, header)) };
    // Nothing of a multi happens unless all of it does.
    const results = parts.map((part, at) => {
      if (part.type === 'error') return part.code;
      return at < failedAt ? ErrorCode.OK : ErrorCode.RUNTIME_INCONSISTENCY;
    });
    return { error: results[failedAt] ?? ErrorCode.OK, parts: results.map(error => ({ error })) };
  }
}

/**
 * The number of created children only grows: a log replayed over a newer snapshot must not turn it back. So after 2,147,483,647 it stays
 * where it is (ZOOKEEPER-4706).
 */
function countChild(parent: Znode<Sized>, childrenCreated: number, zxid: bigint): void {
  const next = childrenCreated === -1 ? (parent.childrenCreated + 1) | 0 : childrenCreated;
  if (next <= parent.childrenCreated) return;
  parent.childrenCreated = next;
  parent.pzxid = zxid;
}

/** @returns what stands before the last slash: `''`, a name of the root, for its children */
function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
