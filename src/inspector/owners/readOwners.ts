import type { ServerAddress } from '../../zookeeper/connectString.ts';
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

const dumpQuestion: Question<SessionDump> = {
  name: 'dump',
  command: 'dump',
  word: 'dump',
  fromAdmin: parseAdminDump,
  fromWord: parseDump,
};

/**
 * Asks every server whose clients it has and which sessions live, and merges the answers: a server knows only the connections
 * that are its own, and only the leader knows all sessions. Servers that refuse, hang or lie are named in `sources`; the rest
 * still counts. Asks once; nothing is repeated on a timer.
 *
 * Ask after reading the queues: a session that began in between would otherwise look like a dead one (`findStale` minds it).
 *
 * @param servers of the cluster (`clusterServers`); nobody else is contacted
 */
export async function readOwners(servers: readonly ServerAddress[], options: AskOptions = {}): Promise<OwnerFacts> {
  const askedAt = Date.now();
  const answers = await Promise.all(
    servers.map(async server => {
      const [connections, dump] = await Promise.all([
        askServer(server, connectionsQuestion, options),
        askServer(server, dumpQuestion, options),
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

/** A session that moved may still be listed by the server that it left: the younger connection is the real one. */
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
