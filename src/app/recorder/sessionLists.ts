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

const keptLists = 6;
const keptEnds = 5_000;

/** Which sessions are over, and how they ended, by the lists of one server and its count of those that it let expire. */
export class SessionLists {
  private lists: SessionList[] = [];
  /** By list: who is missing there that the list before has. */
  private readonly missing = new Map<SessionList, readonly bigint[]>();
  private readonly vanished = new Map<SessionList, readonly Vanished[]>();
  /** Those that ran out by the count, if none did between the last list and its count. */
  private expectedlyExpired: readonly bigint[] = [];
  private readonly hows = new Map<bigint, ListedEnd['how']>();
  /** Of a time-out that a server grants, ms; `undefined`: not known. */
  shortestTimeoutMs: number | undefined;

  note(list: SessionList): void {
    const before = this.lists.at(-1);
    if (before !== undefined && before.server !== list.server) this.restart();
    else if (before !== undefined) this.compare(before, list);
    this.lists.push(list);
    this.vanished.set(list, this.vanishedUntil(list));
    const former = this.lists.length > keptLists ? this.lists.shift() : undefined;
    if (former === undefined) return;
    this.missing.delete(former);
    this.vanished.delete(former);
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
      const { server, answeredAt, zxid: reached, settledZxid } = list;
      return {
        server,
        answeredAt,
        vanished: this.vanished.get(list) ?? [],
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
    this.forgetVanished();
  }

  private forgetVanished(): void {
    this.missing.clear();
    this.vanished.clear();
  }

  private compare(before: SessionList, list: SessionList): void {
    const vanished = [...before.ids].filter(id => !list.ids.has(id));
    if (vanished.length === 0) for (const id of this.expectedlyExpired) this.hows.set(id, 'expired');
    this.expectedlyExpired = this.countExpired(before, list) === vanished.length ? vanished : [];
    const isClosed = this.isNoneExpired(list);
    for (const id of vanished) this.hows.set(id, isClosed ? 'closed' : undefined);
    // A list may lack sessions that live: what was counted with those counts no more.
    const isBack = [...this.missing.values()].some(ids => ids.some(id => list.ids.has(id)));
    if (isBack) this.forgetVanished();
    this.missing.set(list, vanished);
    for (const id of this.hows.keys()) {
      if (this.hows.size <= keptEnds) break;
      this.hows.delete(id);
    }
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
    for (let at = this.lists.length - 2; at >= 2 && this.areGlobal(at); at--) {
      for (const id of this.missingAt(at)) ids.add(id);
      const first = this.firstAfter(at - 2);
      if (ids.size === 0 || first === undefined) continue;
      all.push({ ids: new Set(ids), within: { first, last } });
    }
    return all;
  }

  private areGlobal(at: number): boolean {
    return [at - 1, at].every(each => this.lists[each]?.areGlobal === true);
  }

  private missingAt(at: number): readonly bigint[] {
    const list = this.lists[at];
    return (list && this.missing.get(list)) ?? [];
  }

  private firstAfter(at: number): bigint | undefined {
    const list = this.lists[at];
    const reached = list?.settledZxid ?? list?.zxid;
    return reached === undefined ? undefined : reached + 1n;
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
