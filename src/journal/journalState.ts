import { atOnce, type Interruptible } from '../base/interruptible.ts';
import { parentPath } from '../base/paths.ts';
import type { Hold, Moment, Wait } from '../history/hold.ts';
import type { ReadableNode } from '../replay/followedNode.ts';
import { LockFollower } from '../replay/lockFollower.ts';
import type { Gap, GapCause, RecordedLock, RecordedSession } from '../replay/recording.ts';
import type { JournalEntry, JournalNode } from './entry.ts';
import { GapList } from './gapList.ts';
import { JournalNodes, type NodeListener } from './journalNodes.ts';
import { JournalSessions } from './journalSessions.ts';
import { LateCauses } from './lateCauses.ts';
import { isSame, isWriteMissing, newestOf } from './nodeChanges.ts';
import { stateEntries } from './stateEntries.ts';

export interface JournalStateOptions {
  /** Holds and waits that are kept besides those that are open: the newest; then memory stays flat. Default: all. */
  newestKept?: number;
  /** Gets each node of the tree that comes, goes, or is written, within the entry that says so. */
  onChange?: NodeListener;
}

/**
 * `unknown`: nothing was seen yet, or a gap lasts. `reading`: what is there is being listed. `following`: all is known. `checking`: all is
 * known, and is being listed again.
 */
type Phase = 'unknown' | 'reading' | 'following' | 'checking';

const noMoment: Moment = { zxid: 0n, time: 0 };
/** Nodes that are placed between two interruptions. */
const placedAtOnce = 1_024;
/** Gaps that are kept where memory must stay flat. */
const mostGaps = 1_000;

/**
 * What a journal says up to now: the nodes, the locks with their holds and waits, the sessions, the gaps. The same for a recorder, which
 * adds entries as it sees them, and for a file that is read. Pure.
 *
 * The order of the entries is the order of what happened. Moments never go back: an entry with a smaller zxid than one before it happened
 * after that one all the same, and has its zxid.
 */
export class JournalState {
  private readonly tree: JournalNodes;
  private readonly follower: LockFollower;
  private readonly causes = new LateCauses();
  private readonly book = new JournalSessions();
  private readonly gapList: GapList;
  private readonly newestKept: number;
  private phase: Phase = 'unknown';
  /** The nodes that are listed until `complete`. */
  private listed = new Map<string, JournalNode>();
  private first: Moment | undefined;
  private last: Moment | undefined;
  private sure: Moment | undefined;
  private hasListed = false;
  /** Entries of the list that is being read are missing. */
  private isListTorn = false;
  private count = 0;
  /** The moment of changes that the follower has not looked at. */
  private unsettled: Moment | undefined;
  private readonly unsettledDirectories = new Set<string>();
  private mostSessions: number;
  private openBatches = 0;
  /** Of nodes that may have gone at the moment that is not settled. */
  private waitingCauses: (JournalEntry & { type: 'cause' })[] = [];

  constructor({ newestKept = Infinity, onChange }: JournalStateOptions = {}) {
    this.newestKept = newestKept;
    this.mostSessions = newestKept;
    this.gapList = new GapList(newestKept === Infinity ? Infinity : mostGaps);
    this.tree = new JournalNodes((path, type) => {
      if (this.isFollowing) this.follower.changed(path, type);
      onChange?.(path, type);
    });
    this.follower = new LockFollower(this.tree, {
      newestKept,
      onEnd: (path, ended) => {
        this.causes.noteEnd(path, ended);
      },
    });
  }

  /** The first moment; zxid 0n as long as there is none. */
  get from(): Moment {
    return this.first ?? noMoment;
  }

  get to(): Moment {
    return this.last ?? noMoment;
  }

  /** When for the first time all was known that is there; `to` as long as that is not so. */
  get sureFrom(): Moment {
    return this.sure ?? this.to;
  }

  get gaps(): readonly Gap[] {
    return this.gapList.until(this.to);
  }

  /** Since when not everything is known, if that is so now. */
  get gapSince(): Moment | undefined {
    return this.gapList.since;
  }

  /** How many entries were applied. */
  get entries(): number {
    return this.count;
  }

  /** How many nodes are there now. */
  get nodes(): number {
    return this.tree.size;
  }

  /** Whether there was something to show at some time. */
  get hasBegun(): boolean {
    return this.hasListed;
  }

  /** Whether all that is there is known now. */
  get isFollowing(): boolean {
    return this.phase === 'following' || this.phase === 'checking';
  }

  /** Of all locks that were seen: unlike `locks` it costs nothing. */
  get lockCount(): number {
    this.settleBetween();
    return this.follower.lockCount;
  }

