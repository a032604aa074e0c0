import { toDisposable, type Disposable } from '../base/disposable.ts';
import { type Interruptible, inTurns, type SharedTurns } from '../base/interruptible.ts';
import type { Znode } from '../dataTree/znode.ts';
import type { Moment } from '../history/hold.ts';
import type {
  Acl,
  ReadManyOptions,
  ReadRequest,
  ReadResult,
  SessionState,
  SessionStateChange,
  Stat,
  ZooKeeperClient,
} from '../zookeeper/client.ts';
import { CancelledError, NotConnectedError, ReplyTooLargeError, ZooKeeperError } from '../zookeeper/errors.ts';
import { ErrorCode } from '../zookeeper/wire/errorCodes.ts';
import { inLetters } from '../zookeeper/wire/records.ts';
import { keptBytes, readStored, type StoredData } from './storedData.ts';
import { StoredDataError } from './storedDataError.ts';

/** The nodes of a moment. They do not change. */
export interface MomentTree {
  /** Only to be read. */
  get(path: string): Znode<StoredData> | undefined;
  /** Names; none of a node that is not there. */
  childrenOf(path: string): Iterable<string>;
  /** Whether a node is there that could not be read when it was recorded. */
  isUnread?(path: string): boolean;
}

/** What a moment is read from. */
export interface MomentSource {
  readonly isClosed: boolean;
  /** Of all its clients. */
  readonly turns: SharedTurns;
  /** The tree after a transaction. */
  treeAt(zxid: bigint): Promise<MomentTree>;
  /** Whether a tree can still be read; asked again in each turn. */
  isCurrent(tree: MomentTree): boolean;
}

/** So many reads are answered between two looks at the clock. */
const readsPerLook = 64;

/**
 * Reads the nodes as they were at a moment of a recording. There is no session: nothing is written, nothing changes, so watches never
 * fire, and ACLs hide nothing. The nodes are made at the first read. Errors are those of a live session, and StoredDataError.
 */
export class MomentClient implements ZooKeeperClient {
  readonly sessionId = 0n;
  readonly sessionTimeoutMs = 0;
  readonly server = undefined;
  /** Time of the moment. */
  readonly lastContactAt: number;
  private readonly source: MomentSource;
  private readonly zxid: bigint;
  private readonly listeners = new Set<(change: SessionStateChange) => void>();
  private isClosed = false;

  constructor(source: MomentSource, { zxid, time }: Moment) {
    this.source = source;
    this.zxid = zxid;
    this.lastContactAt = time;
  }

  get state(): SessionState {
    return this.isClosed || this.source.isClosed ? 'closed' : 'connected';
  }

  onState(listener: (change: SessionStateChange) => void): Disposable {
    const entry = (change: SessionStateChange): void => listener(change);
    this.listeners.add(entry);
    return toDisposable(() => this.listeners.delete(entry));
  }

  confirmByQuorum(): Disposable {
    return toDisposable(() => undefined);
  }

  create(path: string): Promise<never> {
    return refuse('create', path);
  }

  setData(path: string): Promise<never> {
    return refuse('setData', path);
  }

  remove(path: string): Promise<never> {
    return refuse('remove', path);
  }

  async exists(path: string): Promise<Stat | undefined> {
    return find(await this.tree('exists', path), 'exists', path)?.stat();
  }

  async getData(path: string): Promise<{ data: Uint8Array; stat: Stat }> {
    const node = require(await this.tree('getData', path), 'getData', path);
    return { data: await readStored(node.data), stat: node.stat() };
  }

  async getChildren(path: string): Promise<{ children: string[]; stat: Stat }> {
    const stat = require(await this.tree('getChildren', path), 'getChildren', path).stat();
    return { children: await this.list(path), stat };
  }

  async getAcl(path: string): Promise<{ acl: Acl[]; stat: Stat }> {
    const node = require(await this.tree('getAcl', path), 'getAcl', path);
    return { acl: inLetters(node.acl), stat: node.stat() };
  }

