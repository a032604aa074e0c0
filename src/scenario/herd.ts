import { monotonicNow } from '../base/deadline.ts';
import { childPath } from '../base/paths.ts';
import { unlessAborted } from '../base/unlessAborted.ts';
import { LockCancelled } from '../recipes/errors.ts';
import { ensureDirectory } from '../recipes/ownNode.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import type { SessionLink } from './sessionLink.ts';

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
export interface HerdSession {
  readonly client: ZooKeeperClient;
  readonly link: Pick<SessionLink, 'notifications'>;
}

/** The directories that `compareHerd` uses: of the naive recipe, and of the other. */
export function herdDirectories(path: string): readonly [string, string] {
  return [childPath(path, 'naive'), childPath(path, 'predecessor')];
}

/**
 * Hands a lock through a queue twice: with the naive recipe, and with that of the ZooKeeper documentation, which avoids its herd effect
 * ("ZooKeeper Recipes and Solutions", Locks; Hunt et al., USENIX ATC 2010, 2.4). The queue stands before the first hand-over begins.
 *
 * @param path a directory for each of the two is made below it
 */
export async function compareHerd(
  sessions: readonly HerdSession[],
  path: string,
  signal: AbortSignal,
): Promise<HerdResult> {
  const [naivePath, predecessorPath] = herdDirectories(path);
  const naive = await measure(sessions, naivePath, signal, 'directory');
  const predecessor = await measure(sessions, predecessorPath, signal, 'predecessor');
  return { contenders: sessions.length, naive, predecessor };
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
 * @throws LockCancelled, ZooKeeperError
 */
async function passOn(
  { client, path, watched }: { client: ZooKeeperClient; path: string; watched: Watched },
  queued: () => void,
  begin: Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  const cancelled = (): Error => new LockCancelled(path);
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
