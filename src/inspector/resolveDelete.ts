import { Deadline } from '../base/deadline.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { ZooKeeperError } from '../zookeeper/errors.ts';

/** How long an unclear outcome is looked into. */
export interface ResolveOptions {
  /** ms; default 15,000 */
  withinMs?: number;
  signal?: AbortSignal;
}

/** `unknown`: no answer before the deadline, or the session ended. */
export type ResolvedDelete = 'deleted' | 'still there' | 'unknown';

const defaultWithinMs = 15_000;
/** Between two looks while the connection neither breaks nor answers. */
const pauseMs = 100;

/**
 * Says what became of a delete whose reply was lost, by reading and never by repeating (docs/faults.md, F14): a node
 * that is gone, or whose name belongs to another node now, was deleted. Waits for the connection to come back. `sync`
 * goes first, so that a server that lags behind does not show the past. A request of the former connection cannot
 * overtake it: once the session is attached elsewhere the leader refuses what still comes from there (SESSION_MOVED).
 *
 * Never rejects.
 */
export async function resolveDelete(
  client: ZooKeeperClient,
  target: { path: string; czxid: bigint },
  options: ResolveOptions = {},
): Promise<ResolvedDelete> {
  const deadline = new Deadline(options.withinMs ?? defaultWithinMs);
  while (client.state === 'connected' || client.state === 'uncertain') {
    const seen = client.state === 'connected' ? await look(client, target) : undefined;
    if (seen !== undefined) return seen;
    if (deadline.isOver || options.signal?.aborted === true) return 'unknown';
    await nextChance(client, Math.min(pauseMs, deadline.remainingMs));
  }
  return 'unknown';
}

/** @returns `undefined` if it is worth to look again */
async function look(
  client: ZooKeeperClient,
  target: { path: string; czxid: bigint },
): Promise<ResolvedDelete | undefined> {
  try {
    const [, stat] = await Promise.all([client.sync(target.path), client.exists(target.path)]);
    return stat?.czxid === target.czxid ? 'still there' : 'deleted';
  } catch (error) {
    // The server's refusal will not change; a lost connection may come back.
    return error instanceof ZooKeeperError ? 'unknown' : undefined;
  }
}

async function nextChance(client: ZooKeeperClient, ms: number): Promise<void> {
  const changed = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => changed.resolve(undefined), ms);
  const listener = client.onState(() => changed.resolve(undefined));
  await changed.promise;
  clearTimeout(timer);
  listener.dispose();
}
