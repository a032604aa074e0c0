import { clusterServers } from '../../inspector/owners/clusterServers.ts';
import type { OwnerFacts, RecordedOwner } from '../../inspector/owners/ownerFacts.ts';
import type { AskOptions } from '../../inspector/owners/askServer.ts';
import { readOwners } from '../../inspector/owners/readOwners.ts';
import { readWatchers, watchesBeside, type WatchFacts } from '../../inspector/owners/readWatchers.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import { parseConnectString } from '../../zookeeper/connectString.ts';
import type { RecordedSession } from '../../replay/recording.ts';
import type { ClusterNode } from '../clusters/clusterModel.ts';
import type { ClusterProfile } from '../clusters/clusterProfile.ts';
import type { RecordedTime } from '../clusters/recordedTime.ts';
import type { ClusterSecrets } from '../security/clusterSecrets.ts';
import { isEncryptedKey, readTlsFiles } from '../security/tlsFiles.ts';

/** The user waits for the answer: one slow server must not delay it for long, ms. */
const questionLimitMs = 3_000;

/** Settings and secrets for questions to servers. */
export interface OwnerQueryOptions {
  /** The port of the AdminServers; `undefined`: they are not asked. */
  adminServerPort: number | undefined;
  /** For the passphrase of the client key; the user is not asked for it. */
  secrets: Pick<ClusterSecrets, 'get'>;
}

/** A live cluster, or a recording, which has no servers to be asked. */
export interface AskedCluster extends Pick<ClusterNode, 'profile' | 'recorder' | 'lastOwners'> {
  time?: RecordedMoment;
}

type RecordedMoment = Pick<RecordedTime, 'recording' | 'moment'>;

/**
 * Asks the servers of a cluster for their clients. A server that does not answer is no failure: its facts are missing. A recording
 * says which sessions lived at its moment; transaction logs hold no addresses, what was recorded live does. The recorder of this window
 * knows addresses of sessions that are over. What is known then is remembered as `lastOwners`.
 */
export async function gatherOwners(
  cluster: AskedCluster,
  client: ZooKeeperClient,
  query: OwnerQueryOptions,
  signal?: AbortSignal,
): Promise<OwnerFacts> {
  const { profile, time, recorder } = cluster;
  if (time !== undefined) return recordedOwners(time);
  const options = await askOptions(profile, query, signal);
  const servers = await clusterServers(profile.connectString, client, options);
  const owners = withRecorded(await readOwners(servers, client.sessionId, options), recorder);
  cluster.lastOwners = owners;
  return owners;
}

/**
 * As `gatherOwners`, and asks which sessions watch which nodes. Only on request: the servers' documentation calls that possibly
 * expensive. Many servers refuse it, as the sources then report.
 */
export async function gatherOwnersAndWatches(
  cluster: AskedCluster,
  client: ZooKeeperClient,
  query: OwnerQueryOptions,
  signal?: AbortSignal,
): Promise<{ owners: OwnerFacts; watches?: WatchFacts }> {
  const { profile, time, recorder } = cluster;
  if (time !== undefined) return { owners: recordedOwners(time) };
  const options = await askOptions(profile, query, signal);
  const servers = await clusterServers(profile.connectString, client, options);
  const [found, watches] = await Promise.all([
    readOwners(servers, client.sessionId, options),
    readWatchers(servers, { ...options, chroot: chrootOf(profile) }),
  ]);
  const owners = withRecorded(found, recorder);
  cluster.lastOwners = owners;
  return { owners, watches: watchesBeside(found, watches) };
}

/** What a recording says of the sessions at its moment. */
export function recordedOwners({ recording, moment }: RecordedMoment): OwnerFacts {
  const isThere = ({ opened, ended }: RecordedSession): boolean =>
    (opened === undefined || opened.zxid <= moment.zxid) && (ended === undefined || ended.zxid > moment.zxid);
  const sessions = recording.sessions();
  const ids = new Set([...sessions].flatMap(([id, session]) => (isThere(session) ? [id] : [])));
  // Sessions of before the first file may be missing, as in the list of a follower.
  const live = { ids, listedBy: 'follower', server: '' } as const;
  return { connections: new Map(), recorded: addressesOf(sessions), live, sources: [], askedAt: Date.now() };
}

function withRecorded(owners: OwnerFacts, recorder: AskedCluster['recorder']): OwnerFacts {
  const sessions = recorder?.past?.sessions();
  return sessions === undefined ? owners : { ...owners, recorded: addressesOf(sessions) };
}

/** Where the clients of recorded sessions were. */
export function addressesOf(sessions: ReadonlyMap<bigint, RecordedSession>): Map<bigint, RecordedOwner> {
  const known = new Map<bigint, RecordedOwner>();
  for (const [id, session] of sessions) {
    const { address } = session;
    if (address !== undefined) known.set(id, { ...session, address });
  }
  return known;
}

/** How the servers of a cluster may be asked. */
export async function askOptions(
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
    const { cert, key, ...options } = await readTlsFiles(tls);
    if (cert === undefined || key === undefined || tls.keyFile === undefined) return { tls: options };
    if (!isEncryptedKey(key)) return { tls: { ...options, cert, key } };
    const passphrase = await secrets.get(id, { kind: 'passphrase', keyFile: tls.keyFile });
    // Without the key: a server that demands no certificate answers all the same.
    return { tls: passphrase === undefined ? options : { ...options, cert, key, passphrase } };
  } catch {
    // The session is open, so the files were readable once. Only these sources will be missing.
    return { fourLetterWords: false };
  }
}

/** The part of the tree that the connect string limits the cluster to; '' for all of it. */
export function chrootOf({ connectString }: Pick<ClusterProfile, 'connectString'>): string {
  return parseConnectString(connectString).chroot;
}
