import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import { parseConnectString, type ServerAddress } from '../../zookeeper/connectString.ts';
import { isOwnMachine } from './ownMachine.ts';

const configPath = '/zookeeper/config';
/** No real ensemble has more members, and no answer of a server may make us ask more. */
const maxServers = 32;
const maxConfigBytes = 64 * 1024;

/**
 * A server of a cluster. `isOwnMachine`: the cluster names it by an address that means another machine here, namely this one,
 * where a server of any other cluster may listen: it is never dialled, and its answers are missing.
 */
export interface ClusterServer extends ServerAddress {
  isOwnMachine?: true;
}

/**
 * The servers to ask: those of the connect string, and those that the ensemble itself names in `/zookeeper/config`, where that
 * can be read (not below a chroot). Nobody else is ever contacted.
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

/** The person may have named the same port of this machine in another way: it is asked by that. */
function isNamedHere(servers: readonly ServerAddress[], { port }: ServerAddress): boolean {
  return servers.some(server => server.port === port && isOwnMachine(server.host));
}

/**
 * Reads the client addresses of an ensemble's configuration: `server.1=host:2888:3888:participant;0.0.0.0:2181`. Members
 * without a client port behind the semicolon are passed over, and so is what is no such line.
 */
export function parseMembers(config: string): ServerAddress[] {
  const members: ServerAddress[] = [];
  for (const line of config.split('\n')) {
    const [, quorumHost, client] = /^server\.\d+=(\[[^\]]+\]|[^:;]+):[^;]*;(.+)$/.exec(line.trim()) ?? [];
    const [, clientHost = '', port] = /^(?:(.*):)?(\d{1,5})$/.exec(client ?? '') ?? [];
    if (quorumHost === undefined || port === undefined) continue;
    // Listening everywhere, or nothing said: the name that its peers use must do.
    const isAnywhere = ['', '0.0.0.0', '[::]', '[0:0:0:0:0:0:0:0]'].includes(clientHost);
    members.push(...parsed(`${isAnywhere ? quorumHost : clientHost}:${port}`));
  }
  return members;
}

function parsed(address: string): ServerAddress[] {
  try {
    return parseConnectString(address).servers;
  } catch {
    // No address that could be dialled: the text is foreign.
    return [];
  }
}

async function readConfig(client: ZooKeeperClient): Promise<string> {
  try {
    const { data } = await client.getData(configPath);
    return new TextDecoder().decode(data.subarray(0, maxConfigBytes));
  } catch {
    // Absent on 3.4, and an administrator may hide it: the connect string alone must do.
    return '';
  }
}
