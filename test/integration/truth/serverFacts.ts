import { clusterServers } from '../../../src/inspector/owners/clusterServers.ts';
import type { OwnerFacts } from '../../../src/inspector/owners/ownerFacts.ts';
import { readOwners } from '../../../src/inspector/owners/readOwners.ts';
import { readWatchers, type WatchFacts } from '../../../src/inspector/owners/readWatchers.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';

/** What a server says of sessions and watches. */
export interface SessionFacts {
  owners: OwnerFacts;
  watches: WatchFacts;
}

/** @param chroot of the client; '' for none */
export async function readServerFacts(
  connectString: string,
  client: ZooKeeperClient,
  chroot: string,
): Promise<SessionFacts> {
  const servers = await clusterServers(connectString);
  const [owners, watches] = await Promise.all([
    readOwners(servers, client.sessionId),
    readWatchers(servers, { chroot }),
  ]);
  if (!watches.isComplete || owners.live === undefined) throw new Error('The server did not answer all questions.');
  return { owners, watches };
}
