import type { Stat } from '../../src/zookeeper/wire/records.ts';
import type { Reply, ReplyBody, WatchEvent } from './replies.ts';
import type { AclEntry } from './requests.ts';
import type { Arrival, Handshake } from './wireClient.ts';

/** Owners that are no session: containers, and TTL nodes with their time (EphemeralType.java). */
const ownerIsNoSession = (owner: bigint): boolean => BigInt.asUintN(64, owner) >> 56n >= 0x80n;

/** No clock of two servers and two clients on one machine is further apart, ms. */
const clockSlackMs = 10_000;

/**
 * Turns what one server sent into lines that another server must send as well: zxids count from the begin of the program,
 * sessions have the names that the program gives them, and a time is only held to be that of its transaction. Order is kept
 * where ZooKeeper promises one; what comes out of a hash table there is sorted.
 */
export class Normaliser {
  private readonly firstZxid: bigint;
  private readonly sessions = new Map<bigint, string>();
  private readonly times = new Map<bigint, number>();
  private readonly startedAt = Date.now();

  /** @param firstZxid of the transaction that made the folder of the program */
  constructor(firstZxid: bigint) {
    this.firstZxid = firstZxid;
  }

  nameSession(id: bigint, name: string): void {
    if (id !== 0n && !this.sessions.has(id)) this.sessions.set(id, name);
  }

  /**
   * @param sessionEnded the step ended a session: its ephemeral nodes go in the order of a hash table, and so do their events
   */
  lines(arrivals: readonly Arrival[], sessionEnded: boolean): string[] {
    const lines: string[] = [];
    let events: string[] = [];
    for (const arrival of arrivals) {
      const line = this.line(arrival);
      if (arrival.kind === 'event' && sessionEnded) {
        events.push(line);
        continue;
      }
      lines.push(...events.sort(), line);
      events = [];
    }
    return [...lines, ...events.sort()];
  }

  private line(arrival: Arrival): string {
    switch (arrival.kind) {
      case 'handshake':
        return this.handshake(arrival);
      case 'reply':
        return this.reply(arrival);
      case 'event':
        return this.event(arrival);
      case 'closed':
        return 'closed';
      case 'silent':
        return `silent, missing ${arrival.missing}`;
    }
  }

  private handshake({ protocolVersion, timeoutMs, sessionId, password, readOnly }: Handshake): string {
    const isZero = password.every(byte => byte === 0);
    const words = `${password.length} bytes ${isZero ? 'of zeroes' : 'of a password'}, read-only ${String(readOnly)}`;
    return `connected as ${this.session(sessionId)}: version ${protocolVersion}, ${timeoutMs} ms, ${words}`;
  }

  private reply({ op, xid, zxid, err, body }: Reply): string {
    return `reply ${xid} to ${op}: error ${err}, zxid ${this.zxid(zxid)}${this.body(body)}`;
  }

  private event({ zxid, type, state, path }: WatchEvent): string {
    return `event ${type} of ${JSON.stringify(path)}: state ${state}, zxid ${this.zxid(zxid)}`;
  }

  private body(body: ReplyBody): string {
    const { path, stat, data, children, acl, identities, number, parts, rest } = body;
    const words: (string | undefined)[] = [
      path === undefined ? undefined : `path ${JSON.stringify(path)}`,
      data === undefined ? undefined : `data ${JSON.stringify(data)}`,
      children && `children ${JSON.stringify([...children].sort())}`,
      acl && `acl ${normalAcl(acl)}`,
      identities &&
        `is ${identities
          .map(({ scheme, user }) => `${scheme}:${user}`)
          .sort()
          .join(' ')}`,
      number === undefined ? undefined : `number ${number}`,
      stat && this.stat(stat),
      parts && `parts ${parts.map(part => `[${part.type} ${part.err}${this.body(part.body)}]`).join(' ')}`,
      rest && `rest ${rest}`,
    ];
    return words.map(word => (word === undefined ? '' : `, ${word}`)).join('');
  }

  private stat(stat: Stat): string {
    // All programs share the root.
    if (stat.czxid === 0n) return 'stat of the root';
    const zxids = `c${this.zxid(stat.czxid)} m${this.zxid(stat.mzxid)} p${this.zxid(stat.pzxid)}`;
    const versions = `${stat.version}/${stat.cversion}/${stat.aversion}`;
    const sizes = `${stat.dataLength} bytes ${stat.numChildren} children`;
    const times = `${this.time(stat.czxid, stat.ctime)} ${this.time(stat.mzxid, stat.mtime)}`;
    return `stat ${zxids} versions ${versions} owner ${this.session(stat.ephemeralOwner)} ${sizes} times ${times}`;
  }

  private zxid(zxid: bigint): string {
    if (zxid <= 0n) return String(zxid);
    const since = zxid - this.firstZxid;
    return since < 0n ? String(since) : `+${since}`;
  }

  private session(id: bigint): string {
    if (id === 0n) return 'no session';
    return this.sessions.get(id) ?? (ownerIsNoSession(id) ? `0x${BigInt.asUintN(64, id).toString(16)}` : 'a stranger');
  }

  /** All that one transaction did has one time. */
  private time(zxid: bigint, time: number): string {
    if (zxid <= 0n) return String(time);
    const known = this.times.get(zxid) ?? time;
    this.times.set(zxid, known);
    if (known !== time) return 'other than the transaction';
    const isOld = zxid < this.firstZxid;
    return time > Date.now() + clockSlackMs || (!isOld && time < this.startedAt - clockSlackMs) ? 'wrong' : 'right';
  }
}

/** `auth` in an ACL becomes one entry for each log-in, in the order of a hash table. */
function normalAcl(acl: readonly AclEntry[]): string {
  const entries = acl.map(({ perms, scheme, id }) => `${perms}:${scheme}:${id}`);
  for (let from = 0; from < acl.length;) {
    let to = from + 1;
    while (to < acl.length && acl[to]!.scheme === 'digest' && acl[from]!.scheme === 'digest') to++;
    entries.splice(from, to - from, ...entries.slice(from, to).sort());
    from = to;
  }
  return `[${entries.join(' ')}]`;
}
