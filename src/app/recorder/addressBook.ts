import { reverse } from 'node:dns/promises';
import { BlockList, isIPv6 } from 'node:net';
import type { Moment } from '../../history/hold.ts';
import type { OwnerConnection } from '../../inspector/owners/ownerFacts.ts';
import type { JournalSession } from '../../journal/entry.ts';
import type { ListedEnd } from './sessionLists.ts';

/** Asks a name server for the names of an IP address; rejects where it has none. */
export type ReverseLookup = (address: string) => Promise<readonly string[]>;

export interface AddressBookParts {
  onSession(session: JournalSession): void;
  /** Default: the system's. */
  reverse?: ReverseLookup;
}

interface BookEntry {
  address?: string;
  isOver?: true;
}

/** Names of more addresses are not kept; a cluster has fewer machines with clients. */
const keptNames = 2_000;
const keptSessions = 50_000;
/** A name longer than that is none. */
const longestName = 253;

/** Only addresses of private networks are looked up: others would be sent to name servers outside. */
const privateNetworks = new BlockList();
privateNetworks.addSubnet('10.0.0.0', 8, 'ipv4');
privateNetworks.addSubnet('172.16.0.0', 12, 'ipv4');
privateNetworks.addSubnet('192.168.0.0', 16, 'ipv4');
privateNetworks.addSubnet('100.64.0.0', 10, 'ipv4');
privateNetworks.addSubnet('fc00::', 7, 'ipv6');

/** Who is behind the sessions that own nodes of locks: each is asked for once, and the name of each address once. */
export class AddressBook {
  private readonly parts: AddressBookParts;
  private readonly sessions = new Map<bigint, BookEntry>();
  private readonly names = new Map<string, string>();
  private readonly lookedUp = new Set<string>();
  /** One look-up at a time. */
  private queue: Promise<void> = Promise.resolve();

  constructor(parts: AddressBookParts) {
    this.parts = parts;
  }

  /** A session owns a node of a lock. @returns whether it was not known */
  saw(id: bigint): boolean {
    if (id === 0n || this.sessions.has(id)) return false;
    this.sessions.set(id, {});
    for (const known of this.sessions.keys()) {
      if (this.sessions.size <= keptSessions) break;
      this.sessions.delete(known);
    }
    return true;
  }

  /** The sessions that are not known to be over. */
  *living(): Iterable<bigint> {
    for (const [id, { isOver }] of this.sessions) if (isOver !== true) yield id;
  }

  note(connections: ReadonlyMap<bigint, OwnerConnection>): void {
    for (const [id, { address, timeoutMs }] of connections) {
      const known = this.sessions.get(id);
      // A session that has moved to another server comes from the same client, with another port.
      if (known === undefined || known.address !== undefined) continue;
      known.address = address;
      const host = this.names.get(ipOf(address));
      const about = { id, address, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
      this.parts.onSession(host === undefined ? about : { ...about, host });
      if (host === undefined) this.lookUp(ipOf(address));
    }
  }

  /** A session is over. */
  end(id: bigint, ended: Moment, how?: ListedEnd['how']): void {
    const known = this.sessions.get(id);
    if (known === undefined || known.isOver === true) return;
    known.isOver = true;
    this.parts.onSession({ id, ended, ...(how === undefined ? {} : { how }) });
  }

  private lookUp(ip: string): void {
    if (this.lookedUp.has(ip) || this.lookedUp.size >= keptNames) return;
    if (!privateNetworks.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4')) return;
    this.lookedUp.add(ip);
    this.queue = this.queue.then(() => this.name(ip));
  }

  private async name(ip: string): Promise<void> {
    const found = await (this.parts.reverse ?? reverse)(ip).catch(() => []);
    const name = found[0];
    if (name === undefined || name === '' || name.length > longestName) return;
    this.names.set(ip, name);
    for (const [id, { address, isOver }] of this.sessions) {
      if (address !== undefined && isOver !== true && ipOf(address) === ip) this.parts.onSession({ id, host: name });
    }
  }
}

/** Of `ip:port`, IPv6 in brackets. */
function ipOf(address: string): string {
  return address
    .slice(0, Math.max(0, address.lastIndexOf(':')))
    .replace(/^\[|\]$/g, '')
    .replace(/%.*$/, '');
}
