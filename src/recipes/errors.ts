import { FactError } from '../base/factError.ts';
import type { QueueRecipe } from '../locks/dialect.ts';
import type { DialectId } from '../locks/lockQueue.ts';

/** An attempt at a path has failed. */
abstract class PathError extends FactError {
  readonly path: string;

  constructor(name: string, path: string, facts = '') {
    super(name, `${path}${facts}`);
    this.path = path;
  }
}

/** The lock was not free within the time limit. */
export class LockTimeout extends PathError {
  readonly timeoutMs: number;
  /** Whether the attempt has left the queue; otherwise it goes on leaving until the server confirms it, or the session ends. */
  readonly hasLeft: boolean;

  constructor(path: string, timeoutMs: number, hasLeft = true) {
    super('LockTimeout', path, ` timeoutMs=${timeoutMs} hasLeft=${hasLeft}`);
    this.timeoutMs = timeoutMs;
    this.hasLeft = hasLeft;
  }
}

/** The attempt was cancelled and has left the queue. */
export class LockCancelled extends PathError {
  constructor(path: string) {
    super('LockCancelled', path);
  }
}

/** The session ended while the attempt waited; its node is gone with it. */
export class SessionLost extends PathError {
  constructor(path: string, why: string) {
    super('SessionLost', path, `: ${why}`);
  }
}

/** Another client deleted our waiting node. The attempt does not queue up again by itself: its place is gone. */
export class RemovedFromQueue extends PathError {
  constructor(path: string) {
    super('RemovedFromQueue', path);
  }
}

/** An own node that the server refuses to delete, and its refusal. */
export interface NodeLeft {
  path: string;
  cause: unknown;
}

/**
 * The attempt has failed, and a node that it created blocks the queue: the server refuses to delete it, for example without the
 * DELETE right. It goes when the session ends.
 */
export class NodeLeftBehind extends FactError {
  /** Why the attempt ended. */
  readonly why: unknown;
  /** At least one. */
  readonly nodes: readonly [NodeLeft, ...NodeLeft[]];
  /** The first one, with the refusal as `cause`. */
  readonly path: string;

  constructor(why: unknown, nodes: readonly [NodeLeft, ...NodeLeft[]]) {
    const [{ path, cause }] = nodes;
    const left = nodes.map(node => `${node.path} (${String(node.cause)})`);
    super('NodeLeftBehind', `${left.join(', ')} after ${String(why)}`, { cause });
    this.why = why;
    this.nodes = nodes;
    this.path = path;
  }
}

/** The nodes that a failed attempt has left. @param why it failed */
export function nodesLeftBy(why: unknown): readonly NodeLeft[] {
  return why instanceof NodeLeftBehind ? why.nodes : [];
}

/**
 * The error for the caller of a failed attempt.
 *
 * @param why it failed
 * @param left what the server refuses to delete
 */
export function withNodesLeft(why: unknown, left: readonly (NodeLeft | undefined)[]): unknown {
  const [first, ...others] = left.filter(node => node !== undefined);
  if (first === undefined) return why;
  if (!(why instanceof NodeLeftBehind)) return new NodeLeftBehind(why, [first, ...others]);
  return new NodeLeftBehind(why.why, [...why.nodes, first, ...others]);
}

/**
 * Why a lock cannot be taken at a path as requested, as a closed list that an interface can translate.
 *
 * `in-use`: locks of `dialect` are there, which `recipe` cannot join. `semaphore`: the path is that of a semaphore, or a part
 * of it, and another lock was requested. `no-recipe`: the requested dialect has none.
 * `stranger`: the node `name` there belongs to another kind of lock. `limit`: a semaphore's limit is stored there, and it is
 * another one. `directory`: a lock that is one node was requested. `twice`: one path for two locks of a multi-lock.
 * `name` and `found` are foreign text.
 */
export type DialectFault =
  | { kind: 'in-use' | 'no-recipe'; dialect: DialectId; recipe: QueueRecipe }
  | { kind: 'semaphore'; dialect: DialectId; semaphore: string }
  | { kind: 'stranger'; name: string }
  | { kind: 'limit'; found: string; wanted: number }
  | { kind: 'directory' | 'twice' };

/** The path is in use in a way that this lock would not exclude, or is excluded from. */
export class WrongDialect extends PathError {
  readonly fault: DialectFault;

  constructor(path: string, fault: DialectFault) {
    super('WrongDialect', path, ` ${JSON.stringify(fault)}`);
    this.fault = fault;
  }
}

/** The order of the queue cannot be trusted: the parent's counter has run out (L16). */
export class QueueCorrupted extends PathError {
  /** `stands-still`: the server gave a number out twice. `run-out`: there are no further numbers. */
  readonly fault: 'stands-still' | 'run-out';

  constructor(path: string, fault: 'stands-still' | 'run-out') {
    super('QueueCorrupted', path, ` ${fault}`);
    this.fault = fault;
  }
}

/** Some locks of a multi-lock were not released; all were tried, in reverse order. */
export class MultiReleaseError extends AggregateError {
  constructor(failures: readonly unknown[]) {
    super(failures, failures.map(String).join('; '));
    this.name = 'MultiReleaseError';
  }
}
