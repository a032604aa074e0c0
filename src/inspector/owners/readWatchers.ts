import { toClientPath } from '../../zookeeper/connectString.ts';
import type { ClusterServer } from './clusterServers.ts';
import type { OwnerFacts, SourceReport } from './ownerFacts.ts';
import { askServer, type AskOptions, type Question } from './askServer.ts';
import { parseWatchesByPath, parseWchp } from './parseAnswers.ts';

/**
 * Which sessions watch which nodes, as registered on the servers. Only data watches: servers list no children watches
 * (docs/dialects.md, 0.3).
 */
export interface WatchFacts {
  /** Sessions by the path of the node that they watch, as the client sees it. */
  watchers: ReadonlyMap<string, ReadonlySet<bigint>>;
  /** Every server answered: a watch that is not listed is not there. */
  isComplete: boolean;
  sources: readonly SourceReport[];
  /** Epoch ms of this machine's clock before the first question. */
  askedAt: number;
}

const watchesQuestion: Question<Map<string, Set<bigint>>> = {
  name: 'watches',
  command: 'watches_by_path',
  word: 'wchp',
  fromAdmin: parseWatchesByPath,
  fromWord: parseWchp,
};

/**
 * Asks every server which sessions watch which nodes, on request only: the servers' documentation calls it possibly expensive,
 * and few allow it.
 *
 * @param servers of the cluster (`clusterServers`); no other host is contacted
 */
export async function readWatchers(
  servers: readonly ClusterServer[],
  options: AskOptions & { chroot?: string } = {},
): Promise<WatchFacts> {
  const askedAt = Date.now();
  const answers = await Promise.all(servers.map(server => askServer(server, watchesQuestion, options)));
  const watchers = new Map<string, Set<bigint>>();
  for (const { value } of answers) {
    for (const [serverPath, sessions] of value ?? []) {
      const path = toClientPath(options.chroot ?? '', serverPath);
      if (path === undefined) continue;
      const known = watchers.get(path) ?? new Set();
      for (const session of sessions) known.add(session);
      watchers.set(path, known);
    }
  }
  return {
    watchers,
    isComplete: answers.length > 0 && answers.every(({ value }) => value !== undefined),
    sources: answers.flatMap(({ sources }) => sources),
    askedAt,
  };
}

/** Marks the watches as incomplete if `readOwners` found a server of another cluster among those that were asked. */
export function watchesBeside({ sources }: Pick<OwnerFacts, 'sources'>, watches: WatchFacts): WatchFacts {
  const isMixed = sources.some(({ outcome }) => outcome === 'foreign');
  return isMixed ? { ...watches, isComplete: false } : watches;
}
