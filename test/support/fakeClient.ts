import { toDisposable, type Disposable } from '../../src/base/disposable.ts';
import type {
  Acl,
  CreateOptions,
  ReadManyOptions,
  ReadOptions,
  ReadRequest,
  ReadResult,
  SessionState,
  SessionStateChange,
  Stat,
  TreeEvent,
  WatchEvent,
  ZooKeeperClient,
} from '../../src/zookeeper/client.ts';
import { CancelledError, NotConnectedError, ZooKeeperError } from '../../src/zookeeper/errors.ts';
import type { SessionCause } from '../../src/zookeeper/sessionCause.ts';

interface FakeNode {
  data: Uint8Array;
  stat: Stat;
}

type OneShotWatches = Map<string, Set<(event: WatchEvent) => void>>;

const noNode = -101;
const noAuth = -102;
const badVersion = -103;
const nodeExists = -110;
const notEmpty = -111;

/**
 * ZooKeeper in memory behind the client interface: a tree that the test changes synchronously (`put`, `change`, `drop`),
 * answers that come later, tree events that come at once, as long as the session is connected. As servers do since 3.8.4 and
 * 3.9.2, it reports no event of a node that may not be read. Of one-shot watches, those of `getChildren` and `getData` are faked.
 */
export class FakeClient implements ZooKeeperClient {
  readonly sessionId = 0x1000n;
  readonly sessionTimeoutMs = 10_000;
  lastContactAt = 0;
  server: string | undefined = 'fake:2181';
  state: SessionState = 'connected';
  /** Every read that was answered, as `getData /path`. */
  readonly reads: string[] = [];
  /** Nodes whose data and children may not be read. */
  readonly denied = new Set<string>();
  /** Nodes of which not even the stat may be read. */
  readonly hidden = new Set<string>();
  /** Nodes that may not be deleted. */
  readonly undeletable = new Set<string>();
  /** Called before each single read is answered: the place to change the tree in the middle of a bulk read. */
  beforeRead: ((request: ReadRequest) => void) | undefined;
  /** Called after an answer was taken from the tree and before it is handed over. */
  beforeReply: (() => Promise<void> | void) | undefined;
  /** As with a real session: an event is delivered after the answers that arrived together with it. */
  tellsLate = false;
  /** Called before a tree watch is set. */
  beforeWatch: ((path: string) => void) | undefined;
  private readonly nodes = new Map<string, FakeNode>([['/', { data: new Uint8Array(), stat: newStat(0n, 0n) }]]);
  private readonly children = new Map<string, Set<string>>();
  private readonly watches = new Set<{ path: string; listener: (event: TreeEvent) => void }>();
  private readonly childWatches: OneShotWatches = new Map();
  private readonly dataWatches: OneShotWatches = new Map();
  private readonly stateListeners = new Set<(change: SessionStateChange) => void>();
  private zxid = 0n;
  /** How many ask for a confirmation by a quorum. */
  quorumUsers = 0;

  get watchCount(): number {
    return this.watches.size;
  }

  /** Lists of children with a one-shot watch. */
  get watchedLists(): string[] {
    return [...this.childWatches].flatMap(([path, watches]) => (watches.size > 0 ? [path] : []));
  }

  get watchedPaths(): string[] {
    return [...this.watches].map(watch => watch.path).sort();
  }

  get stateListenerCount(): number {
    return this.stateListeners.size;
  }

  /** Creates a node and its missing parents. */
  put(path: string, options: { data?: string; owner?: bigint } = {}): void {
    const parent = parentOf(path);
    if (!this.nodes.has(parent)) this.put(parent);
    this.zxid += 1n;
    const data = new TextEncoder().encode(options.data ?? '');
    const stat = newStat(this.zxid, options.owner ?? 0n);
    this.nodes.set(path, { data, stat: { ...stat, dataLength: data.length } });
    this.children.set(parent, (this.children.get(parent) ?? new Set()).add(nameOf(path)));
    this.noteChange(parent);
    this.tell({ type: 'created', path });
    fire(this.childWatches, { type: 'childrenChanged', path: parent });
  }

  change(path: string, data: string): void {
    const node = this.require('setData', path);
    this.zxid += 1n;
    node.data = new TextEncoder().encode(data);
    node.stat = { ...node.stat, version: node.stat.version + 1, mzxid: this.zxid, dataLength: node.data.length };
    this.tell({ type: 'dataChanged', path });
    fire(this.dataWatches, { type: 'dataChanged', path });
  }

