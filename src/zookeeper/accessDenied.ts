import type { Acl, Identity, ZooKeeperClient } from './client.ts';
import { isZooKeeperError, ZooKeeperError } from './errors.ts';

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

/** What each request needs, and where (FinalRequestProcessor.java, PrepRequestProcessor.java). */
const needs = new Map<string, { right: Right; ofParent: boolean }>([
  ['create', { right: 'create', ofParent: true }],
  ['remove', { right: 'delete', ofParent: true }],
  ['setData', { right: 'write', ofParent: false }],
  ['setAcl', { right: 'admin', ofParent: false }],
]);

/**
 * Finds out what a NO_AUTH error leaves open: which node and which right it was about, who may, and who we are.
 *
 * @param path the path of the failed request
 * @param operation of the failed request, as in `ZooKeeperError.operation`
 * @throws NotConnectedError, ReplyLostError
 */
export async function describeDenied(client: ZooKeeperClient, path: string, operation: string): Promise<AccessDenied> {
  const { right, ofParent } = needs.get(operation) ?? { right: 'read', ofParent: false };
  const node = ofParent ? parentOf(path) : path;
  const [acl, identities] = await Promise.all([readableAcl(client, node), client.whoAmI()]);
  return { node, right, acl, identities };
}

/** The server's NO_AUTH, with what it leaves open. */
export class AccessDeniedError extends ZooKeeperError {
  readonly denied: AccessDenied;

  constructor({ code, operation, path }: ZooKeeperError, denied: AccessDenied) {
    super(code, operation, path);
    this.name = 'AccessDeniedError';
    this.message = `${operation} ${path} failed: ${this.codeName} (${String(code)}). ${deniedText(denied)}`;
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

/** What is missing, who has it, who we are; one English text, for the log. */
function deniedText(denied: AccessDenied): string {
  const able = ownersOf(denied);
  const who =
    able === undefined
      ? 'Its ACL cannot be read either.'
      : able.length === 0
        ? 'Nobody has it.'
        : `It belongs to ${able.join(', ')}.`;
  const self = denied.identities?.map(({ scheme, user }) => identityText(scheme, user)).join(', ');
  const we = self === undefined ? '' : ` You are ${self}.`;
  return `The ${denied.right} right on ${denied.node} is missing. ${who}${we}`;
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

function parentOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash <= 0 ? '/' : path.slice(0, slash);
}