  /** Every lock that has holds or waits that are kept. */
  locks(): RecordedLock[] {
    this.settleBetween();
    return this.follower.locks();
  }

  /** By their begins; they change as entries are applied. @param path of a lock; default: of all */
  holds(path?: string): Hold[] {
    this.settleBetween();
    return this.follower.holds(path);
  }

  /** By the creation of their nodes; as `holds`. */
  waits(path?: string): Wait[] {
    this.settleBetween();
    return this.follower.waits(path);
  }

  /** Prepares the answers of `holds` and `waits` of one lock; until the next entry is applied they cost what they give. */
  *preparing(): Interruptible<void> {
    yield* this.settling();
    yield* this.follower.preparing();
  }

  /** The hold that a node has now. @param path of the node */
  holdOf(path: string, czxid: bigint): Hold | undefined {
    this.settleBetween();
    return this.follower.holdOf(path, czxid);
  }

  /** Those that are known; where memory must stay flat, those of nodes, holds and waits. */
  sessions(): ReadonlyMap<bigint, RecordedSession> {
    return this.book.all;
  }

  /** A node of the journal as it is now. */
  node(path: string): JournalNode | undefined {
    return this.tree.node(path);
  }

  /** As `node`, and the directories above nodes, of which nothing is known. */
  read(path: string): ReadableNode | undefined {
    return this.tree.get(path);
  }

  /** Whether a node at that path may be part of a lock: by its name, or because of the locks that are known. */
  concerns(path: string): boolean {
    const isNew = this.unsettledDirectories.has(path) || this.unsettledDirectories.has(parentPath(path));
    return isNew || this.follower.concerns(path);
  }

  /**
   * Entries follow that belong together: until `endBatch` what they say of their last moment is not whole, and what is asked for is of the
   * moment before. Without it every entry may be the last one.
   */
  beginBatch(): void {
    this.openBatches++;
  }

  endBatch(): void {
    this.openBatches--;
  }

  /** Applies an entry without a pause. That may take long: see `applying`. */
  apply(entry: JournalEntry): void {
    atOnce(this.applying(entry));
  }

  /** Applies an entry; no other one before that is done. */
  *applying(entry: JournalEntry): Interruptible<void> {
    this.count++;
    switch (entry.type) {
      case 'begin':
        yield* this.begin(entry.at, entry.continues === true);
        return;
      case 'complete':
        yield* this.complete(entry.at);
        return;
      case 'node':
        yield* this.takeNode(entry.at, entry.node);
        return;
      case 'gone':
        yield* this.takeGone(entry.at, entry.path, entry.czxid);
        return;
      case 'cause':
        if (this.unsettled === undefined) this.causes.settle(entry);
        else this.waitingCauses.push(entry);
        return;
      case 'session':
        this.book.note(entry.session);
        this.forgetSessions();
        return;
      case 'alive':
        this.moveTo(entry.at);
        return;
      case 'gap':
        yield* this.settling();
        this.beginGap(this.moveTo(entry.at), 'not recorded');
    }
  }

  /**
   * Entries are missing here. What is known is still followed, but it is not sure until the next `complete`, and what is held now goes on
   * as another hold.
   */
  *doubting(why: GapCause): Interruptible<void> {
    if (this.last === undefined) return;
    yield* this.settling();
    this.gapList.begin(this.last, why);
    if (this.phase === 'reading') this.isListTorn = true;
    if (!this.isFollowing) return;
    // The rest of a list that is torn says nothing of what is not in it.
    this.phase = 'following';
    yield* this.follower.begin(this.last, false);
  }

  /** Entries that begin a file, so that it can be read by itself. To be taken at once: nothing may be applied before they are. */
  *state(): Iterable<JournalEntry> {
    const at = this.to;
    if (!this.isFollowing) {
      yield { type: 'gap', at };
      return;
    }
    yield* stateEntries(at, this.tree, this.book);
  }

  /** Moments never go back. @param least zxid of what is known to be there */
  private moveTo(at: Moment, least = 0n): Moment {
    const before = this.last?.zxid ?? 0n;
    let { zxid } = at;
    if (least > zxid) zxid = least;
    if (before > zxid) zxid = before;
    this.last = { zxid, time: at.time };
    this.first ??= this.last;
    return this.last;
  }

  private *begin(at: Moment, continues: boolean): Interruptible<void> {
    const before = this.last;
    this.listed = new Map();
    this.isListTorn = false;
    // A file in between may be missing.
    if (continues && this.isFollowing && at.zxid === before?.zxid && at.time === before.time) {
      this.phase = 'checking';
      return;
    }
    yield* this.settling();
    if (before !== undefined) this.beginGap(before, 'not recorded');
    this.phase = 'reading';
    this.moveTo(at);
  }