  /** There is no identity. */
  whoAmI(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async sync(path: string): Promise<void> {
    await this.tree('sync', path);
  }

  async readMany(reads: readonly ReadRequest[], { signal, onResult }: ReadManyOptions = {}): Promise<ReadResult[]> {
    const results: ReadResult[] = [];
    const keep = onResult ?? ((result: ReadResult, at: number) => void (results[at] = result));
    const isWanted = (): boolean => signal?.aborted !== true;
    // Lists and data in files are read one after the other: all at once they would be in memory together.
    const later = await this.readAtHand(reads, keep, isWanted);
    for (const [at, read] of later) if (isWanted()) keep(await this.answer(read), at);
    if (!isWanted()) throw new CancelledError('Reading');
    return results;
  }

  /** @returns a watch that never fires */
  async watchTree(path: string): Promise<Disposable> {
    await this.tree('watchTree', path);
    return toDisposable(() => undefined);
  }

  close(): Promise<void> {
    if (this.state !== 'closed') {
      this.isClosed = true;
      const change = { state: 'closed', reason: 'closed', lastContactAt: this.lastContactAt } as const;
      for (const listener of [...this.listeners]) listener(change);
    }
    return Promise.resolve();
  }

  private async tree(operation: string, path: string): Promise<MomentTree> {
    this.checkOpen(operation, path);
    await this.source.turns.share();
    this.checkOpen(operation, path);
    const tree = await this.source.treeAt(this.zxid);
    this.checkOpen(operation, path);
    return tree;
  }

  private checkOpen(operation: string, path: string): void {
    if (this.state === 'closed') throw new NotConnectedError(operation, path, 'closed');
  }

  private async list(path: string): Promise<string[]> {
    for (;;) {
      const tree = await this.tree('getChildren', path);
      const names: string[] = [];
      await inTurns(collect(tree.childrenOf(path), names));
      if (this.source.isCurrent(tree)) return names;
    }
  }

  private async answer({ op, path }: ReadRequest): Promise<ReadResult> {
    if (op === 'getChildren') return { op, path, children: await this.list(path) };
    try {
      return { op, path, ...(await this.getData(path)) };
    } catch (error) {
      if (!(error instanceof StoredDataError)) throw error;
      // As of data that are too large for a reply: whatever reads many nodes goes on with the stat of this one.
      return { op: 'error', path, error: new ReplyTooLargeError(op, path, 0) };
    }
  }

  /** Answers what needs no other file and no list. @returns the others, with their places */
  private async readAtHand(
    reads: readonly ReadRequest[],
    keep: (result: ReadResult, at: number) => void,
    isWanted: () => boolean,
  ): Promise<[at: number, read: ReadRequest][]> {
    const later: [number, ReadRequest][] = [];
    for (let at = 0; at < reads.length && isWanted();) {
      const tree = await this.tree('readMany', reads[0]?.path ?? '/');
      at = (await inTurns(this.answerMany(tree, reads, at, keep, later), isWanted)) ?? at;
    }
    return later;
  }

  /** @returns where it ended: behind the last one, or where the tree cannot be read any more */
  private *answerMany(
    tree: MomentTree,
    reads: readonly ReadRequest[],
    start: number,
    keep: (result: ReadResult, at: number) => void,
    later: [at: number, read: ReadRequest][],
  ): Interruptible<number> {
    for (let at = start; at < reads.length; at += readsPerLook) {
      yield;
      if (!this.source.isCurrent(tree)) return at;
      for (const [place, read] of reads.slice(at, at + readsPerLook).entries()) {
        const result = atHand(tree, read);
        if (result === undefined) later.push([at + place, read]);
        else keep(result, at + place);
      }
    }
    return reads.length;
  }
}

/** @returns `undefined` where a file or a list has to be read */
function atHand(tree: MomentTree, { op, path }: ReadRequest): ReadResult | undefined {
  if (isUnread(tree, path)) return { op: 'error', path, error: new ZooKeeperError(ErrorCode.NO_AUTH, op, path) };
  const node = path === '' ? undefined : tree.get(path);
  if (node === undefined) return { op: 'error', path, error: new ZooKeeperError(ErrorCode.NO_NODE, op, path) };
  const data = op === 'getData' ? keptBytes(node.data) : undefined;
  return data && { op: 'getData', path, data, stat: node.stat() };
}

function isUnread(tree: MomentTree, path: string): boolean {
  return tree.isUnread?.(path) === true;
}

/** @throws ZooKeeperError NO_AUTH for a node that could not be read */
function find(tree: MomentTree, operation: string, path: string): Znode<StoredData> | undefined {
  if (isUnread(tree, path)) throw new ZooKeeperError(ErrorCode.NO_AUTH, operation, path);
  return path === '' ? undefined : tree.get(path);
}

/** Writes are refused as by a server in read-only mode. */
function refuse(operation: string, path: string): Promise<never> {
  return Promise.reject(new ZooKeeperError(ErrorCode.NOT_READONLY, operation, path));
}

function require(tree: MomentTree, operation: string, path: string): Znode<StoredData> {
  const node = find(tree, operation, path);
  if (node === undefined) throw new ZooKeeperError(ErrorCode.NO_NODE, operation, path);
  return node;
}

function* collect(names: Iterable<string>, into: string[]): Interruptible<void> {
  for (const name of names) if (into.push(name) % readsPerLook === 0) yield;
}
