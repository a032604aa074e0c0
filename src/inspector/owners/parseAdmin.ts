import { mapOf } from '../../locks/identifier.ts';
import type { OwnerConnection } from './ownerFacts.ts';
import type { SessionDump } from './parseFourLetter.ts';
import { toSessionId } from './parseBigJson.ts';

/**
 * Reads the answer to `/commands/connections`; TLS connections have a list of their own.
 *
 * @param answer as `parseBigJson` gave it
 * @returns `undefined` if it is no such answer
 */
export function parseConnections(answer: unknown, server: string): Map<bigint, OwnerConnection> | undefined {
  const fields = mapOf(answer);
  const lists = [fields?.get('connections'), fields?.get('secure_connections')].filter(list => Array.isArray(list));
  if (lists.length === 0) return undefined;
  const connections = new Map<bigint, OwnerConnection>();
  for (const entry of lists.flat() as unknown[]) addConnection(connections, mapOf(entry) ?? new Map(), server);
  return connections;
}

function addConnection(
  connections: Map<bigint, OwnerConnection>,
  fields: ReadonlyMap<string, unknown>,
  server: string,
): void {
  const session = toSessionId(fields.get('session_id'));
  const address = fields.get('remote_socket_address');
  // Connections that only ask for a report have no session.
  if (session === undefined || session === 0n || typeof address !== 'string') return;
  connections.set(session, {
    address: address.replace(/^.*\//, ''),
    ...optional('establishedAt', fields.get('established')),
    ...optional('timeoutMs', fields.get('session_timeout')),
    server,
  });
}

/**
 * Reads the answer to `/commands/dump`. Only the leader, or a lone server, lists sessions by the time of their expiry; a follower's
 * object is empty. Owners of ephemeral nodes are not taken as living (see `parseDump`).
 *
 * @returns `undefined` if it is no such answer
 */
export function parseAdminDump(answer: unknown): SessionDump | undefined {
  const expiry = mapOf(mapOf(answer)?.get('expiry_time_to_session_ids'));
  if (expiry === undefined) return undefined;
  const ids = new Set<bigint>();
  for (const list of expiry.values()) {
    if (!Array.isArray(list)) continue;
    for (const value of list as unknown[]) {
      const id = toSessionId(value);
      if (id !== undefined) ids.add(id);
    }
  }
  return { ids, toldBy: expiry.size === 0 ? 'follower' : 'leader' };
}

/**
 * Reads the answer to `/commands/watches_by_path`.
 *
 * @returns `undefined` if it is no such answer
 */
export function parseWatchesByPath(answer: unknown): Map<string, Set<bigint>> | undefined {
  const paths = mapOf(mapOf(answer)?.get('path_to_session_ids'));
  if (paths === undefined) return undefined;
  const watchers = new Map<string, Set<bigint>>();
  for (const [path, list] of paths) {
    const ids = Array.isArray(list) ? (list as unknown[]).map(toSessionId).filter(id => id !== undefined) : [];
    watchers.set(path, new Set(ids));
  }
  return watchers;
}

function optional<K extends string>(name: K, value: unknown): Partial<Record<K, number>> {
  // Times may have been long integers; they fit a number all the same.
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return {};
  const found: Partial<Record<K, number>> = {};
  found[name] = number;
  return found;
}
