import type { Disposable } from '../../src/base/disposable.ts';
import type * as api from '../../src/zookeeper/client.ts';

/** A call that the code under test made. */
export interface SpiedCall {
  /** Counts from 1. */
  number: number;
  operation: string;
  path: string;
}

type Hook = (call: SpiedCall) => Promise<void> | void;

/** A client that reports what is asked of it, lets a test step in before and after each request, and counts what is left. */
export class SpiedClient implements api.ZooKeeperClient {
  readonly calls: SpiedCall[] = [];
  /** State listeners that no one has given back. */
  listeners = 0;
  /** Watches that have fired. */
  readonly fired: api.WatchEvent[] = [];
  /** Awaited before the request is sent. */
  beforeCall: Hook | undefined;
  /** Called when the request is on its way. */
  duringCall: ((call: SpiedCall) => void) | undefined;
  /** Awaited once the answer has come, good or bad, before the code under test gets it. */
  afterCall: Hook | undefined;
  private readonly inner: api.ZooKeeperClient;

  constructor(inner: api.ZooKeeperClient) {
    this.inner = inner;
  }

  get sessionId(): bigint {
    return this.inner.sessionId;
  }

  get sessionTimeoutMs(): number {
    return this.inner.sessionTimeoutMs;
  }

  get state(): api.SessionState {
    return this.inner.state;
  }

  get lastContactAt(): number {
    return this.inner.lastContactAt;
  }

  get server(): string | undefined {
    return this.inner.server;
  }

  /** What was asked, as `create /lock/x`; a sequential name without its number. */
  get asked(): string[] {
    return this.calls.map(({ operation, path }) => `${operation} ${path}`);
  }

  whoAmI(): Promise<api.Identity[] | undefined> {
    return this.inner.whoAmI();
  }

  confirmByQuorum(): Disposable {
    return this.inner.confirmByQuorum();
  }

  onState(listener: (change: api.SessionStateChange) => void): Disposable {
    const subscription = this.inner.onState(listener);
    let isOpen = true;
    this.listeners++;
    return {
      dispose: () => {
        if (isOpen) this.listeners--;
        isOpen = false;
        subscription.dispose();
      },
    };
  }

  create(path: string, options?: api.CreateOptions): Promise<{ path: string; stat: api.Stat }> {
    return this.spy('create', path, () => this.inner.create(path, options));
  }

  exists(path: string, options?: api.ReadOptions): Promise<api.Stat | undefined> {
    return this.spy('exists', path, () => this.inner.exists(path, this.watched(options)));
  }

  getData(path: string, options?: api.ReadOptions): Promise<{ data: Uint8Array; stat: api.Stat }> {
    return this.spy('getData', path, () => this.inner.getData(path, this.watched(options)));
  }

  getChildren(path: string, options?: api.ReadOptions): Promise<{ children: string[]; stat: api.Stat }> {
    return this.spy('getChildren', path, () => this.inner.getChildren(path, this.watched(options)));
  }

  setData(path: string, data: Uint8Array, version: number): Promise<api.Stat> {
    return this.spy('setData', path, () => this.inner.setData(path, data, version));
  }

  remove(path: string, version: number): Promise<void> {
    return this.spy('remove', path, () => this.inner.remove(path, version));
  }

  getAcl(path: string): Promise<{ acl: api.Acl[]; stat: api.Stat }> {
    return this.spy('getAcl', path, () => this.inner.getAcl(path));
  }

  sync(path: string): Promise<void> {
    return this.spy('sync', path, () => this.inner.sync(path));
  }

  readMany(reads: readonly api.ReadRequest[], options?: api.ReadManyOptions): Promise<api.ReadResult[]> {
    return this.spy('readMany', reads[0]?.path ?? '', () => this.inner.readMany(reads, options));
  }

  watchTree(path: string, listener: (event: api.TreeEvent) => void): Promise<Disposable> {
    return this.spy('watchTree', path, () => this.inner.watchTree(path, listener));
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  private watched(options: api.ReadOptions | undefined): api.ReadOptions | undefined {
    const watch = options?.watch;
    if (watch === undefined) return options;
    return {
      ...options,
      watch: event => {
        this.fired.push(event);
        watch(event);
      },
    };
  }

  private async spy<T>(operation: string, path: string, ask: () => Promise<T>): Promise<T> {
    const call = { number: this.calls.length + 1, operation, path };
    this.calls.push(call);
    // Without a hook the request is sent in this very tick, as without a spy: what leaves together stays together.
    if (this.beforeCall !== undefined) await this.beforeCall(call);
    const asking = ask();
    this.duringCall?.(call);
    try {
      return await asking;
    } finally {
      if (this.afterCall !== undefined) await this.afterCall(call);
    }
  }
}
