import { createHash } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import type { AclBits } from '../zookeeper/wire/records.ts';

/** An identity or, in an ACL, who is meant: `world:anyone`, `digest:user:hash`, `ip:10.0.0.0/8`, `auth:`. */
export interface Id {
  scheme: string;
  id: string;
}

/** One entry of an ACL; rights are the bits of `Right`. */
export type AclEntry = AclBits;

/** Bits of ZooDefs.Perms. */
export const Right = { read: 1, write: 2, create: 4, delete: 8, admin: 16 } as const;

/** Everyone may do everything (ZooDefs.Ids.OPEN_ACL_UNSAFE). */
export const openAcl: readonly AclEntry[] = [{ scheme: 'world', id: 'anyone', permissions: 31 }];

/** Everyone may read (ZooDefs.Ids.READ_ACL_UNSAFE). */
export const readOnlyAcl: readonly AclEntry[] = [{ scheme: 'world', id: 'anyone', permissions: Right.read }];

/** @returns the identity that a `digest` credential `user:password` gives (DigestAuthenticationProvider.java) */
export function digestIdentity(credential: string): Id {
  const user = credential.split(':', 1)[0] ?? '';
  return { scheme: 'digest', id: `${user}:${createHash('sha1').update(credential).digest('base64')}` };
}

/** @returns the name by which whoAmI shows an identity: without the hash of a password */
export function userName({ id }: Id): string {
  return id.split(':', 1)[0] ?? '';
}

/** Whether `client` has one of the rights `wanted` (ZooKeeperServer.checkACL). An empty ACL allows everything. */
export function isAllowed(acl: readonly AclEntry[], client: readonly Id[], wanted: number): boolean {
  if (acl.length === 0 || client.some(({ scheme }) => scheme === 'super')) return true;
  return acl.some(entry => (entry.permissions & wanted) !== 0 && isMeant(entry, client));
}

function isMeant(entry: AclEntry, client: readonly Id[]): boolean {
  if (entry.scheme === 'world') return entry.id === 'anyone';
  return client.some(({ scheme, id }) => scheme === entry.scheme && matches(entry, id));
}

function matches({ scheme, id: meant }: AclEntry, id: string): boolean {
  return scheme === 'ip' ? isInRange(meant, id) : meant === id;
}

/**
 * The ACL that a node gets when a client asks for `asked`: `auth` becomes the client's own identities (PrepRequestProcessor.fixupACL).
 *
 * @returns `undefined` for an ACL that is empty or has an entry that the server cannot check
 */
export function resolveAcl(asked: readonly AclEntry[], client: readonly Id[]): AclEntry[] | undefined {
  // By a key: a hostile list of 80,000 entries must not be compared each with each.
  const unique = new Map(asked.map(entry => [JSON.stringify([entry.permissions, entry.scheme, entry.id]), entry]));
  const resolved = Array.from(unique.values(), entry => resolveEntry(entry, client));
  return resolved.length === 0 || resolved.some(entries => entries.length === 0) ? undefined : resolved.flat();
}

/** @returns nothing for an entry that is not valid */
function resolveEntry(entry: AclEntry, client: readonly Id[]): AclEntry[] {
  const { scheme, id, permissions } = entry;
  if (scheme === 'auth') {
    // An address is an identity, but nothing that a client has proved.
    return client.filter(known => known.scheme !== 'ip').map(known => ({ ...known, permissions }));
  }
  const isValid =
    (scheme === 'world' && id === 'anyone') ||
    (scheme === 'ip' && rangeOf(id) !== undefined) ||
    (scheme === 'digest' && /^[^:]*:[^:]+:*$/.test(id));
  return isValid ? [entry] : [];
}

/** @returns address, its family, and how many bits of it count, of `10.0.0.0/8` and the like */
function rangeOf(text: string): { address: string; family: 'ipv4' | 'ipv6'; bits: number } | undefined {
  const [, address = '', bitsText] = /^([^/]*)(?:\/(.*))?$/s.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0) return undefined;
  const most = version === 4 ? 32 : 128;
  const bits = bitsText === undefined ? most : /^[+-]?\d+$/.test(bitsText) ? Number(bitsText) : -1;
  return bits < 0 || bits > most ? undefined : { address, family: version === 4 ? 'ipv4' : 'ipv6', bits };
}

function isInRange(meant: string, client: string): boolean {
  const range = rangeOf(meant);
  const version = isIP(client);
  if (range === undefined || version === 0 || (version === 4) !== (range.family === 'ipv4')) return false;
  const list = new BlockList();
  list.addSubnet(range.address, range.bits, range.family);
  return list.check(client, range.family);
}