  /** What happened until then is settled. */
  private beginGap(from: Moment, why: GapCause): void {
    if (this.hasListed) this.gapList.begin(from, why);
    if (this.isFollowing) this.follower.interrupt(from);
    this.phase = 'unknown';
    this.listed = new Map();
  }

  private *complete(at: Moment): Interruptible<void> {
    const { listed } = this;
    if (this.phase === 'checking') {
      if (this.tree.areIn(listed)) {
        this.endCheck(at);
        return;
      }
      // Entries are missing that said why nodes are gone.
      yield* this.settling();
      this.beginGap(this.to, 'damaged');
    } else if (this.phase !== 'reading') {
      this.moveTo(at);
      return;
    }
    this.listed = new Map();
    const moment = this.moveTo(at, newestOf(listed.values()));
    yield* this.replaceBy(listed);
    this.phase = 'following';
    this.hasListed = true;
    yield* this.follower.begin(moment);
    if (this.isListTorn) return;
    this.sure ??= moment;
    this.gapList.end(moment);
  }

  private *replaceBy(listed: ReadonlyMap<string, JournalNode>): Interruptible<void> {
    let done = 0;
    for (const { path } of [...this.tree.nodes()]) {
      if (!listed.has(path)) this.tree.delete(path);
      if (++done % placedAtOnce === 0) yield;
    }
    for (const node of listed.values()) {
      if (!isSame(this.tree.node(node.path), node)) this.tree.set(node);
      if (++done % placedAtOnce === 0) yield;
    }
  }

  private endCheck(at: Moment): void {
    this.phase = 'following';
    this.listed = new Map();
    const moment = this.moveTo(at);
    this.sure ??= moment;
    this.gapList.end(moment);
  }

  private *takeNode(at: Moment, node: JournalNode): Interruptible<void> {
    if (this.phase === 'unknown') return;
    if (this.phase !== 'following') this.listed.set(node.path, node);
    if (this.phase === 'reading') return;
    const former = this.to;
    const moment = this.moveTo(at, node.mzxid > node.czxid ? node.mzxid : node.czxid);
    const known = this.tree.node(node.path);
    if (isSame(known, node)) return;
    yield* this.settling(moment);
    if (known !== undefined && isWriteMissing(known, node)) {
      yield* this.settling();
      this.follower.doubt(node.path, former);
    }
    this.tree.set(node);
    this.unsettledDirectories.add(parentPath(node.path));
    this.unsettled = moment;
  }

  private *takeGone(at: Moment, path: string, czxid: bigint): Interruptible<void> {
    if (this.phase === 'unknown') return;
    const known = this.phase === 'reading' ? this.listed.get(path) : this.tree.node(path);
    // It may be there again already.
    const isOther = known === undefined || (known.czxid !== czxid && known.czxid !== 0n && czxid !== 0n);
    if (!isOther) this.listed.delete(path);
    if (this.phase === 'reading') return;
    const moment = this.moveTo(at, known?.mzxid);
    if (isOther) return;
    yield* this.settling(moment);
    this.tree.delete(path);
    this.unsettled = moment;
  }

  /**
   * What changed at one moment did so at once: a session that ends takes all its nodes with it, and none of them holds in between.
   *
   * @param next the moment of the next change
   */
  private *settling(next?: Moment): Interruptible<void> {
    const { unsettled } = this;
    if (unsettled === undefined || (next?.zxid === unsettled.zxid && next.time === unsettled.time)) return;
    this.unsettled = undefined;
    this.unsettledDirectories.clear();
    yield* this.follower.applying({ sessionId: undefined, cxid: 0, ...unsettled, change: undefined });
    for (const cause of this.waitingCauses.splice(0)) this.causes.settle(cause);
  }

  /** For those who ask: unless more of the last moment may come. */
  private settleBetween(): void {
    if (this.openBatches === 0) atOnce(this.settling());
  }

  private forgetSessions(): void {
    if (this.book.all.size <= this.mostSessions) return;
    const wanted = new Set<bigint>();
    for (const { owner } of this.tree.nodes()) wanted.add(owner);
    for (const { owner } of this.listed.values()) wanted.add(owner);
    for (const { ownerSession, endedBy } of [...this.follower.holds(), ...this.follower.waits()]) {
      wanted.add(ownerSession);
      if (endedBy !== undefined) wanted.add(endedBy);
    }
    this.book.keep(wanted);
    this.mostSessions = this.newestKept + 2 * this.book.all.size;
  }
}
