import { clusterServers } from '../../inspector/owners/clusterServers.ts';
import type { OwnerFacts } from '../../inspector/owners/ownerFacts.ts';
import type { AskOptions } from '../../inspector/owners/questions.ts';
import { readOwners } from '../../inspector/owners/readOwners.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import { parseConnectString } from '../../zookeeper/connectString.ts';
import type { ClusterProfile } from '../clusters/clusterProfile.ts';
import { isEncryptedKey, readTlsFiles } from '../security/tlsFiles.ts';

/** A person waits for the answer, and one slow server must not spoil it. */
const questionLimitMs = 3_000;

/** Asks the servers of a cluster who their clients are. Only the AdminServer port that the person has set is used. */
export async function gatherOwners(
  profile: ClusterProfile,
  client: ZooKeeperClient,
  adminServerPort: number | undefined,
  signal?: AbortSignal,
): Promise<OwnerFacts> {
  const servers = await clusterServers(profile.connectString, client);
  const options: AskOptions = {
    timeoutMs: questionLimitMs,
    ...(signal === undefined ? {} : { signal }),
    ...(adminServerPort === undefined ? {} : { adminServer: { port: adminServerPort } }),
    ...(await wordOptions(profile)),
  };
  return readOwners(servers, options);
}

/** Four-letter words go to the client port, so they need the same TLS; a key with a passphrase is not asked for here. */
async function wordOptions({ tls }: ClusterProfile): Promise<Pick<AskOptions, 'tls' | 'fourLetterWords'>> {
  if (tls === undefined) return {};
  try {
    const { ca, cert, key } = await readTlsFiles(tls);
    const servername = tls.serverName === undefined ? {} : { servername: tls.serverName };
    const own = key !== undefined && cert !== undefined && !isEncryptedKey(key) ? { cert, key } : {};
    return { tls: { ...(ca === undefined ? {} : { ca }), ...own, ...servername } };
  } catch {
    // The session is there, so the files were readable once: the sources will be missing, not the rest.
    return { fourLetterWords: false };
  }
}

/** The part of the tree that the connect string limits the cluster to; '' for all of it. */
export function chrootOf({ connectString }: Pick<ClusterProfile, 'connectString'>): string {
  return parseConnectString(connectString).chroot;
}
