import { findDeadlocks } from '../inspector/findDeadlocks.ts';
import { findStale } from '../inspector/findStale.ts';
import type { OwnerFacts } from '../inspector/owners/ownerFacts.ts';
import { readQueues } from '../inspector/readQueues.ts';
import { waiterId } from '../inspector/waitForGraph.ts';
import type { LockQueue } from '../locks/lockQueue.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { nameOf, type Member, type Sight } from './claims.ts';
import type { ScenarioCluster } from './scenarioCluster.ts';

export interface SightPlan {
  readonly reader: ZooKeeperClient;
  readonly cluster: ScenarioCluster;
  /** Of all locks of the scenario. */
  readonly paths: readonly string[];
  /** Contenders of other programs may be known by their address, and stale ones by what the servers say. */
  readonly asksServers: boolean;
  readonly membersBy: (owners: OwnerFacts | undefined) => ReadonlyMap<string, Member>;
  readonly tokens: Sight['tokens'];
  readonly woken: Sight['woken'];
}

/** Reads everything that claims are compared with. @throws ZooKeeperError, NotConnectedError, ReplyLostError, CancelledError */
export async function readSight(plan: SightPlan, signal: AbortSignal): Promise<Sight> {
  const { reader, cluster, paths, tokens, woken } = plan;
  const queuesReadAt = Date.now();
  const read = await Promise.all(
    paths.map(async path => {
      // The server of the reader may be behind those of the sessions.
      await reader.sync(path);
      return [path, await readQueues(reader, path, { signal })] as const;
    }),
  );
  const owners = plan.asksServers ? await cluster.owners?.(reader, signal) : undefined;
  const queues = new Map<string, readonly LockQueue[]>(read);
  const all = read.flatMap(([, each]) => each);
  const members = plan.membersBy(owners);
  const facts = { queuesReadAt, now: Date.now(), ...(owners === undefined ? {} : { owners }) };
  const stale = new Set(findStale(all, facts).map(({ contender }) => contender.path));
  return { queues, members, deadlocks: deadlocksOf(all, members), stale, tokens, woken };
}

function deadlocksOf(queues: readonly LockQueue[], members: Sight['members']): string[][] {
  const names = new Map<string, string>();
  for (const queue of queues) {
    for (const contender of queue.contenders) names.set(waiterId(contender), nameOf(contender, queue, members) ?? '?');
  }
  const { deadlocks, possible } = findDeadlocks(queues);
  return [...deadlocks, ...possible].map(each => each.members.map(id => names.get(id) ?? '?'));
}
