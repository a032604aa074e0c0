import { parentPath } from '../base/paths.ts';
import type * as api from './client.ts';
import type { Acl, Identity, ZooKeeperClient } from './client.ts';
import { isZooKeeperError, ZooKeeperError } from './errors.ts';
import type { Disposable } from '../base/disposable.ts';

export type Right = 'create' | 'delete' | 'read' | 'write' | 'admin';

/** Why a request ended with NO_AUTH. Names and ids are foreign text. */
export interface AccessDenied {
  /** The node whose ACL counts: the parent for create and delete. */
  node: string;
  /** The right that is missing there. */
  right: Right;
  /** The ACL of `node`; `undefined` if it may not be read either. */
  acl: Acl[] | undefined;
  /** As whom the server knows us; `undefined` before 3.7. */
  identities: Identity[] | undefined;
}

/**
 * Which right a request needs, and on which node (FinalRequestProcessor.java, PrepRequestProcessor.java).
 *
 * @param operation as in `ZooKeeperError.operation`
 * @param path of the request
 */
export function rightNeeded(operation: string, path: string): Pick<AccessDenied, 'right' | 'node'> {
  switch (operation) {
    case 'create':
      return { right: 'create', node: parentPath(path) };
    case 'remove':
      return { right: 'delete', node: parentPath(path) };
    case 'setData':
      return { right: 'write', node: path };
    case 'setAcl':
      return { right: 'admin', node: path };
    default:
      return { right: 'read', node: path };
  }
}

/**
 * Finds out what a NO_AUTH error leaves open: which node and which right it was about, who may, and who we are.
 *
 * @param path the path of the failed request
 * @param operation of the failed request, as in `ZooKeeperError.operation`
 * @throws NotConnectedError, ReplyLostError
 */
export async function describeDenied(client: ZooKeeperClient, path: string, operation: string): Promise<AccessDenied> {
  const { right, node } = rightNeeded(operation, path);
  const [acl, identities] = await Promise.all([readableAcl(client, node), client.whoAmI()]);
  return { node, right, acl, identities };
}

/** The server's NO_AUTH, with what it leaves open. */
export class AccessDeniedError extends ZooKeeperError {
  readonly denied: AccessDenied;

  constructor({ code, operation, path }: ZooKeeperError, denied: AccessDenied) {
    super(code, operation, path, `, no right ${denied.right} on ${denied.node}`);
    this.name = 'AccessDeniedError';
    this.denied = denied;
  }
}

/** Who has the right that is missing, as `scheme:id`; `undefined` if the ACL cannot be read. */
export function ownersOf({ acl, right }: AccessDenied): string[] | undefined {
  return acl
    ?.filter(({ permissions }) => permissions.includes(rightLetters[right]))
    .map(({ scheme, id }) => identityText(scheme, id));
}

/** A digest id is `user:hash of the password`, and a hash is something to guess from. */
export function identityText(scheme: string, id: string): string {
  const colon = id.indexOf(':');
  return `${scheme}:${scheme === 'digest' && colon !== -1 ? id.slice(0, colon) : id}`;
}

const rightLetters: Readonly<Record<Right, string>> = { create: 'c', delete: 'd', read: 'r', write: 'w', admin: 'a' };

async function readableAcl(client: ZooKeeperClient, path: string): Promise<Acl[] | undefined> {
  try {
    return (await client.getAcl(path)).acl;
  } catch (error) {
    if (isZooKeeperError(error, 'NO_AUTH') || isZooKeeperError(error, 'NO_NODE')) return undefined;
    throw error;
  }
}

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
