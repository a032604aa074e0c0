import type { Disposable } from '../base/disposable.ts';
import { AccessDeniedError, describeDenied } from './accessDenied.ts';
import type * as api from './client.ts';
import { ZooKeeperError } from './errors.ts';

/**
 * The same session, except that a NO_AUTH error says what it leaves open: it becomes an `AccessDeniedError`, at the price
 * of one more round trip. Nothing that succeeded is held up, so that answers and watch events keep their order.
 */
export function explainDenials(client: api.ZooKeeperClient): api.ZooKeeperClient {
  return new ExplainingClient(client);
}

class ExplainingClient implements api.ZooKeeperClient {
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

  onState(listener: (change: api.SessionStateChange) => void): Disposable {
    return this.inner.onState(listener);
  }

  create(path: string, options?: api.CreateOptions): Promise<{ path: string; stat: api.Stat }> {
    return this.explained(this.inner.create(path, options));
  }

  /**
   * Not explained: since 3.9.2 it needs READ too, and a reader of queues asks it of each child that may not be read. Ten
   * thousand denials would cost twenty thousand requests, and nobody would see their texts.
   */
  exists(path: string, options?: api.ReadOptions): Promise<api.Stat | undefined> {
    return this.inner.exists(path, options);
  }

  getData(path: string, options?: api.ReadOptions): Promise<{ data: Uint8Array; stat: api.Stat }> {
    return this.explained(this.inner.getData(path, options));
  }

  getChildren(path: string, options?: api.ReadOptions): Promise<{ children: string[]; stat: api.Stat }> {
    return this.explained(this.inner.getChildren(path, options));
  }

  setData(path: string, data: Uint8Array, version: number): Promise<api.Stat> {
    return this.explained(this.inner.setData(path, data, version));
  }

  remove(path: string, version: number): Promise<void> {
    return this.explained(this.inner.remove(path, version));
  }

  /** Not explained: whoever asks for an ACL and may not read it learns no more by asking again. */
  getAcl(path: string): Promise<{ acl: api.Acl[]; stat: api.Stat }> {
    return this.inner.getAcl(path);
  }

  whoAmI(): Promise<api.Identity[] | undefined> {
    return this.inner.whoAmI();
  }

  sync(path: string): Promise<void> {
    return this.inner.sync(path);
  }

  /** Explained only where nothing at all could be read: what a caller shows must not be older than it has to be. */
  async readMany(reads: readonly api.ReadRequest[], options?: api.ReadManyOptions): Promise<api.ReadResult[]> {
    const results = await this.inner.readMany(reads, options);
    const [first] = results;
    if (first?.op !== 'error' || !results.every(({ op }) => op === 'error')) return results;
    const error = await this.explain(first.error);
    if (!(error instanceof AccessDeniedError)) return results;
    return results.map(result => (result.path === first.path ? { op: 'error', path: first.path, error } : result));
  }

  watchTree(path: string, listener: (event: api.TreeEvent) => void): Promise<Disposable> {
    return this.explained(this.inner.watchTree(path, listener));
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  private async explained<T>(asking: Promise<T>): Promise<T> {
    try {
      return await asking;
    } catch (error) {
      throw await this.explain(error);
    }
  }

  private async explain(error: unknown): Promise<unknown> {
    if (!(error instanceof ZooKeeperError) || error.codeName !== 'NO_AUTH') return error;
    try {
      return new AccessDeniedError(error, await describeDenied(this.inner, error.path, error.operation));
    } catch {
      // The connection broke meanwhile: the refusal is told all the same.
      return error;
    }
  }
}