  /** Deletes a node and everything below it, deepest first. */
  drop(path: string): void {
    for (const name of this.childNames(path)) this.drop(path === '/' ? `/${name}` : `${path}/${name}`);
    this.zxid += 1n;
    this.nodes.delete(path);
    this.children.get(parentOf(path))?.delete(nameOf(path));
    this.noteChange(parentOf(path));
    this.tell({ type: 'deleted', path });
    fire(this.dataWatches, { type: 'deleted', path });
    fire(this.childWatches, { type: 'childrenChanged', path: parentOf(path) });
  }

  /** A child came or went. */
  private noteChange(parent: string): void {
    const node = this.nodes.get(parent);
    if (node !== undefined) node.stat = { ...node.stat, pzxid: this.zxid };
  }

  disconnect(cause?: SessionCause): void {
    this.setState('uncertain', cause);
  }

  /** Comes back; changes made meanwhile gave no events, and every watch says `reread` first. */
  reconnect(): void {
    for (const watch of [...this.watches]) watch.listener({ type: 'reread', path: watch.path });
    this.setState('connected');
  }

  /** Answers again on the same connection: no event was missed. */
  recover(): void {
    this.setState('connected');
  }

  lose(): void {
    this.setState('lost');
  }

  onState(listener: (change: SessionStateChange) => void): Disposable {
    const entry = (change: SessionStateChange): void => listener(change);
    this.stateListeners.add(entry);
    return toDisposable(() => this.stateListeners.delete(entry));
  }

  confirmByQuorum(): Disposable {
    this.quorumUsers += 1;
    return toDisposable(() => (this.quorumUsers -= 1));
  }

  async create(path: string, options: CreateOptions = {}): Promise<{ path: string; stat: Stat }> {
    await this.roundTrip('create', path);
    if (this.nodes.has(path)) throw new ZooKeeperError(nodeExists, 'create', path);
    this.require('create', parentOf(path));
    const owner = options.mode?.startsWith('ephemeral') === true ? this.sessionId : 0n;
    this.put(path, { data: new TextDecoder().decode(options.data), owner });
    return { path, stat: this.require('create', path).stat };
  }

  async exists(path: string): Promise<Stat | undefined> {
    await this.roundTrip('exists', path);
    this.reads.push(`exists ${path}`);
    if (this.hidden.has(path)) throw new ZooKeeperError(noAuth, 'exists', path);
    const node = this.nodes.get(path);
    return node && this.statOf(path, node);
  }

  async getData(path: string, options: ReadOptions = {}): Promise<{ data: Uint8Array; stat: Stat }> {
    const [result] = await this.readMany([{ op: 'getData', path }]);
    if (result?.op === 'getData') remember(this.dataWatches, path, options);
    if (result?.op === 'getData') return { data: result.data, stat: result.stat };
    throw result?.op === 'error' ? result.error : new Error('no answer');
  }

  async getChildren(path: string, options: ReadOptions = {}): Promise<{ children: string[]; stat: Stat }> {
    const [result] = await this.readMany([{ op: 'getChildren', path }]);
    if (result?.op === 'getChildren') remember(this.childWatches, path, options);
    if (result?.op === 'getChildren') return { children: result.children, stat: this.require('exists', path).stat };
    throw result?.op === 'error' ? result.error : new Error('no answer');
  }

  async setData(path: string, data: Uint8Array, version: number): Promise<Stat> {
    await this.roundTrip('setData', path);
    if (this.require('setData', path).stat.version !== version) throw new ZooKeeperError(badVersion, 'setData', path);
    this.change(path, new TextDecoder().decode(data));
    return this.require('setData', path).stat;
  }

  async remove(path: string, version: number): Promise<void> {
    await this.roundTrip('remove', path);
    if (this.undeletable.has(path)) throw new ZooKeeperError(noAuth, 'remove', path);
    if (this.require('remove', path).stat.version !== version) throw new ZooKeeperError(badVersion, 'remove', path);
    if (this.childNames(path).length > 0) throw new ZooKeeperError(notEmpty, 'remove', path);
    this.drop(path);
  }

