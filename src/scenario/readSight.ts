import { findDeadlocks } from '../inspector/findDeadlocks.ts';
import { findStale } from '../inspector/findStale.ts';
import type { OwnerFacts } from '../inspector/owners/ownerFacts.ts';
import { readQueues } from '../inspector/readQueues.ts';
import { waiterId } from '../inspector/waitForGraph.ts';
import type { LockQueue } from '../locks/lockQueue.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import type { Sight } from './claims.ts';
import { memberOf, placesOf, type Members } from './places.ts';

/** How often all queues are read to see two readings that are the same. */
const mostReadings = 5;

/** The queues of all locks at one moment. */
export interface Queues {
  readonly byPath: ReadonlyMap<string, readonly LockQueue[]>;
  /** Epoch ms, before the reading. */
  readonly readAt: number;
}

/**
 * Reads the queues of several locks as they were together at one moment: what is read twice in a row without a difference was so in
 * between (Afek et al., "Atomic snapshots of shared memory", 1993). While queues change faster than that, the last reading counts.
 *
 * @throws ZooKeeperError, NotConnectedError, ReplyLostError, CancelledError
 */
export async function readTogether(
  reader: ZooKeeperClient,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Queues> {
  let before: string | undefined;
  for (let count = 1; ; count++) {
    const readAt = Date.now();
    const byPath = new Map(
      await Promise.all(
        paths.map(async path => {
          // The server of the reader may be behind those of the sessions.
          await reader.sync(path);
          return [path, await readQueues(reader, path, { signal })] as const;
        }),
      ),
    );
    const now = [...byPath.values()].flatMap(queues => queues.flatMap(nodesOf)).join('\n');
    if (paths.length < 2 || now === before || count === mostReadings) return { byPath, readAt };
    before = now;
  }
}

function nodesOf({ contenders }: LockQueue): string[] {
  return contenders.map(({ path, czxid, role }) => `${path} ${czxid} ${role}`);
}

/** What the queues say of the members. @param owners absent: the servers were not asked */
export function sightOf(
  { byPath, readAt }: Queues,
  members: Members,
  owners: OwnerFacts | undefined,
): Pick<Sight, 'places' | 'unreadable' | 'attempts' | 'deadlocks'> {
  const all = [...byPath.values()].flat();
  const facts = { queuesReadAt: readAt, now: Date.now(), ...(owners === undefined ? {} : { owners }) };
  const stale = new Set(findStale(all, facts).map(({ contender }) => contender.path));
  const paths = [...byPath];
  const hidden = paths.filter(([, queues]) => queues.some(({ hazards }) => hazards.some(isUnread)));
  return {
    places: new Map(paths.map(([path, queues]) => [path, placesOf(path, queues, members, stale)])),
    unreadable: new Set(hidden.map(([path]) => path)),
    attempts: new Map(
      [...members].flatMap(([name, { attempts }]) => (attempts === undefined ? [] : [[name, attempts]])),
    ),
    deadlocks: deadlocksOf(all, members),
  };
}

function isUnread({ kind }: LockQueue['hazards'][number]): boolean {
  return kind === 'unreadable';
}

function deadlocksOf(queues: readonly LockQueue[], members: Members): string[][] {
  const names = new Map<string, string>();
  for (const queue of queues) {
    for (const contender of queue.contenders) {
      names.set(waiterId(contender), memberOf(contender, queue, members) ?? '?');
    }
  }
  const { deadlocks, possible } = findDeadlocks(queues);
  return [...deadlocks, ...possible].map(each => each.members.map(id => names.get(id) ?? '?'));
}
