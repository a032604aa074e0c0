import { inTurns } from '../../base/interruptible.ts';
import type { ClusterServer } from './clusterServers.ts';
import type { LiveSessions, OwnerConnection, OwnerFacts } from './ownerFacts.ts';
import { askServer, type Asked, type AskOptions, type Question } from './askServer.ts';
import { askSessions } from './askSessions.ts';
import { parseConnections, parsingCons, type SessionDump } from './parseAnswers.ts';

/** Which sessions are connected to a server, and what each did last. */
export const connectionsQuestion: Question<Map<bigint, OwnerConnection>> = {
  name: 'connections',
  command: 'connections',
  word: 'cons',
  fromAdmin: parseConnections,
  fromWord: (text, server) => inTurns(parsingCons(text, server)),
};

/**
 * Asks every server for its connections and for the sessions that are alive, and merges the answers: a server lists only its own
 * connections, and only the leader has all sessions. `sources` names the servers that refuse, hang or send nonsense; the other
 * answers still count. Asks once; nothing is repeated on a timer.
 *
 * Addresses may lead to servers of another cluster (forwarded ports, names that mean another machine here), whose lists lack
 * every session of this one. So a session that is missing in a list counts as dead only if the list contains the session of
 * `client`: leader and followers list the sessions of all servers.
 *
 * Ask after reading the queues: a session that began in between would look dead (`findStale` compares the times).
 *
 * @param servers of the cluster (`clusterServers`); no other host is contacted
 * @param session of the client that reads the queues
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
        askSessions(server, session, options),
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
 * A session that moved may still be listed by the server that it left: the younger connection is the real one. Answers of
 * another cluster do no harm here: it has no connection of these sessions, and a missing connection proves nothing.
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
  const lists = answers.flatMap(({ server, value }) =>
    value === undefined || (value.listedBy === 'follower' && value.ids.size === 0) ? [] : [{ server, ...value }],
  );
  return lists.find(({ listedBy }) => listedBy === 'leader') ?? lists[0];
}
