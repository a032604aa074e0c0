import { clusterServers } from '../../inspector/owners/clusterServers.ts';
import type { OwnerFacts } from '../../inspector/owners/ownerFacts.ts';
import type { AskOptions } from '../../inspector/owners/askServer.ts';
import { readOwners } from '../../inspector/owners/readOwners.ts';
import { readWatchers, type WatchFacts } from '../../inspector/owners/readWatchers.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import { parseConnectString } from '../../zookeeper/connectString.ts';
import type { TlsOptions } from '../../zookeeper/openSocket.ts';
import type { ClusterProfile } from '../clusters/clusterProfile.ts';
import type { ClusterSecrets, SecretPurpose } from '../security/clusterSecrets.ts';
import { isEncryptedKey, readTlsFiles, type TlsMaterial } from '../security/tlsFiles.ts';

/** A person waits for the answer, and one slow server must not spoil it. */
const questionLimitMs = 3_000;

/** What the person has set and given, for questions to servers. */
export interface AskMeans {
  /** Only this port is asked for an AdminServer; `undefined`: none. */
  adminServerPort: number | undefined;
  /** For the passphrase of the client key; the person is not asked. */
  secrets: Pick<ClusterSecrets, 'get'>;
}

/** Asks the servers of a cluster who their clients are. Never fails for a server that does not answer: its facts are missing. */
export async function gatherOwners(
  profile: ClusterProfile,
  client: ZooKeeperClient,
  means: AskMeans,
  signal?: AbortSignal,
): Promise<OwnerFacts> {
  const servers = await clusterServers(profile.connectString, client);
  return readOwners(servers, client.sessionId, await askOptions(profile, means, signal));
}

/**
 * Asks the servers of a cluster who watches what, for one question of a person: the servers' documentation calls it possibly
 * expensive. Many servers refuse it, which the facts say.
 */
export async function gatherWatchers(
  profile: ClusterProfile,
  client: ZooKeeperClient,
  means: AskMeans,
  signal?: AbortSignal,
): Promise<WatchFacts> {
  const servers = await clusterServers(profile.connectString, client);
  return readWatchers(servers, { ...(await askOptions(profile, means, signal)), chroot: chrootOf(profile) });
}

async function askOptions(profile: ClusterProfile, means: AskMeans, signal?: AbortSignal): Promise<AskOptions> {
  const { adminServerPort } = means;
  return {
    timeoutMs: questionLimitMs,
    ...(signal === undefined ? {} : { signal }),
    ...(adminServerPort === undefined ? {} : { adminServer: { port: adminServerPort } }),
    ...(await wordOptions(profile, means)),
  };
}

/** Four-letter words go to the client port, so they need the same TLS, client certificate included. */
async function wordOptions(
  { id, tls }: ClusterProfile,
  { secrets }: AskMeans,
): Promise<Pick<AskOptions, 'tls' | 'fourLetterWords'>> {
  if (tls === undefined) return {};
  try {
    const material = await readTlsFiles(tls);
    const { ca } = material;
    const servername = tls.serverName === undefined ? {} : { servername: tls.serverName };
    const own = await ownCertificate(material, tls.keyFile, purpose => secrets.get(id, purpose));
    return { tls: { ...(ca === undefined ? {} : { ca }), ...own, ...servername } };
  } catch {
    // The session is there, so the files were readable once: the sources will be missing, not the rest.
    return { fourLetterWords: false };
  }
}

/** A key that stays shut is left out: a server that does not demand a certificate answers all the same. */
async function ownCertificate(
  { cert, key }: TlsMaterial,
  keyFile: string | undefined,
  secretFor: (purpose: SecretPurpose) => Promise<string | undefined>,
): Promise<Pick<TlsOptions, 'cert' | 'key' | 'passphrase'>> {
  if (cert === undefined || key === undefined || keyFile === undefined) return {};
  if (!isEncryptedKey(key)) return { cert, key };
  const passphrase = await secretFor({ kind: 'passphrase', keyFile });
  return passphrase === undefined ? {} : { cert, key, passphrase };
}

/** The part of the tree that the connect string limits the cluster to; '' for all of it. */
export function chrootOf({ connectString }: Pick<ClusterProfile, 'connectString'>): string {
  return parseConnectString(connectString).chroot;
}
