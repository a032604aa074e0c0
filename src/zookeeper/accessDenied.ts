import type { Acl, Identity, ZooKeeperClient } from './client.ts';
import { isZooKeeperError } from './errors.ts';

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

/** The same as one English text: what is missing, who has it, who we are. */
export function deniedText({ node, right, acl, identities }: AccessDenied): string {
  const letter = rightLetters[right];
  const able = acl?.filter(entry => entry.permissions.includes(letter)).map(entry => `${entry.scheme}:${entry.id}`);
  const who =
    able === undefined
      ? 'Its ACL cannot be read either.'
      : able.length === 0
        ? 'Nobody has it.'
        : `It belongs to ${able.join(', ')}.`;
  const self = identities?.map(({ scheme, user }) => `${scheme}:${user}`).join(', ');
  return `The ${right} right on ${node} is missing. ${who}${self === undefined ? '' : ` You are ${self}.`}`;
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
