import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import { parseConnectString, type ServerAddress } from '../../zookeeper/connectString.ts';
import type { DialTarget } from '../../zookeeper/openSocket.ts';
import { checkReportedHost, type ResolveOptions } from './reportedAddress.ts';
import type { Failure } from './withinLimits.ts';

const configPath = '/zookeeper/config';
/** No real ensemble has more members, and no answer of a server may make us ask more. */
const maxServers = 32;
const maxConfigBytes = 64 * 1024;

/**
 * A server of a cluster. One that the person did not name has the addresses where it may be dialled (`DialTarget`), or the
 * reason why it is not contacted at all; then its answers are missing.
 */
export interface ClusterServer extends DialTarget {
  refusal?: Failure;
}

/**
 * The servers to ask: those of the connect string, and those that the ensemble itself names in `/zookeeper/config`, where that
 * can be read (not below a chroot). No other host is ever contacted. A host of the connect string may be any; one that only the
 * ensemble names is resolved here, and refused where it means this machine or none in particular (`checkReportedHost`).
 *
 * @throws ConnectStringError
 */
export async function clusterServers(
  connectString: string,
  client?: ZooKeeperClient,
  options: ResolveOptions = {},
): Promise<ClusterServer[]> {
  const { servers, chroot } = parseConnectString(connectString);
  const members = client === undefined || chroot !== '' ? [] : parseMembers(await readConfig(client));
  const named = unique(servers).slice(0, maxServers);
  const names = new Set(named.map(nameOf));
  const reported = unique(members).filter(member => !names.has(nameOf(member)));
  const asked = reported.slice(0, maxServers - named.length);
  const checked = await Promise.all(asked.map(member => checkMember(member, named, options)));
  return [...named, ...checked.filter(server => server !== undefined)];
}

function nameOf({ host, port }: ServerAddress): string {
  return `${host.toLowerCase()}:${port}`;
}

function unique(servers: readonly ServerAddress[]): ServerAddress[] {
  return [...new Map(servers.map(server => [nameOf(server), server])).values()];
}

/** @returns `undefined` if the person named the server in another way: it is asked by that name */
async function checkMember(
  member: ServerAddress,
  named: readonly ServerAddress[],
  options: ResolveOptions,
): Promise<ClusterServer | undefined> {
  const checked = await checkReportedHost(member.host, options);
  if ('addresses' in checked) return { ...member, ...checked };
  const { outcome } = checked.refusal;
  // The person relies on that address; at another port there it is the same machine.
  if (outcome === 'local-network' && named.some(({ host }) => host.toLowerCase() === member.host.toLowerCase()))
    return member;
  // A port of this machine may lead to any cluster (forwarded ports), so here the port must be named too.
  const isNamed = outcome === 'own-machine' && (await leadsHere(named, member.port, options));
  return isNamed ? undefined : { ...member, ...checked };
}

/** Whether the connect string names the same port of this machine. */
async function leadsHere(named: readonly ServerAddress[], port: number, options: ResolveOptions): Promise<boolean> {
  const samePort = named.filter(server => server.port === port);
  const checked = await Promise.all(samePort.map(({ host }) => checkReportedHost(host, options)));
  return checked.some(host => 'refusal' in host && host.refusal.outcome === 'own-machine');
}

/**
 * Reads the client addresses of an ensemble's configuration: `server.1=host:2888:3888:participant;0.0.0.0:2181`. Members
 * without a client port behind the semicolon are left out, and so are other lines.
 */
export function parseMembers(config: string): ServerAddress[] {
  const members: ServerAddress[] = [];
  for (const line of config.split('\n')) {
    const [, quorumHost, client] = /^server\.\d+=(\[[^\]]+\]|[^:;]+):[^;]*;(.+)$/.exec(line.trim()) ?? [];
    const [, clientHost = '', port] = /^(?:(.*):)?(\d{1,5})$/.exec(client ?? '') ?? [];
    if (quorumHost === undefined || port === undefined) continue;
    // It listens everywhere, or does not say where: use the name that its peers use.
    const isAnywhere = ['', '0.0.0.0', '[::]', '[0:0:0:0:0:0:0:0]'].includes(clientHost);
    members.push(...parsed(`${isAnywhere ? quorumHost : clientHost}:${port}`));
  }
  return members;
}

function parsed(address: string): ServerAddress[] {
  try {
    return parseConnectString(address).servers;
  } catch {
    // Foreign text that is no address.
    return [];
  }
}

async function readConfig(client: ZooKeeperClient): Promise<string> {
  try {
    const { data } = await client.getData(configPath);
    return new TextDecoder().decode(data.subarray(0, maxConfigBytes));
  } catch {
    // Absent on 3.4, and an administrator may hide it: the connect string alone is used then.
    return '';
  }
}
