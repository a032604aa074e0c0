import { parentPath } from '../base/paths.ts';
import type { Acl, ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError, OutcomeUnknownError } from '../zookeeper/errors.ts';
import { RefusedDelete } from './refusedDelete.ts';
import { resolveDelete, type ResolveOptions } from './resolveDelete.ts';

/**
 * `already gone`: somebody else was first. `changed`: the node is not, or no longer, the one that was looked at; it was left
 * alone. `unknown`: the reply was lost, and reading did not show that it is done.
 */
export type DeleteOutcome = 'deleted' | 'already gone' | 'changed' | 'unknown';

/** What became of one delete. */
export interface Removal {
  outcome: DeleteOutcome;
  /** The reply was lost and the outcome was found by reading. */
  resolvedByReading: boolean;
  /** With `unknown`: the node was seen unchanged afterwards, so nothing has happened. */
  stillThere: boolean;
}

/** A node as it was read right before. */
export interface NodeToRemove {
  path: string;
  czxid: bigint;
  version: number;
}

/**
 * Deletes one node with an explicit version, once, and says what became of it.
 *
 * @param whenNotEmpty how a refusal because of children is to be named
 * @throws RefusedDelete `no-permission` (with the parent's ACL) or `whenNotEmpty`; NotConnectedError (nothing was sent);
 *   ZooKeeperError for any other refusal of the server
 */
export async function removeNode(
  client: ZooKeeperClient,
  node: NodeToRemove,
  whenNotEmpty: 'has-children' | 'not-empty',
  options: ResolveOptions,
): Promise<Removal> {
  try {
    await client.remove(node.path, node.version);
    return removal('deleted');
  } catch (error) {
    if (error instanceof OutcomeUnknownError) return resolved(await resolveDelete(client, node, options));
    if (isZooKeeperError(error, 'NO_NODE')) return removal('already gone');
    if (isZooKeeperError(error, 'BAD_VERSION')) return removal('changed');
    if (isZooKeeperError(error, 'NOT_EMPTY')) throw new RefusedDelete(whenNotEmpty, node.path);
    if (isZooKeeperError(error, 'NO_AUTH')) throw await missingRight(client, node.path);
    throw error;
  }
}

/** A clear outcome. */
export function removal(outcome: DeleteOutcome): Removal {
  return { outcome, resolvedByReading: false, stillThere: false };
}

function resolved(state: 'deleted' | 'still there' | 'unknown'): Removal {
  const outcome = state === 'deleted' ? 'deleted' : 'unknown';
  return { outcome, resolvedByReading: state !== 'unknown', stillThere: state === 'still there' };
}

/** Deleting asks for DELETE on the parent (docs/faults.md, F18), so that is the ACL to show. */
async function missingRight(client: ZooKeeperClient, path: string): Promise<RefusedDelete> {
  const parent = parentPath(path);
  let parentAcl: Acl[] | undefined;
  try {
    parentAcl = (await client.getAcl(parent)).acl;
  } catch {
    // Whoever may not delete often may not read the ACL either; the refusal is told all the same.
    parentAcl = undefined;
  }
  return new RefusedDelete('no-permission', path, { parent, parentAcl });
}
