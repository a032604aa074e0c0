import { parentPath } from '../base/paths.ts';
import type * as api from './client.ts';
import type { Acl, Identity, ZooKeeperClient } from './client.ts';
import { unlessAnswered, ZooKeeperError } from './errors.ts';

export type Right = 'create' | 'delete' | 'read' | 'write' | 'admin';

/** Why a request ended with NO_AUTH. Names and ids are foreign text. */
export interface AccessDenied {
  /** The node whose ACL counts: the parent for create and delete. */
  node: string;
  /** The right that is missing there. */
  right: Right;
  /** The ACL of `node`; `undefined` if it may not be read either. */
  acl: Acl[] | undefined;
  /** Our identities on the server; `undefined` before 3.7. */
  identities: Identity[] | undefined;
}

/**
 * Which right a request needs, and on which node (FinalRequestProcessor.java, PrepRequestProcessor.java).
 *
 * @param operation as in `ZooKeeperError.operation`
 * @param path of the request
 */
export function rightNeeded(operation: string, path: string): Pick<AccessDenied, 'right' | 'node'> {
  const right = rightByOperation.get(operation) ?? 'read';
  return { right, node: right === 'create' || right === 'delete' ? parentPath(path) : path };
}

const rightByOperation = new Map<string, Right>([
  ['create', 'create'],
  ['remove', 'delete'],
  ['setData', 'write'],
  ['setAcl', 'admin'],
]);

/**
 * Finds out what a NO_AUTH error leaves open: which node and which right it was about, who may, and who we are.
 *
 * @param path the path of the failed request
 * @param operation of the failed request, as in `ZooKeeperError.operation`
 * @throws NotConnectedError, ReplyLostError
 */
export async function describeDenied(client: ZooKeeperClient, path: string, operation: string): Promise<AccessDenied> {
  const { right, node } = rightNeeded(operation, path);
  const acl = await readableAcl(client, node);
  // Afterwards: a server before 3.7 closes the connection with the question, and an ACL under way would be lost.
  const identities = await client.whoAmI();
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

/** The ACL of a node; `undefined` if it may not be read, or the node is missing. */
export async function readableAcl(client: ZooKeeperClient, path: string): Promise<Acl[] | undefined> {
  return (await unlessAnswered(client.getAcl(path), 'NO_AUTH', 'NO_NODE'))?.acl;
}

/** Calls whose NO_AUTH is explained. */
const explainedCalls: ReadonlySet<PropertyKey> = new Set<keyof api.ZooKeeperClient>([
  // Not `exists`: since 3.9.2 it needs READ too, and reading a queue calls it for each child that may not be read. Ten thousand
  // denials would cost twenty thousand requests for texts that no user sees. Not `getAcl`: the explanation would read it again.
  'create',
  'getData',
  'getChildren',
  'setData',
  'remove',
  'watchTree',
]);

/**
 * The same session, except that a NO_AUTH error becomes an `AccessDeniedError`, at the price of one more round trip. Calls that
 * succeed are not delayed, so that answers and watch events keep their order.
 */
export function explainDenials(client: api.ZooKeeperClient): api.ZooKeeperClient {
  return new Proxy(client, {
    get(target, key): unknown {
      if (key === 'readMany') return (...args: ReadManyArguments) => readManyExplained(target, args);
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        const result: unknown = Reflect.apply(value, target, args);
        return explainedCalls.has(key) ? explained(target, result) : result;
      };
    },
  });
}

type ReadManyArguments = Parameters<api.ZooKeeperClient['readMany']>;

/** Explained only where nothing at all could be read: what a caller shows must not be older than necessary. */
async function readManyExplained(client: api.ZooKeeperClient, args: ReadManyArguments): Promise<api.ReadResult[]> {
  const results = await client.readMany(...args);
  const [first] = results;
  if (first?.op !== 'error' || !results.every(({ op }) => op === 'error')) return results;
  const error = await explain(client, first.error);
  if (!(error instanceof AccessDeniedError)) return results;
  return results.map(result => (result.path === first.path ? { op: 'error', path: first.path, error } : result));
}

async function explained(client: api.ZooKeeperClient, result: unknown): Promise<unknown> {
  try {
    return await result;
  } catch (error) {
    throw await explain(client, error);
  }
}

async function explain(client: api.ZooKeeperClient, error: unknown): Promise<unknown> {
  if (!(error instanceof ZooKeeperError) || error.codeName !== 'NO_AUTH') return error;
  try {
    return new AccessDeniedError(error, await describeDenied(client, error.path, error.operation));
  } catch {
    // The connection broke meanwhile: the refusal is reported without its explanation.
    return error;
  }
}
