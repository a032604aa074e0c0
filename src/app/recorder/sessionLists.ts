import type { ZxidSpan } from './endCauses.ts';

/** All sessions that lived at one moment, as the leader or a lone server lists them. Times are steady ms. */
export interface SessionList {
  server: string;
  /** Before the first question. */
  askedAt: number;
  /** After the last answer. */
  answeredAt: number;
  /** How many sessions the server had let expire after it gave the list; absent if it does not say, or was not asked. */
  expired?: number;
  ids: ReadonlySet<bigint>;
  /** None of them is local to its server, as far as is known: the end of each is a transaction. */
  areGlobal: boolean;
  /** The last transaction that it had applied after it gave the list; absent if it does not say. */
  zxid?: bigint;
  /** As `zxid`, after what the server had begun when it gave the list: the end of each session that it let expire. */
  settledZxid?: bigint;
}

/** Sessions that went between two lists. */
export interface Vanished {
  ids: ReadonlySet<bigint>;
  /** The transactions that can have ended them. */
  within: ZxidSpan;
}

/** How a session ended, by the lists. */
export interface ListedEnd {
  how?: 'closed' | 'expired';
  /** That listed the sessions. */
  server: string;
  /** It was over before that, steady ms. */
  answeredAt: number;
  /** At this transaction it was over if it closed; absent if the server does not say. */
  zxid?: bigint;
  /** At this transaction it was over if it expired; absent if that is not known. */
  settledZxid?: bigint;
  /** Those that had gone by the list before, for several spans of time. */
  vanished: readonly Vanished[];
}

/** A list with what it says beside those before it. */
interface KeptList extends SessionList {
  /** Who is missing that the list before has, where the end of each is a transaction. */
  missing: readonly bigint[];
  /** By then the server had applied that transaction. */
  reached: bigint | undefined;
  vanished: readonly Vanished[];
}

const keptLists = 6;
const keptEnds = 5_000;

/** Which sessions are over, and how they ended, by the lists of one server and its count of those that it let expire. */
export class SessionLists {
  private lists: KeptList[] = [];
  /** Those that ran out by the count, if none did between the last list and its count. */
  private expectedlyExpired: readonly bigint[] = [];
  private readonly hows = new Map<bigint, ListedEnd['how']>();
  /** Of a time-out that a server grants, ms; `undefined`: not known. */
  shortestTimeoutMs: number | undefined;

  note(list: SessionList): void {
    const before = this.lists.at(-1);
    if (before !== undefined && before.server !== list.server) this.restart();
    const missing = before?.server === list.server ? this.compare(before, list) : [];
    const areGlobal = list.areGlobal && before?.areGlobal === true;
    const reached = list.settledZxid ?? list.zxid;
    const kept: KeptList = { ...list, missing: areGlobal ? missing : [], reached, vanished: [] };
    this.lists.push(kept);
    kept.vanished = this.vanishedUntil(list);
    if (this.lists.length > keptLists) this.lists.shift();
  }

  /**
   * The end of a session that had a node, by each list that shows that it is over.
   *
   * @param seenAt when the deletion of that node was seen, steady ms
   * @param zxid of that deletion, or of a transaction before it
   * @param czxid of that node; 0n: not known
   */
  endsOf(session: bigint, seenAt: number, zxid: bigint, czxid = 0n): ListedEnd[] {
    // A session that runs out leaves the list before its nodes go: the list must be of later than that.
    const lists = this.lists.filter(
      each => each.askedAt >= seenAt && !each.ids.has(session) && (each.zxid === undefined || each.zxid >= zxid),
    );
    const known = this.hows.get(session);
    return lists.map(list => {
      const how = known ?? this.howSince(czxid, list);
      const { server, answeredAt, vanished, zxid: reached, settledZxid } = list;
      return {
        server,
        answeredAt,
        vanished,
        ...(how === undefined ? {} : { how }),
        ...(reached === undefined ? {} : { zxid: reached }),
        ...(settledZxid === undefined ? {} : { settledZxid }),
      };
    });
  }

