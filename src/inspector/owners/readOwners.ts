import type { ClusterServer } from './clusterServers.ts';
import type { LiveSessions, OwnerConnection, OwnerFacts } from './ownerFacts.ts';
import { parseAdminDump, parseConnections } from './parseAdmin.ts';
import { parseCons, parseDump, type SessionDump } from './parseFourLetter.ts';
import { askServer, type Asked, type AskOptions, type Question } from './questions.ts';

const connectionsQuestion: Question<Map<bigint, OwnerConnection>> = {
  name: 'connections',
  command: 'connections',
  word: 'cons',
  fromAdmin: parseConnections,
  fromWord: parseCons,
};

function dumpQuestion(session: bigint): Question<SessionDump> {
  return {
    name: 'dump',
    command: 'dump',
    word: 'dump',
    fromAdmin: parseAdminDump,
    fromWord: parseDump,
    isForeign: dump => isDumpOfOthers(dump, session),
  };
}

/**
 * Asks every server whose clients it has and which sessions live, and merges the answers: a server knows only the connections
 * that are its own, and only the leader knows all sessions. Servers that refuse, hang or lie are named in `sources`; the rest
 * still counts. Asks once; nothing is repeated on a timer.
 *
 * Addresses may lead to servers of another cluster (forwarded ports, names that mean another machine here), whose lists lack
 * every session of this one. So a list tells who is dead only if the asking session is in it: leader and followers list the
 * sessions of all servers. A session that is over or too new for a list proves nothing, and neither does such a list.
 *
 * Ask after reading the queues: a session that began in between would otherwise look like a dead one (`findStale` minds it).
 *
 * @param servers of the cluster (`clusterServers`); nobody else is contacted
 * @param session of the asking client
 */
export async function readOwners(
  servers: readonly ClusterServer[],
  session: bigint,
  options: AskOptions = {},
): Promise<OwnerFacts> {
  const askedAt = Date.now();
  const answers = await Promise.all(
    servers.map(async server => {
      const [connections, dump] = await Promise.all([
        askServer(server, connectionsQuestion, options),
        askServer(server, dumpQuestion(session), options),
      ]);
      return { connections, dump };
    }),
  );
  return {
    connections: mergeConnections(answers.map(({ connections }) => connections)),
    live: pickLive(answers.map(({ dump }) => dump)),
    sources: answers.flatMap(({ connections, dump }) => [...connections.sources, ...dump.sources]),
    askedAt,
  };
}

/**
 * Whether a list of sessions is none of the cluster that the asking session belongs to, as far as can be known. Over the
 * AdminServer a follower gives an empty one, which says nothing.
 */
export function isDumpOfOthers({ ids, toldBy }: SessionDump, session: bigint): boolean {
  return !ids.has(session) && (toldBy === 'leader' || ids.size > 0);
}

/**
 * A session that moved may still be listed by the server that it left: the younger connection is the real one. Here it does not
 * matter who tells: no other cluster has a connection of that session, and what a server does not list proves nothing.
 */
function mergeConnections(answers: readonly Asked<Map<bigint, OwnerConnection>>[]): Map<bigint, OwnerConnection> {
  const merged = new Map<bigint, OwnerConnection>();
  for (const { value } of answers) {
    for (const [session, connection] of value ?? []) {
      const known = merged.get(session);
      const isYounger = (connection.establishedAt ?? 0) >= (known?.establishedAt ?? 0);
      if (known === undefined || isYounger) merged.set(session, connection);
    }
  }
  return merged;
}

function pickLive(answers: readonly Asked<SessionDump>[]): LiveSessions | undefined {
  // Over the AdminServer a follower gives no list at all.
  const told = answers.flatMap(({ server, value }) =>
    value === undefined || (value.toldBy === 'follower' && value.ids.size === 0) ? [] : [{ server, ...value }],
  );
  return told.find(({ toldBy }) => toldBy === 'leader') ?? told[0];
}
