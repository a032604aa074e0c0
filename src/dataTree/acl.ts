import { createHash } from 'node:crypto';
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
  if (acl.length === 0) return true;
  return acl.some(entry => (entry.permissions & wanted) !== 0 && isMeant(entry, client));
}

function isMeant(entry: AclEntry, client: readonly Id[]): boolean {
  if (entry.scheme === 'world') return entry.id === 'anyone';
  return client.some(({ scheme, id }) => scheme === entry.scheme && matches(entry, id));
}

function matches({ scheme, id: meant }: AclEntry, id: string): boolean {
  return scheme === 'ip' ? isInRange(meant, id) : meant === id;
}

/** Entries. The real server has no limit of its own; it does not share its process with an editor. */
const largestAcl = 256;

/**
 * The ACL that a node gets when a client asks for `asked`: `auth` becomes the client's own identities (PrepRequestProcessor.fixupACL).
 *
 * @returns `undefined` for an ACL that is empty, too long, or has an entry that the server cannot check
 */
export function resolveAcl(asked: readonly AclEntry[], client: readonly Id[]): AclEntry[] | undefined {
  if (asked.length > largestAcl) return undefined;
  // By a key: a long list is not compared each with each.
  const unique = new Map(asked.map(entry => [JSON.stringify([entry.permissions, entry.scheme, entry.id]), entry]));
  const resolved = Array.from(unique.values(), entry => resolveEntry(entry, client));
  const isValid = resolved.length > 0 && resolved.every(entries => entries.length > 0);
  const acl = isValid ? resolved.flat() : [];
  return acl.length === 0 || acl.length > largestAcl ? undefined : acl;
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

/** @returns the bytes of the address and how many of its bits count, of `10.0.0.0/8` and the like */
function rangeOf(text: string): { bytes: number[]; bits: number } | undefined {
  const [, address = '', bitsText] = /^([^/]*)(?:\/(.*))?$/s.exec(text) ?? [];
  const bytes = addressBytes(address);
  if (bytes === undefined) return undefined;
  const most = bytes.length * 8;
  const bits = bitsText === undefined ? most : /^[+-]?\d+$/.test(bitsText) ? Number(bitsText) : -1;
  return bits < 0 || bits > most ? undefined : { bytes, bits };
}

function addressBytes(address: string): number[] | undefined {
  return address.includes(':') ? bytesOfV6(address) : bytesOfV4(address);
}

function bytesOfV4(address: string): number[] | undefined {
  const bytes = address.split('.').map(part => (/^\+?\d+$/.test(part) ? Number(part) : 256));
  return bytes.length === 4 && bytes.every(byte => byte <= 255) ? bytes : undefined;
}

/** `::` stands for as many zeros as are missing; no dots (IPAuthenticationProvider.parseV6addr). */
function bytesOfV6(address: string): number[] | undefined {
  const halves = address.split('::').map(half => (half === '' ? [] : half.split(':')));
  const [before = [], after = []] = halves;
  const missing = 8 - before.length - after.length;
  const isFull = halves.length === 1 ? missing === 0 : halves.length === 2 && missing > 0;
  const groups = [...before, ...Array<string>(Math.max(0, missing)).fill('0'), ...after];
  if (!isFull || !groups.every(group => /^[\da-f]{1,4}$/i.test(group))) return undefined;
  return groups.flatMap(group => [parseInt(group, 16) >> 8, parseInt(group, 16) & 0xff]);
}

function isInRange(meant: string, client: string): boolean {
  const range = rangeOf(meant);
  const address = addressBytes(client);
  if (range === undefined || address?.length !== range.bytes.length) return false;
  return range.bytes.every((byte, at) => {
    const counted = Math.min(8, Math.max(0, range.bits - at * 8));
    return byte >> (8 - counted) === (address[at] ?? 0) >> (8 - counted);
  });
}