  /** Whether a complete list is known of. Where sessions may be local (`localSessionsEnabled`) no server gives one. */
  get areKnown(): boolean {
    return this.lists.length > 0;
  }

  /** Whether sessions of the last list are missing in another. */
  hasMore(ids: ReadonlySet<bigint>): boolean {
    const before = this.lists.at(-1)?.ids ?? ids;
    return [...before].some(id => !ids.has(id));
  }

  /** Steady ms of the last list of before a transaction: what that transaction did came later. */
  listedBefore(zxid: bigint): number | undefined {
    return this.lists.findLast(list => list.zxid !== undefined && list.zxid < zxid)?.askedAt;
  }

  /** Another server leads, or the same was started again: what it counts begins with 0 again. */
  restart(): void {
    this.lists = [];
    this.expectedlyExpired = [];
  }

  /** @returns those that are in the first and not in the second */
  private compare(before: SessionList, list: SessionList): readonly bigint[] {
    const vanished = [...before.ids].filter(id => !list.ids.has(id));
    if (vanished.length === 0) for (const id of this.expectedlyExpired) this.hows.set(id, 'expired');
    this.expectedlyExpired = this.countExpired(before, list) === vanished.length ? vanished : [];
    const isClosed = this.isNoneExpired(list);
    for (const id of vanished) this.hows.set(id, isClosed ? 'closed' : undefined);
    // A list may lack sessions that live: what was counted with those counts no more.
    if (this.lists.some(({ missing }) => missing.some(id => list.ids.has(id)))) {
      for (const each of this.lists) Object.assign(each, { missing: [], vanished: [] });
    }
    for (const id of this.hows.keys()) {
      if (this.hows.size <= keptEnds) break;
      this.hows.delete(id);
    }
    return vanished;
  }

  /**
   * Who went with the list before the last one or earlier. A list may lack sessions that live, and the end of one that ran out may take a
   * while: so the last list must lack them, too, and its transaction is the last that can have ended them. The first is behind that of the
   * list before the one that has them: a session of a list ended after the server was asked for that.
   */
  private vanishedUntil({ zxid: last }: SessionList): Vanished[] {
    const all: Vanished[] = [];
    const ids = new Set<bigint>();
    if (last === undefined) return all;
    for (let at = this.lists.length - 2; at >= 2; at--) {
      for (const id of this.lists[at]?.missing ?? []) ids.add(id);
      const reached = this.lists[at - 2]?.reached;
      if (ids.size > 0 && reached !== undefined) all.push({ ids: new Set(ids), within: { first: reached + 1n, last } });
    }
    return all;
  }

  /** How a session ended that made a node and was gone at a list. */
  private howSince(czxid: bigint, list: SessionList): ListedEnd['how'] {
    const at = this.lists.findLastIndex(each => each.zxid !== undefined && each.zxid < czxid);
    return at >= 0 && this.isNoneExpired(list, at) ? 'closed' : undefined;
  }

  /** Whether no session ran out between two lists: the last count of before the first of them is still right. @param at of the first */
  private isNoneExpired({ expired }: SessionList, at = this.lists.length - 1): boolean {
    const before = this.lists.slice(0, at).findLast(each => each.expired !== undefined);
    return expired !== undefined && before?.expired === expired;
  }

  /**
   * How many ran out between two lists, if all of them are in the first. With those that ran out between the second list and its count,
   * which the list after it shows.
   */
  private countExpired(before: SessionList, list: SessionList): number | undefined {
    if (before.expired === undefined || list.expired === undefined) return undefined;
    // One that began and ran out in between would be counted and not listed.
    const isTooShort = list.answeredAt - before.askedAt < (this.shortestTimeoutMs ?? 0);
    return isTooShort ? list.expired - before.expired : undefined;
  }
}
