import { setTimeout as pause } from 'node:timers/promises';
import { readQueues } from '../inspector/readQueues.ts';
import type { Contender } from '../locks/lockQueue.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import type { LeftNodes } from './leftNodes.ts';
import type { Left, MadeDirectories } from './madeDirectories.ts';
import type { ScenarioCluster } from './scenarioCluster.ts';

/** How often the end of sessions is looked for, ms. */
const lookEveryMs = 50;

/** What a run has made. */
export interface Made {
  readonly directories: MadeDirectories;
  readonly leftNodes: readonly LeftNodes[];
  /** Its sessions, which have been closed. */
  readonly sessionIds: ReadonlySet<bigint>;
  /** Of all locks, and of the queues of herds. */
  readonly paths: readonly string[];
}

/**
 * Removes what a run has made, once its sessions are over. Never rejects.
 *
 * @param reader of the run; where its session is over, another one is opened
 * @param signal ends the wait for servers that do not answer
 * @returns what is still there, or may be
 */
export async function removeMade(
  made: Made,
  reader: ZooKeeperClient,
  cluster: ScenarioCluster,
  signal: AbortSignal,
): Promise<Left[]> {
  let client = reader;
  try {
    client = await usable(reader, cluster, signal);
    const owned = await untilGone(client, made, signal);
    return [
      ...owned.map((path): Left => ({ path, why: 'session' })),
      ...(await removeLeft(client, made.leftNodes)),
      ...(await made.directories.remove(client)),
    ];
  } catch (error) {
    const directories = made.leftNodes.flatMap(nodes => nodes.directories);
    return [...new Set([...directories, ...made.directories.paths])].map(path => ({ path, why: { error } }));
  } finally {
    await Promise.all([reader.close(), client.close()]);
  }
}

/** The contenders of some sessions. @throws ZooKeeperError, NotConnectedError, ReplyLostError, CancelledError */
export async function contendersOf(
  sessionIds: ReadonlySet<bigint>,
  reader: ZooKeeperClient,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Contender[]> {
  const read = await Promise.all(
    paths.map(async path => {
      await reader.sync(path);
      return readQueues(reader, path, { signal });
    }),
  );
  return read.flat().flatMap(({ contenders }) => contenders.filter(one => sessionIds.has(one.ownerSession)));
}

/** @throws AbortError, and what `connect` throws */
async function usable(
  reader: ZooKeeperClient,
  cluster: ScenarioCluster,
  signal: AbortSignal,
): Promise<ZooKeeperClient> {
  while (reader.state === 'uncertain') await pause(lookEveryMs, undefined, { signal });
  return reader.state === 'connected' ? reader : cluster.connect(undefined, signal);
}

/** A session that could not be closed in order lives on until its time-out. @returns paths of what is still there when time is over */
async function untilGone(client: ZooKeeperClient, { sessionIds, paths }: Made, signal: AbortSignal): Promise<string[]> {
  for (;;) {
    // What is left is looked at, too, when the time is over.
    const owned = await contendersOf(sessionIds, client, paths, new AbortController().signal);
    if (owned.length === 0 || signal.aborted) return owned.map(({ path }) => path);
    await pause(lookEveryMs, undefined, { signal }).catch(() => undefined);
  }
}

async function removeLeft(client: ZooKeeperClient, leftNodes: readonly LeftNodes[]): Promise<Left[]> {
  const left: Left[] = [];
  for (const nodes of leftNodes) {
    for (const path of nodes.directories) {
      await nodes.remove(client, path).catch((error: unknown) => left.push({ path, why: { error } }));
    }
  }
  return left;
}
