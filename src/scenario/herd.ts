import { monotonicNow } from '../base/deadline.ts';
import { childPath } from '../base/paths.ts';
import { unlessAborted } from '../base/unlessAborted.ts';
import { ensureDirectory } from '../recipes/ownNode.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { CancelledError, unlessAnswered } from '../zookeeper/errors.ts';
import type { ScenarioCluster } from './scenarioCluster.ts';
import { SessionLink } from './sessionLink.ts';
import { StepFailed } from './stepFailed.ts';

/** What it took to hand a lock through a whole queue. */
export interface HerdCost {
  readonly handOvers: number;
  /** That the server sent to all contenders. */
  readonly notifications: number;
  /** From the first release to the last, ms. */
  readonly ms: number;
}

export interface HerdResult {
  readonly contenders: number;
  /** Every waiter watches the directory. */
  readonly naive: HerdCost;
  /** Every waiter watches the one before it. */
  readonly predecessor: HerdCost;
}

/** One session of the herd: one for each contender, since a server wakes a session once however many of its threads wait. */
interface HerdSession {
  readonly client: ZooKeeperClient;
  readonly link: SessionLink;
}

/** The directories of a herd: of the naive recipe, and of the other. */
export function herdDirectories(path: string): readonly [string, string] {
  return [childPath(path, 'naive'), childPath(path, 'predecessor')];
}

/**
 * Hands a lock through a queue twice: with the naive recipe, and with that of the ZooKeeper documentation, which avoids its herd effect
 * ("ZooKeeper Recipes and Solutions", Locks; Hunt et al., USENIX ATC 2010, 2.4). The queue stands before the first hand-over begins.
 *
 * @param path a directory for each of the two is made below it; it must have no other children, since some libraries fail when they
 *   find one in the directory of their lock
 * @param sessionIds takes the ids of its sessions, which end with it
 * @throws StepFailed `in-use`, CancelledError, what `connect` throws, ZooKeeperError, NotConnectedError
 */
export async function playHerd(
  cluster: ScenarioCluster,
  contenders: number,
  path: string,
  sessionIds: Set<bigint>,
  signal: AbortSignal,
): Promise<HerdResult> {
  const open = async (): Promise<HerdSession> => {
    const link = new SessionLink();
    const client = await cluster.connect(socket => link.over(socket), signal);
    sessionIds.add(client.sessionId);
    return { link, client };
  };
  const opened = await Promise.allSettled(Array.from({ length: contenders }, open));
  const sessions = opened.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []));
  try {
    const failed = opened.find(each => each.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    const directories = herdDirectories(path);
    for (const { client } of sessions.slice(0, 1)) await requireUnused(client, path, directories);
    const naive = await measure(sessions, directories[0], signal, 'directory');
    const predecessor = await measure(sessions, directories[1], signal, 'predecessor');
    return { contenders, naive, predecessor };
  } finally {
    await Promise.all(sessions.map(({ client }) => client.close()));
  }
}

/** @throws StepFailed, ZooKeeperError, NotConnectedError, ReplyLostError */
async function requireUnused(client: ZooKeeperClient, path: string, directories: readonly string[]): Promise<void> {
  const childrenOf = async (each: string): Promise<string[]> =>
    (await unlessAnswered(client.getChildren(each), 'NO_NODE'))?.children.map(child => childPath(each, child)) ?? [];
  const [children = [], ...below] = await Promise.all([path, ...directories].map(childrenOf));
  const [other] = [...children.filter(child => !directories.includes(child)), ...below.flat()];
  if (other !== undefined) throw new StepFailed({ kind: 'in-use', path: other });
}

/** What a waiter watches: the directory, or the contender before its own. */
type Watched = 'directory' | 'predecessor';

async function measure(
  sessions: readonly HerdSession[],
  path: string,
  signal: AbortSignal,
  watched: Watched,
): Promise<HerdCost> {
  const [first] = sessions;
  if (first === undefined) return { handOvers: 0, notifications: 0, ms: 0 };
  await ensureDirectory(first.client, path);
  const counted = (): number => sessions.reduce((sum, { link }) => sum + link.notifications, 0);
  const begin = Promise.withResolvers<undefined>();
  const ends: Promise<void>[] = [];
  for (const { client } of sessions) {
    const queued = Promise.withResolvers<undefined>();
    const end = passOn({ client, path, watched }, () => queued.resolve(undefined), begin.promise, signal);
    ends.push(end);
    await Promise.race([queued.promise, end]);
  }
  const [startedAt, before] = [monotonicNow(), counted()];
  begin.resolve(undefined);
  await Promise.all(ends);
  return { handOvers: sessions.length - 1, notifications: counted() - before, ms: monotonicNow() - startedAt };
}

/**
 * One contender: waits until its node is the first, and deletes it once `begin` is over.
 *
 * @param queued called when it is the first, or its watch is set
 * @throws CancelledError, ZooKeeperError
 */
async function passOn(
  { client, path, watched }: { client: ZooKeeperClient; path: string; watched: Watched },
  queued: () => void,
  begin: Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  const cancelled = (): Error => new CancelledError('Playing');
  const node = await client.create(childPath(path, 'lock-'), { mode: 'ephemeral_sequential' });
  for (;;) {
    const changed = Promise.withResolvers<undefined>();
    const watch = (): void => changed.resolve(undefined);
    const { children } = await client.getChildren(path, watched === 'directory' ? { watch } : {});
    const before = children.sort().findLast(child => childPath(path, child) < node.path);
    if (before === undefined) break;
    if (watched === 'predecessor' && (await client.exists(childPath(path, before), { watch })) === undefined) continue;
    queued();
    await unlessAborted(changed.promise, signal, cancelled);
  }
  queued();
  await unlessAborted(begin, signal, cancelled);
  await client.remove(node.path, node.stat.version);
}
