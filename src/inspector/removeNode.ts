import { Deadline } from '../base/deadline.ts';
import { parentPath } from '../base/paths.ts';
import type { Acl, ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError, OutcomeUnknownError, ZooKeeperError } from '../zookeeper/errors.ts';
import { RefusedDelete } from './refusedDelete.ts';

/**
 * `already gone`: another client deleted it before. `changed`: the node is no longer the one that was read; it was left alone.
 * `unknown`: the reply was lost, and reading did not show that the node was deleted.
 */
export type DeleteOutcome = 'deleted' | 'already gone' | 'changed' | 'unknown';

/** The result of one delete. */
export interface Removal {
  outcome: DeleteOutcome;
  /** With `unknown`: the node was seen unchanged afterwards, so nothing was deleted. */
  stillThere?: boolean;
}

/** A node as it was read right before. */
interface NodeToRemove {
  path: string;
  czxid: bigint;
  version: number;
}

/** How long to look for the outcome after a lost reply. */
interface ResolveOptions {
  /** ms; default 15,000 */
  resolveWithinMs?: number;
  signal?: AbortSignal;
}

const defaultResolveWithinMs = 15_000;
/** Between two reads while the connection neither breaks nor answers. */
const pauseMs = 100;

/**
 * Deletes one node with an explicit version, once, and finds out what came of it.
 *
 * @param whenNotEmpty the reason of the refusal if the node has children
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
    return { outcome: 'deleted' };
  } catch (error) {
    if (error instanceof OutcomeUnknownError) return resolveDelete(client, node, options);
    if (isZooKeeperError(error, 'NO_NODE')) return { outcome: 'already gone' };
    if (isZooKeeperError(error, 'BAD_VERSION')) return { outcome: 'changed' };
    if (isZooKeeperError(error, 'NOT_EMPTY')) throw new RefusedDelete(whenNotEmpty, node.path);
    if (isZooKeeperError(error, 'NO_AUTH')) throw await missingRight(client, node.path);
    throw error;
  }
}

/** Deleting needs DELETE on the parent (docs/faults.md, F18), so that is the ACL to show. */
async function missingRight(client: ZooKeeperClient, path: string): Promise<RefusedDelete> {
  const parent = parentPath(path);
  let parentAcl: Acl[] | undefined;
  try {
    parentAcl = (await client.getAcl(parent)).acl;
  } catch {
    // Without DELETE the ACL often may not be read either; the refusal is reported all the same.
    parentAcl = undefined;
  }
  return new RefusedDelete('no-permission', path, { parent, parentAcl });
}

/**
 * Finds the outcome of a delete whose reply was lost, by reading and never by repeating (docs/faults.md, F14): if the node is
 * gone, or its name belongs to another node now, it was deleted. Waits for the connection to come back. `sync` goes first, so
 * that a server that lags behind does not show the past. A request of the former connection cannot be carried out later: once
 * the session is attached elsewhere the leader refuses what still comes from there (SESSION_MOVED).
 *
 * Never rejects.
 */
async function resolveDelete(client: ZooKeeperClient, node: NodeToRemove, options: ResolveOptions): Promise<Removal> {
  const deadline = new Deadline(options.resolveWithinMs ?? defaultResolveWithinMs);
  while (client.state === 'connected' || client.state === 'uncertain') {
    const seen = client.state === 'connected' ? await readOutcome(client, node) : undefined;
    if (seen !== undefined) return seen;
    if (deadline.isOver || options.signal?.aborted === true) break;
    await stateChange(client, Math.min(pauseMs, deadline.remainingMs));
  }
  return { outcome: 'unknown' };
}

/** @returns `undefined` if a further read may succeed */
async function readOutcome(client: ZooKeeperClient, { path, czxid }: NodeToRemove): Promise<Removal | undefined> {
  try {
    const [, stat] = await Promise.all([client.sync(path), client.exists(path)]);
    return stat?.czxid === czxid ? { outcome: 'unknown', stillThere: true } : { outcome: 'deleted' };
  } catch (error) {
    // The server's refusal will not change; a lost connection may come back.
    return error instanceof ZooKeeperError ? { outcome: 'unknown' } : undefined;
  }
}

/** Waits for a new session state, `ms` at most. */
async function stateChange(client: ZooKeeperClient, ms: number): Promise<void> {
  const changed = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => changed.resolve(undefined), ms);
  const listener = client.onState(() => changed.resolve(undefined));
  await changed.promise;
  clearTimeout(timer);
  listener.dispose();
}
