import { toDisposable, type Disposable } from '../../src/base/disposable.ts';
import { openAcl } from '../../src/dataTree/acl.ts';
import { DataTree, type Applied } from '../../src/dataTree/dataTree.ts';
import { prepare, type SingleWrite } from '../../src/dataTree/prepare.ts';
import type { Change } from '../../src/dataTree/transaction.ts';
import type { Znode } from '../../src/dataTree/znode.ts';
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
import { ErrorCode } from '../../src/zookeeper/wire/errorCodes.ts';
import { createFlags, type ServerEvent } from '../../src/zookeeper/wire/records.ts';

type OneShotWatches = Map<string, Set<(event: WatchEvent) => void>>;

/** Of every node, epoch ms. */
const time = 1_000;

/**
 * A session whose network and server do what the test says. What the server knows is the data tree of the sandbox, which the test
 * changes synchronously (`put`, `change`, `drop`); answers come later, tree events at once, as long as the session is connected.
 * As servers do since 3.8.4 and 3.9.2, it reports no event of a node that may not be read. Of one-shot watches, those of
 * `getChildren` and `getData` are faked.
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
  private readonly tree = new DataTree(event => this.report(event));
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

  /** Creates a node and its missing parents; one that is there is replaced. */
  put(path: string, options: { data?: string; owner?: bigint } = {}): void {
    const parent = parentOf(path);
    if (this.tree.get(parent) === undefined) this.put(parent);
    if (this.tree.get(path) !== undefined) this.drop(path);
    const data = new TextEncoder().encode(options.data ?? '');
    this.apply({ type: 'create', path, data, acl: openAcl, owner: options.owner ?? 0n, parentChildrenCreated: -1 });
  }

  change(path: string, data: string): void {
    const { version } = this.require('setData', path);
    this.apply({ type: 'setData', path, data: new TextEncoder().encode(data), version: version + 1 });
  }

  /** Deletes a node and everything below it, deepest first. */
  drop(path: string): void {
    for (const name of [...(this.tree.get(path)?.children ?? [])])
      this.drop(path === '/' ? `/${name}` : `${path}/${name}`);
    this.apply({ type: 'delete', path });
  }

  private apply(change: Change): Applied {
    this.zxid += 1n;
    return this.tree.apply({ sessionId: this.sessionId, cxid: 0, zxid: this.zxid, time, change });
  }

  /** Asks as a client does: the request may be refused. */
  private write(operation: string, request: SingleWrite): Required<Pick<Applied, 'path' | 'stat'>> {
    const { error, path, stat } = this.apply(
      prepare(this.tree, { sessionId: this.sessionId, identities: [] }, request),
    );
    if (error !== 0) throw new ZooKeeperError(error, operation, request.path);
    return { path: path!, stat: stat! };
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
    const { data = new Uint8Array(), mode = 'persistent' } = options;
    const kind = mode === 'container' ? 'container' : 'plain';
    return this.write('create', { op: 'create', path, data, acl: openAcl, flags: createFlags[mode], kind, ttl: -1n });
  }

  async exists(path: string): Promise<Stat | undefined> {
    await this.roundTrip('exists', path);
    this.reads.push(`exists ${path}`);
    if (this.hidden.has(path)) throw new ZooKeeperError(ErrorCode.NO_AUTH, 'exists', path);
    return this.tree.get(path)?.stat();
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
    if (result?.op === 'getChildren') return { children: result.children, stat: this.require('exists', path).stat() };
    throw result?.op === 'error' ? result.error : new Error('no answer');
  }

  async setData(path: string, data: Uint8Array, version: number): Promise<Stat> {
    await this.roundTrip('setData', path);
    return this.write('setData', { op: 'setData', path, data, version }).stat;
  }

  async remove(path: string, version: number): Promise<void> {
    await this.roundTrip('remove', path);
    if (this.undeletable.has(path)) throw new ZooKeeperError(ErrorCode.NO_AUTH, 'remove', path);
    this.write('remove', { op: 'delete', path, version });
  }

  async getAcl(path: string): Promise<{ acl: Acl[]; stat: Stat }> {
    await this.roundTrip('getAcl', path);
    return {
      acl: [{ scheme: 'world', id: 'anyone', permissions: 'cdrwa' }],
      stat: this.require('getAcl', path).stat(),
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
    const node = this.tree.get(read.path);
    const failed = (code: number): ReadResult => ({
      op: 'error',
      path: read.path,
      error: new ZooKeeperError(code, read.op, read.path),
    });
    if (node === undefined) return failed(ErrorCode.NO_NODE);
    if (this.denied.has(read.path)) return failed(ErrorCode.NO_AUTH);
    if (read.op === 'getChildren') return { op: 'getChildren', path: read.path, children: [...node.children] };
    return { op: 'getData', path: read.path, data: node.data ?? new Uint8Array(0), stat: node.stat() };
  }

  private async roundTrip(operation: string, path: string): Promise<void> {
    await Promise.resolve();
    if (this.state !== 'connected') throw new NotConnectedError(operation, path, 'no connection');
  }

  private require(operation: string, path: string): Znode {
    const node = this.tree.get(path);
    if (node === undefined) throw new ZooKeeperError(ErrorCode.NO_NODE, operation, path);
    return node;
  }

  private report({ type, path }: ServerEvent): void {
    if (type !== 'childrenChanged') this.tell({ type, path });
    if (type === 'childrenChanged') fire(this.childWatches, { type, path });
    else if (type !== 'created') fire(this.dataWatches, { type, path });
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

function handOver(results: ReadResult[], { onResult }: ReadManyOptions): ReadResult[] {
  if (onResult === undefined) return results;
  results.forEach(onResult);
  return [];
}
