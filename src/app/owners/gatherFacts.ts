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

/** The user waits for the answer: one slow server must not delay it for long, ms. */
const questionLimitMs = 3_000;

/** Settings and secrets for questions to servers. */
export interface OwnerQueryOptions {
  /** The port of the AdminServers; `undefined`: they are not asked. */
  adminServerPort: number | undefined;
  /** For the passphrase of the client key; the user is not asked for it. */
  secrets: Pick<ClusterSecrets, 'get'>;
}

/** Asks the servers of a cluster for their clients. A server that does not answer is no failure: its facts are missing. */
export async function gatherOwners(
  profile: ClusterProfile,
  client: ZooKeeperClient,
  query: OwnerQueryOptions,
  signal?: AbortSignal,
): Promise<OwnerFacts> {
  const servers = await clusterServers(profile.connectString, client);
  return readOwners(servers, client.sessionId, await askOptions(profile, query, signal));
}

/**
 * Asks the servers of a cluster which sessions watch which nodes. Only on request: the servers' documentation calls it possibly
 * expensive. Many servers refuse it, which the sources say.
 */
export async function gatherWatchers(
  profile: ClusterProfile,
  client: ZooKeeperClient,
  query: OwnerQueryOptions,
  signal?: AbortSignal,
): Promise<WatchFacts> {
  const servers = await clusterServers(profile.connectString, client);
  return readWatchers(servers, { ...(await askOptions(profile, query, signal)), chroot: chrootOf(profile) });
}

async function askOptions(
  profile: ClusterProfile,
  query: OwnerQueryOptions,
  signal?: AbortSignal,
): Promise<AskOptions> {
  const { adminServerPort } = query;
  return {
    timeoutMs: questionLimitMs,
    ...(signal === undefined ? {} : { signal }),
    ...(adminServerPort === undefined ? {} : { adminServer: { port: adminServerPort } }),
    ...(await wordOptions(profile, query)),
  };
}

/** Four-letter words go to the client port, so they need the same TLS, client certificate included. */
async function wordOptions(
  { id, tls }: ClusterProfile,
  { secrets }: OwnerQueryOptions,
): Promise<Pick<AskOptions, 'tls' | 'fourLetterWords'>> {
  if (tls === undefined) return {};
  try {
    const material = await readTlsFiles(tls);
    const { ca } = material;
    const servername = tls.serverName === undefined ? {} : { servername: tls.serverName };
    const own = await ownCertificate(material, tls.keyFile, purpose => secrets.get(id, purpose));
    return { tls: { ...(ca === undefined ? {} : { ca }), ...own, ...servername } };
  } catch {
    // The session is open, so the files were readable once. Only these sources will be missing.
    return { fourLetterWords: false };
  }
}

/** A key whose passphrase is missing is left out: a server that demands no certificate answers all the same. */
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
