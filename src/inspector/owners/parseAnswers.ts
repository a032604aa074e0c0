import type { Interruptible } from '../../base/interruptible.ts';
import { mapOf } from '../../locks/nodeData.ts';
import type { LastOperation, OwnerConnection } from './ownerFacts.ts';

// Answers of servers are foreign text: what does not look as expected is left out, never guessed.

/** The sessions that one server lists. */
export interface SessionDump {
  ids: Set<bigint>;
  listedBy: 'leader' | 'follower';
}

/** A string, or an integer. */
const jsonToken = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Parses JSON whose integers may have 64 bits (session ids): those of more than 15 digits become text, digit for digit,
 * where `JSON.parse` would round them. Read ids with `toSessionId`, which takes both forms.
 *
 * @throws SyntaxError if it is not JSON
 */
export function parseBigJson(text: string): unknown {
  return JSON.parse(
    text.replace(jsonToken, found => (/^-?\d+$/.test(found) && found.length > 15 ? `"${found}"` : found)),
  );
}

/** @returns the id, signed as in a stat; `undefined` if the value is no 64-bit integer, or a number that was rounded */
export function toSessionId(value: unknown): bigint | undefined {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== 'string' || !/^-?\d{1,19}$/.test(text)) return undefined;
  const id = BigInt(text);
  return id === BigInt.asIntN(64, id) ? id : undefined;
}

/** @returns the id written as `0x…`, signed as in a stat; `undefined` if it is none */
export function hexSessionId(text: string): bigint | undefined {
  return /^0x[0-9a-f]{1,16}$/i.test(text) ? BigInt.asIntN(64, BigInt(text)) : undefined;
}

/** A field of ms, if the value is one. AdminServers may send it as a long integer, which fits a number all the same. */
function optional<K extends string>(name: K, value: unknown): Partial<Record<K, number>> {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return {};
  const found: Partial<Record<K, number>> = {};
  found[name] = number;
  return found;
}

function lastOf(name: unknown, zxid?: bigint, at?: number, latencyMs?: number): { last?: LastOperation } {
  if (typeof name !== 'string' || zxid === undefined || at === undefined || latencyMs === undefined) return {};
  return { last: { name, zxid, at, latencyMs } };
}

/**
 * Reads the AdminServer's answer to `connections`; TLS connections have a list of their own.
 *
 * @param answer as `parseBigJson` returns it
 * @returns `undefined` if it is no such answer
 */