  async getAcl(path: string): Promise<{ acl: Acl[]; stat: Stat }> {
    await this.roundTrip('getAcl', path);
    return {
      acl: [{ scheme: 'world', id: 'anyone', permissions: 'cdrwa' }],
      stat: this.require('getAcl', path).stat,
    };
  }

  whoAmI(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  sync(path: string): Promise<void> {
    return this.roundTrip('sync', path);
  }

  async readMany(reads: readonly ReadRequest[], options: ReadManyOptions = {}): Promise<ReadResult[]> {
    const cancelled = (): boolean => options.signal?.aborted === true;
    if (cancelled()) throw new CancelledError('Reading');
    await this.roundTrip('readMany', reads[0]?.path ?? '');
    const results = reads.map(read => this.answer(read));
    await this.beforeReply?.();
    if (cancelled()) throw new CancelledError('Reading');
    if (this.state !== 'connected') throw new NotConnectedError('readMany', reads[0]?.path ?? '', 'no connection');
    return handOver(results, options);
  }

  async watchTree(path: string, listener: (event: TreeEvent) => void): Promise<Disposable> {
    await this.roundTrip('addWatch', path);
    this.beforeWatch?.(path);
    const watch = { path, listener };
    this.watches.add(watch);
    return toDisposable(() => this.watches.delete(watch));
  }

  close(): Promise<void> {
    this.setState('closed');
    return Promise.resolve();
  }

  private answer(read: ReadRequest): ReadResult {
    this.beforeRead?.(read);
    this.reads.push(`${read.op} ${read.path}`);
    const node = this.nodes.get(read.path);
    const failed = (code: number): ReadResult => ({
      op: 'error',
      path: read.path,
      error: new ZooKeeperError(code, read.op, read.path),
    });
    if (node === undefined) return failed(noNode);
    if (this.denied.has(read.path)) return failed(noAuth);
    if (read.op === 'getChildren') return { op: 'getChildren', path: read.path, children: this.childNames(read.path) };
    return { op: 'getData', path: read.path, data: node.data, stat: this.statOf(read.path, node) };
  }

  private async roundTrip(operation: string, path: string): Promise<void> {
    await Promise.resolve();
    if (this.state !== 'connected') throw new NotConnectedError(operation, path, 'no connection');
  }

  private require(operation: string, path: string): FakeNode {
    const node = this.nodes.get(path);
    if (node === undefined) throw new ZooKeeperError(noNode, operation, path);
    return node;
  }

  private statOf(path: string, { stat }: FakeNode): Stat {
    return { ...stat, numChildren: this.children.get(path)?.size ?? 0 };
  }

  private childNames(path: string): string[] {
    return [...(this.children.get(path) ?? [])];
  }

  private tell(event: TreeEvent): void {
    if (this.state !== 'connected' || this.denied.has(event.path)) return;
    for (const watch of [...this.watches]) {
      const below = watch.path === '/' || event.path === watch.path || event.path.startsWith(`${watch.path}/`);
      if (below && this.tellsLate) setImmediate(() => this.watches.has(watch) && watch.listener(event));
      else if (below) watch.listener(event);
    }
  }

  private setState(state: SessionState, cause?: SessionCause): void {
    this.state = state;
    for (const listener of [...this.stateListeners]) {
      const change = { state, reason: 'the test says so', lastContactAt: this.lastContactAt };
      listener(cause === undefined ? change : { ...change, cause });
    }
  }
}

function remember(watches: OneShotWatches, path: string, { watch, signal }: ReadOptions): void {
  if (watch === undefined) return;
  const listeners = watches.get(path) ?? new Set();
  watches.set(path, listeners.add(watch));
  signal?.addEventListener('abort', () => listeners.delete(watch));
}

function fire(watches: OneShotWatches, event: WatchEvent): void {
  const listeners = watches.get(event.path) ?? [];
  watches.delete(event.path);
  for (const listener of listeners) listener(event);
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function newStat(zxid: bigint, owner: bigint): Stat {
  return {
    czxid: zxid,
    mzxid: zxid,
    ctime: 1_000,
    mtime: 1_000,
    version: 0,
    cversion: 0,
    aversion: 0,
    ephemeralOwner: owner,
    dataLength: 0,
    numChildren: 0,
    pzxid: zxid,
  };
}

function handOver(results: ReadResult[], { onResult }: ReadManyOptions): ReadResult[] {
  if (onResult === undefined) return results;
  results.forEach(onResult);
  return [];
}
