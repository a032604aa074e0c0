import { hexSessionId } from './parseBigJson.ts';
import type { OwnerConnection } from './ownerFacts.ts';

/** What one server tells of the ensemble's sessions. */
export interface SessionDump {
  ids: Set<bigint>;
  toldBy: 'leader' | 'follower';
}

const connectionLine = /^ ?\/?([^()[\]]*)\[\d+\]\((.*)\)$/;

/**
 * Reads the answer to `cons`: one line per connection of this server (docs/dialects.md, section 6). Lines of
 * connections without a session are passed over, and so is what is no such line.
 *
 * @returns `undefined` if there is no such line at all: the question itself comes by a connection that must be listed
 */
export function parseCons(text: string, server: string): Map<bigint, OwnerConnection> | undefined {
  const connections = new Map<bigint, OwnerConnection>();
  let isCons = false;
  for (const line of text.split('\n')) {
    const [, address, list] = connectionLine.exec(line.trimEnd()) ?? [];
    if (address === undefined || list === undefined) continue;
    isCons = true;
    const fields = new Map(list.split(',').map(field => splitOnce(field, '=')));
    const session = hexSessionId(fields.get('sid') ?? '');
    if (session === undefined || session === 0n) continue;
    connections.set(session, {
      address: bracketed(address),
      ...optional('establishedAt', fields.get('est')),
      ...optional('timeoutMs', fields.get('to')),
      server,
    });
  }
  return isCons ? connections : undefined;
}

/**
 * Reads the answer to `dump`. The leader, or a lone server, lists all sessions by the time of their expiry; a follower lists the
 * sessions it has heard of with their time-outs. Owners of ephemeral nodes are not taken as living: an ephemeral node that
 * outlived its session is exactly what is looked for (docs/faults.md, L26).
 *
 * @returns `undefined` if it has no list of sessions
 */
export function parseDump(text: string): SessionDump | undefined {
  const ids = new Set<bigint>();
  let toldBy: SessionDump['toldBy'] | undefined;
  for (const line of text.split('\n')) {
    if (line.startsWith('Session Sets ')) toldBy = 'leader';
    else if (/^(Global|Local) Sessions\(/.test(line)) toldBy ??= 'follower';
    else if (/^(ephemeral nodes dump|Sessions with Ephemerals|Connections dump)/.test(line)) break;
    const id = toldBy === undefined ? undefined : hexSessionId(line.trim().split(/\s/)[0] ?? '');
    if (id !== undefined) ids.add(id);
  }
  return toldBy === undefined ? undefined : { ids, toldBy };
}

/**
 * Reads the answer to `wchp`: a path, then the sessions that watch it, each on a line of its own behind a tab.
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

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function optional<K extends string>(name: K, text: string | undefined): Partial<Record<K, number>> {
  if (text === undefined || !/^\d{1,15}$/.test(text)) return {};
  const value: Partial<Record<K, number>> = {};
  value[name] = Number(text);
  return value;
}

/** Java writes IPv6 without brackets: `0:0:0:0:0:0:0:1:54321`. */
function bracketed(address: string): string {
  const at = address.lastIndexOf(':');
  const host = address.slice(0, Math.max(0, at));
  return host.includes(':') && !host.startsWith('[') ? `[${host}]${address.slice(at)}` : address;
}