export function parseConnections(answer: unknown, server: string): Map<bigint, OwnerConnection> | undefined {
  const fields = mapOf(answer);
  const lists = [fields?.get('connections'), fields?.get('secure_connections')].filter(list => Array.isArray(list));
  if (lists.length === 0) return undefined;
  const connections = new Map<bigint, OwnerConnection>();
  for (const entry of lists.flat() as unknown[]) {
    const connection = mapOf(entry) ?? new Map<string, unknown>();
    const session = toSessionId(connection.get('session_id'));
    const address = connection.get('remote_socket_address');
    // Connections that only ask for a report have no session.
    if (session === undefined || session === 0n || typeof address !== 'string') continue;
    connections.set(session, {
      address: address.replace(/^.*\//, ''),
      ...optional('establishedAt', connection.get('established')),
      ...optional('timeoutMs', connection.get('session_timeout')),
      server,
      ...lastOf(
        connection.get('last_operation'),
        toSessionId(connection.get('last_zxid')),
        optional('at', connection.get('last_response_time')).at,
        optional('latency', connection.get('last_latency')).latency,
      ),
    });
  }
  return connections;
}

/**
 * Reads the AdminServer's answer to `dump`. Only the leader, or a lone server, lists sessions by the time of their expiry; a
 * follower's object is empty. Owners of ephemeral nodes do not count as living (see `parseDump`).
 *
 * @returns `undefined` if it is no such answer
 */
export function parseAdminDump(answer: unknown): SessionDump | undefined {
  const expiry = mapOf(mapOf(answer)?.get('expiry_time_to_session_ids'));
  if (expiry === undefined) return undefined;
  return { ids: new Set([...expiry.values()].flatMap(idsIn)), listedBy: expiry.size === 0 ? 'follower' : 'leader' };
}

function idsIn(list: unknown): bigint[] {
  return Array.isArray(list) ? (list as unknown[]).map(toSessionId).filter(id => id !== undefined) : [];
}

/** Reads the AdminServer's answer to `watches_by_path`. @returns sessions by path; `undefined` if it is no such answer */
export function parseWatchesByPath(answer: unknown): Map<string, Set<bigint>> | undefined {
  const paths = mapOf(mapOf(answer)?.get('path_to_session_ids'));
  return paths && new Map([...paths].map(([path, list]) => [path, new Set(idsIn(list))]));
}

/** Of connections that are read between two interruptions. */
const linesAtOnce = 64;
const connectionLine = /^ ?\/?([^()[\]]*)\[\d+\]\((.*)\)$/;

/**
 * Reads the answer to the word `cons`: one line per connection of this server (docs/dialects.md, section 6), 10,000 of which take
 * about 100 ms. Connections without a session are left out.
 *
 * @returns `undefined` if there is no such line at all: the connection that asks must be listed itself
 */
export function* parsingCons(text: string, server: string): Interruptible<Map<bigint, OwnerConnection> | undefined> {
  let count = 0;
  const connections = new Map<bigint, OwnerConnection>();
  let isCons = false;
  for (const line of text.split('\n')) {
    count++;
    if (count % linesAtOnce === 0) yield;
    const [, address, list] = connectionLine.exec(line.trimEnd()) ?? [];
    if (address === undefined || list === undefined) continue;
    isCons = true;
    const fields = new Map(Array.from(list.matchAll(/([^,=]+)=([^,]*)/g), ([, name, value]) => [name, value]));
    const session = hexSessionId(fields.get('sid') ?? '');
    if (session === undefined || session === 0n) continue;
    connections.set(session, connectionOf(address, fields, server));
  }
  return isCons ? connections : undefined;
}

function connectionOf(
  address: string,
  fields: ReadonlyMap<string | undefined, string | undefined>,
  server: string,
): OwnerConnection {
  return {
    address: bracketed(address),
    ...optional('establishedAt', fields.get('est')),
    ...optional('timeoutMs', fields.get('to')),
    server,
    ...lastOf(
      fields.get('lop'),
      hexSessionId(fields.get('lzxid') ?? ''),
      optional('at', fields.get('lresp')).at,
      optional('latency', fields.get('llat')).latency,
    ),
  };
}

/** Java writes IPv6 without brackets: `0:0:0:0:0:0:0:1:54321`. */
function bracketed(address: string): string {
  const at = address.lastIndexOf(':');
  const host = address.slice(0, Math.max(0, at));
  return host.includes(':') && !host.startsWith('[') ? `[${host}]${address.slice(at)}` : address;
}

/**
 * Reads the answer to the word `dump`. The leader, or a lone server, lists all sessions by the time of their expiry; a follower
 * lists the sessions it has heard of with their time-outs. Owners of ephemeral nodes do not count as living: an ephemeral node
 * that outlived its session is what this tool looks for (docs/faults.md, L26).
 *
 * @returns `undefined` if it has no list of sessions
 */
export function parseDump(text: string): SessionDump | undefined {
  const ids = new Set<bigint>();
  let listedBy: SessionDump['listedBy'] | undefined;
  for (const line of text.split('\n')) {
    if (line.startsWith('Session Sets ')) listedBy = 'leader';
    else if (/^(Global|Local) Sessions\(/.test(line)) listedBy ??= 'follower';
    else if (/^(ephemeral nodes dump|Sessions with Ephemerals|Connections dump)/.test(line)) break;
    const id = listedBy === undefined ? undefined : hexSessionId(line.trim().split(/\s/)[0] ?? '');
    if (id !== undefined) ids.add(id);
  }
  return listedBy === undefined ? undefined : { ids, listedBy };
}

/**
 * Reads the answer to the word `wchp`: a path, then the sessions that watch it, each on a line of its own after a tab.
 *
 * @returns `undefined` if it is no such answer; a server without watches sends an empty line
 */
export function parseWchp(text: string): Map<string, Set<bigint>> | undefined {
  const watchers = new Map<string, Set<bigint>>();
  let current: Set<bigint> | undefined;
  for (const line of text.split('\n')) {
    if (line.startsWith('/')) {
      current = watchers.get(line) ?? new Set();
      watchers.set(line, current);
    } else {
      const id = line.startsWith('\t') ? hexSessionId(line.trim()) : undefined;
      if (id !== undefined) current?.add(id);
    }
  }
  return watchers.size > 0 || /^\r?\n$/.test(text) ? watchers : undefined;
}
