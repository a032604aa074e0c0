import { FactError } from '../base/factError.ts';
import type { Acl } from '../zookeeper/client.ts';

/**
 * Why nothing was deleted, as a closed list that an interface can translate.
 *
 * `root`: the root or the chroot's root. `depth`: directly below the root. `zookeeper`: the server's own nodes.
 * `not-a-contender`: no queue has it. `unreadable`: a stat that must be compared may not be read. `not-empty`: the lock directory has
 * children now. `not-a-lock-directory`: it shows no sign that it ever was one. `no-permission`: DELETE on the parent is missing.
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

/** The right that is missing, for a refusal with `no-permission`. */
export interface MissingRight {
  parent: string;
  /** `undefined`: the ACL may not be read. */
  parentAcl: readonly Acl[] | undefined;
}

/** The delete was refused, by a guard or by the server; nothing was deleted. */
export class RefusedDelete extends FactError {
  readonly reason: RefusalReason;
  readonly path: string;
  /** Set for `no-permission`. */
  readonly missing: MissingRight | undefined;

  constructor(reason: RefusalReason, path: string, missing?: MissingRight) {
    super('RefusedDelete', `${path} ${reason}`);
    this.reason = reason;
    this.path = path;
    this.missing = missing;
  }
}

/** Nothing was written. `does-not-listen`: the owner of the node does not watch for such a request. */
export class RefusedRevoke extends FactError {
  readonly reason: RefusalReason | 'does-not-listen';
  readonly path: string;

  constructor(reason: RefusalReason | 'does-not-listen', path: string) {
    super('RefusedRevoke', `${path} ${reason}`);
    this.reason = reason;
    this.path = path;
  }
}

/** An ACL in one line, without the hashes of passwords. */
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
