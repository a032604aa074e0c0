import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import { parseConnectString, type ServerAddress } from '../../zookeeper/connectString.ts';

const configPath = '/zookeeper/config';
/** No real ensemble has more members, and no answer of a server may make us ask more. */
const maxServers = 32;
const maxConfigBytes = 64 * 1024;

/**
 * A server of a cluster. `isOwnMachine`: the cluster names it by a loopback address, which means the machine of this tool here.
 * A server of any other cluster may listen there, so it is never contacted, and its answers are missing.
 */
export interface ClusterServer extends ServerAddress {
  isOwnMachine?: true;
}

/**
 * The servers to ask: those of the connect string, and those that the ensemble itself names in `/zookeeper/config`, where that
 * can be read (not below a chroot). No other host is ever contacted.
 *
 * @throws ConnectStringError
 */
export async function clusterServers(connectString: string, client?: ZooKeeperClient): Promise<ClusterServer[]> {
  const { servers, chroot } = parseConnectString(connectString);
  const members = client === undefined || chroot !== '' ? [] : parseMembers(await readConfig(client));
  const all = new Map(servers.map((server): [string, ClusterServer] => [`${server.host}:${server.port}`, server]));
  for (const member of members) {
    const address = `${member.host}:${member.port}`;
    if (all.has(address)) continue;
    if (!isOwnMachine(member.host)) all.set(address, member);
    else if (!isNamedHere(servers, member)) all.set(address, { ...member, isOwnMachine: true });
  }
  return [...all.values()].slice(0, maxServers);
}

/** The connect string may name the same port of this machine in another way: the server is asked by that name. */
function isNamedHere(servers: readonly ServerAddress[], { port }: ServerAddress): boolean {
  return servers.some(server => server.port === port && isOwnMachine(server.host));
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

/** Whether a host name means the machine that uses it: loopback, or the address of every interface. */
export function isOwnMachine(host: string): boolean {
  const name = canonical(host);
  // IPv6 may carry an IPv4 address: ::ffff:127.0.0.1 is written ::ffff:7f00:1.
  return /^(?:(?:.+\.)?localhost\.?|(?:127|0)(?:\.\d+){3}|\[::1?\]|\[::ffff:(?:7f..|0):[^:]+\])$/.test(name);
}

/** The spelling that a URL gives an address: there are many (`127.1`, `0:0:0:0:0:0:0:1`). */
function canonical(host: string): string {
  try {
    return new URL(`http://${host.includes(':') ? `[${host}]` : host}`).hostname;
  } catch {
    // A name, not an address.
    return host.toLowerCase();
  }
}
