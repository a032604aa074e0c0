import { monotonicNow, type MonotonicClock } from '../../base/deadline.ts';
import { clusterServers } from '../../inspector/owners/clusterServers.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import { askOptions } from '../owners/gatherFacts.ts';
import { startObserver } from './lockObserver.ts';
import type { ObservePlan } from './recorders.ts';
import type { Observation, Sink } from './recordingRun.ts';

const partMs = 10_000;
/** Of a minute. */
const parts = 6;

/** How many of something there were in the last minute, to a sixth of it. */
class LastMinute {
  private readonly clock: MonotonicClock;
  private counts: { part: number; count: number }[] = [];

  constructor(clock: MonotonicClock) {
    this.clock = clock;
  }

  get count(): number {
    const newest = Math.floor(this.clock() / partMs);
    this.counts = this.counts.filter(({ part }) => part > newest - parts);
    return this.counts.reduce((sum, { count }) => sum + count, 0);
  }

  note(): void {
    const part = Math.floor(this.clock() / partMs);
    const last = this.counts.at(-1);
    if (last?.part === part) last.count++;
    else this.counts = [...this.counts.slice(1 - parts), { part, count: 1 }];
  }
}

const requests: ReadonlySet<unknown> = new Set<keyof ZooKeeperClient>([
  'exists',
  'getChildren',
  'getData',
  'readMany',
  'sync',
  'watchTree',
]);

/** The same session; its requests are counted, one for many reads at once. */
function counting(client: ZooKeeperClient, count: () => void): ZooKeeperClient {
  return new Proxy(client, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      if (requests.has(key)) {
        return (...args: readonly unknown[]): unknown => {
          count();
          return Reflect.apply(value, target, args);
        };
      }
      return value.bind(target) as unknown;
    },
  });
}

/**
 * Watches the locks of a cluster for a recorder, and asks its servers why they ended unless the settings forbid it.
 *
 * @throws what `startObserver` throws
 */
export async function observeLocks(
  client: ZooKeeperClient,
  { profile, settings, ownerQuery, logger }: ObservePlan,
  sink: Sink,
): Promise<Observation> {
  const reads = new LastMinute(monotonicNow);
  const { questionsPerMinute } = settings;
  const servers = async () => {
    const options = await askOptions(profile, ownerQuery);
    return { servers: await clusterServers(profile.connectString, client, options), options };
  };
  const observer = await startObserver(
    counting(client, () => reads.note()),
    {
      onEntries: entries => sink.onEntries(entries),
      onFailure: error => sink.onFailure(error),
      signal: sink.signal,
      roots: profile.lockRoots,
      maxNodes: settings.maxNodes,
      isWholeData: settings.nodeData,
      concerns: path => sink.state.concerns(path),
      clocks: { now: () => Date.now(), monotonicNow },
      logger,
      ...(questionsPerMinute === 0 ? {} : { looks: { servers, questionsPerMinute } }),
    },
  );
  return {
    dispose: () => observer.dispose(),
    get watches() {
      return observer.watches;
    },
    get requestsPerMinute() {
      return observer.requestsPerMinute + reads.count;
    },
  };
}
