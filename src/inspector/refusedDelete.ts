import type { Acl } from '../zookeeper/client.ts';

/**
 * Why nothing was deleted, as a closed list that an interface can translate.
 *
 * `root`: the root or the chroot's root. `depth`: directly below the root. `zookeeper`: the server's own nodes.
 * `not-a-contender`: no queue has it. `unreadable`: what must be compared may not be read. `not-empty`: the lock directory has
 * children now. `not-a-lock-directory`: nothing says that it ever was one. `no-permission`: DELETE on the parent is missing.
 */
export type RefusalReason =
  | 'read-only'
  | 'invalid-path'
  | 'root'
  | 'depth'
  | 'zookeeper'
  | 'not-a-contender'
  | 'unreadable'
  | 'has-children'
  | 'not-empty'
  | 'not-a-lock-directory'
  | 'no-permission'
  | 'too-many';

const sentences: Readonly<Record<RefusalReason, string>> = {
  'read-only': 'This cluster is marked as read-only. Unlock it first if the node must go.',
  'invalid-path': 'This is no path of a node.',
  root: 'The root of the tree or of the chroot is never deleted.',
  depth: 'Nodes directly below the root are never deleted.',
  zookeeper: "What lies below /zookeeper is the server's own.",
  'not-a-contender': 'It is not recognised as a contender of a lock. Use another tool if it must go.',
  unreadable: 'It may not be read, so it cannot be compared with what you saw.',
  'has-children': 'It has children, and a contender has none.',
  'not-empty': 'It has children now: somebody uses the lock.',
  'not-a-lock-directory': 'Nothing says that it was a lock: it holds content of its own or never had a child.',
  'no-permission': 'The right DELETE is missing on the parent; the ACL of the node itself does not matter.',
  'too-many': 'At most 100 nodes are deleted at once.',
};

/** What a refusal for want of a right can tell. */
export interface MissingRight {
  parent: string;
  /** `undefined`: not even the ACL may be read. */
  parentAcl: readonly Acl[] | undefined;
}

/** The delete was refused, by our rules or by the server's; nothing was deleted. */
export class RefusedDelete extends Error {
  readonly reason: RefusalReason;
  readonly path: string;
  /** Set for `no-permission`. */
  readonly missing: MissingRight | undefined;

  constructor(reason: RefusalReason, path: string, missing?: MissingRight) {
    const detail = missing === undefined ? '' : ` ACL of ${missing.parent}: ${aclText(missing.parentAcl)}.`;
    super(`${path} was not deleted. ${sentences[reason]}${detail}`);
    this.name = 'RefusedDelete';
    this.reason = reason;
    this.path = path;
    this.missing = missing;
  }
}

/** An ACL in one line, without what could help to guess a password. */
export function aclText(acl: readonly Acl[] | undefined): string {
  if (acl === undefined) return 'not readable';
  if (acl.length === 0) return 'empty';
  return acl.map(({ scheme, id, permissions }) => `${scheme}:${visibleId(scheme, id)}:${permissions}`).join(', ');
}

/** A digest id is `user:hash of the password`. */
function visibleId(scheme: string, id: string): string {
  const colon = id.indexOf(':');
  return scheme === 'digest' && colon !== -1 ? `${id.slice(0, colon)}:…` : id;
}
