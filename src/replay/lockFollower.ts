import { atOnce, type Interruptible } from '../base/interruptible.ts';
import { childPath, lastSegment, parentPath } from '../base/paths.ts';
import type { Transaction } from '../dataTree/transaction.ts';
import type { Hold, Moment, Wait } from '../history/hold.ts';
import { LockHistory, type Departure, type Look, type Present } from '../history/lockHistory.ts';
import { isLockDirectory } from '../locks/libraries/singleNode.ts';
import type { LockQueue } from '../locks/lockQueue.ts';
import { FollowedDirectory, type Recognised } from './followedDirectory.ts';
import type { Author, FollowedNode, ReadableTree } from './followedNode.ts';
import { HistoryByPath } from './historyByPath.ts';
import { LeasesInDoubt } from './leasesInDoubt.ts';
import { LockNames, mayBeLock } from './lockNames.ts';
import type { RecordedLock } from './recording.ts';

/** What the follower needs to know of a transaction. */
export type TransactionHeader = Pick<Transaction, 'cxid' | 'zxid' | 'time'> & {
  /** `undefined`: only what it changed was seen, not who did it and how. */
  sessionId: bigint | undefined;
  change: (ChangeHeader & { parts?: readonly ChangeHeader[] }) | undefined;
};

export interface FollowerOptions {
  /** Holds and waits that are kept besides those that are open: the newest; default: all. */
  newestKept?: number | undefined;
  /** A contender is gone, or is none any more. Gets the path of its node, and it as it was. */
  onEnd?: ((path: string, ended: Present) => void) | undefined;
}

interface ChangeHeader {
  type: Transaction['change']['type'];
  path?: string;
}

/** Directories to recognise again, each with the children that changed; `undefined`: as a whole. */
type Dirty = Map<FollowedDirectory, Set<string> | undefined>;

/** Nodes gone through between two interruptions. */
const walkedAtOnce = 2_000;

/**
 * Follows all locks of a tree through its transactions: recognises again what a transaction concerned, with the rules of the live
 * inspector, and keeps the holds and waits. Which directories hold locks is what a search from the root finds (`findLocks`).
 *
 * Nearly all changes concern no lock: a look at the names decides.
 */
export class LockFollower {
  private readonly tree: ReadableTree;
  private readonly history: LockHistory;
  private readonly byPath: HistoryByPath;
  private readonly newestKept: number;
  private readonly onEnd: (path: string, ended: Present) => void;
  private readonly names = new LockNames();
  private readonly followed = new Map<string, FollowedDirectory>();
  /** By the path of a further directory, which need not exist: whose layout has it. */
  private readonly wantedBy = new Map<string, Set<FollowedDirectory>>();
  private readonly known = new Map<string, RecordedLock[]>();
  /** Of `known`, before those are forgotten that have no holds and waits. */
  private mostLocks: number;
  private readonly inDoubt = new LeasesInDoubt();
  private changes: string[] = [];
  private last: Moment | undefined;

  constructor(tree: ReadableTree, { newestKept = Infinity, onEnd = () => undefined }: FollowerOptions = {}) {
    this.tree = tree;
    this.newestKept = newestKept;
    this.mostLocks = newestKept;
    this.onEnd = onEnd;
    this.history = new LockHistory(newestKept);
    this.byPath = new HistoryByPath(this.history);
  }

  /**
   * Everything that is there now was there before: at the start, behind a snapshot or a gap. Looks at the whole tree, which must not
   * change before the work ends.
   *
   * @param isProven whether the tree is what is there: then what was followed until now and is still the same goes on
   */
  *begin(moment: Moment, isProven = true): Interruptible<void> {
    if (this.history.present.size > 0) this.history.interrupt(this.last ?? moment);
    if (!isProven) this.history.settle();
    this.last = moment;
    this.changes = [];
    this.followed.clear();
    this.wantedBy.clear();
    yield* this.findCandidates();
    const look: Look = { moment, isFirst: true };
    for (const directory of [...this.followed.values()]) {
      yield* this.recognising(directory, this.recognisedAt(look));
      yield;
    }
    this.history.settle();
  }

  private *findCandidates(): Interruptible<void> {
    const open = ['/'];
    let walked = 0;
    for (let directory = open.pop(); directory !== undefined; directory = open.pop()) {
      for (const name of this.tree.childrenOf(directory)) {
        const path = childPath(directory, name);
        open.push(path);
        if (!this.followed.has(directory) && this.mayHold(directory, name)) this.follow(directory, undefined);
        if (mayBeLock(path)) this.follow(path, undefined);
        walked++;
        if (walked % walkedAtOnce === 0) yield;
      }
    }
  }

  /** From now on nothing is known: what is open ends with `unknown`. @param moment the last that is known */
  interrupt(moment: Moment): void {
    this.changes = [];
    this.last = moment;
    this.history.interrupt(moment);
  }

  /** Whether a node at that path may be part of a lock: by its name, or because of the locks that are known. */
  concerns(path: string): boolean {
    const directory = parentPath(path);
    return this.isFollowed(directory, path) || this.wantedBy.has(directory) || this.isOfLock(directory, path);
  }

  private isFollowed(directory: string, path: string): boolean {
    return this.followed.has(directory) || this.followed.has(path) || this.wantedBy.has(path);
  }

  /** One change of one node within the transaction that is being applied. */
  changed(path: string, type: 'created' | 'deleted' | 'dataChanged'): void {
    const directory = parentPath(path);
    if (this.isFollowed(directory, path) || (type === 'created' && this.isOfLock(directory, path)))
      this.changes.push(path);
  }

  /** The transaction has been applied. @returns whether it made something be recognised again, which may take long */
  applied(transaction: TransactionHeader): boolean {
    return atOnce(this.applying(transaction));
  }

  /** As `applied`, where that is to be interrupted. The tree must not change before it ends. */
  *applying(transaction: TransactionHeader): Interruptible<boolean> {
    if (this.changes.length === 0) return false;
    this.byPath.forget();
    const { changes } = this;
    this.changes = [];
    const { zxid, time } = transaction;
    const moment: Moment = { zxid, time };
    this.last = moment;
    const dirty: Dirty = new Map();
    for (const path of changes) this.take(path, transaction, dirty);
    const unlisted: string[] = [];
    for (const [directory, changed] of dirty) {
      const isFollowed = this.followed.get(directory.path) === directory;
      const gone = isFollowed
        ? yield* this.recognise(directory, changed, { moment }, transaction)
        : [...directory.listed];
      for (const path of gone) unlisted.push(path);
    }
    for (const path of unlisted) this.unlist(path, transaction, moment);
    return true;
  }

  /**
   * A node may have had several states since the last one that is known. Without an owner it is held by what its data say: who that was last
   * did so until some time that is not known.
   *
   * @param moment the last at which its state was known
   */
  doubt(path: string, moment: Moment): void {
    const { contender, hold } = this.history.present.get(path) ?? {};
    if (hold === undefined || contender?.ownerSession !== 0n || contender.sequence !== undefined) return;
    this.byPath.forget();
    this.endAt(path, moment, { ended: 'unknown', isEndUnseen: true });
  }

  /** Every lock that has holds or waits. */
  locks(): RecordedLock[] {
    return Array.from(this.known.values(), each => each.filter(lock => this.byPath.has(lock))).flat();
  }

  /** The hold that a node has now. @param path of the node */
  holdOf(path: string, czxid: bigint): Hold | undefined {
    const place = this.history.present.get(path);
    return place?.contender.czxid === czxid ? place.hold : undefined;
  }

  /** Of all locks that were seen: unlike `locks` it costs nothing. */
  get lockCount(): number {
    let count = 0;
    for (const { length } of this.known.values()) count += length;
    return count;
  }

  /** As `HistoryByPath.preparing`. */
  *preparing(): Interruptible<void> {
    yield* this.byPath.preparing();
  }

  /** By their begins; they change as transactions are applied. @param path of a lock; default: of all */
  holds(path?: string): Hold[] {
    return path === undefined ? this.byPath.allHolds() : this.byPath.holds(path);
  }

  /** By the creation of their nodes; as `holds`. */
  waits(path?: string): Wait[] {
    const waits = path === undefined ? this.byPath.allWaits() : this.byPath.waits(path);
    return waits.sort((a, b) => (a.queued.zxid < b.queued.zxid ? -1 : 1));
  }

  private mayHold(directory: string, name: string): boolean {
    return isLockDirectory(directory) || this.names.kindOf(directory, name) !== undefined;
  }

  private isOfLock(directory: string, path: string): boolean {
    return this.mayHold(directory, lastSegment(path)) || mayBeLock(path);
  }

  /** Without an author it is still to be read, in parts. */
  private follow(path: string, author: Author | undefined): FollowedDirectory {
    const known = this.followed.get(path);
    if (known !== undefined) return known;
    const directory = new FollowedDirectory(path, this.names);
    this.followed.set(path, directory);
    if (author !== undefined) atOnce(directory.load(this.tree, author));
    return directory;
  }

  /** Brings the nodes up to date of one that changed, ends the one that is gone, and notes what must be recognised again. */
  private take(path: string, transaction: TransactionHeader, dirty: Dirty): void {
    const isThere = this.tree.get(path) !== undefined;
    this.takeChild(path, isThere, transaction, dirty);
    this.takeSelf(path, isThere, transaction, dirty);
    for (const other of this.wantedBy.get(path) ?? []) mark(dirty, other, undefined);
  }

  private takeChild(path: string, isThere: boolean, transaction: TransactionHeader, dirty: Dirty): void {
    const directory = parentPath(path);
    const name = lastSegment(path);
    const isFollowed = this.followed.has(directory);
    if (!isFollowed && !(isThere && this.mayHold(directory, name))) return;
    const parent = this.follow(directory, transaction);
    const gone = parent.refresh(name, this.tree, transaction);
    if (gone !== undefined) this.end(gone, transaction);
    mark(dirty, parent, isFollowed ? name : undefined);
    for (const other of this.wantedBy.get(directory) ?? []) mark(dirty, other, undefined);
  }

  private takeSelf(path: string, isThere: boolean, transaction: TransactionHeader, dirty: Dirty): void {
    if (isThere && mayBeLock(path)) this.follow(path, transaction);
    const directory = this.followed.get(path);
    if (directory === undefined) return;
    const { self } = directory;
    directory.refreshSelf(this.tree, transaction);
    if (self !== undefined && self.czxid !== directory.self?.czxid) this.end(self, transaction);
    if (isThere && directory.children.size > 0) return;
    mark(dirty, directory, undefined);
    if (isThere) return;
    this.want(directory, []);
    this.followed.delete(path);
  }

  private want(directory: FollowedDirectory, wanted: readonly string[]): void {
    for (const path of directory.wanted) {
      const users = this.wantedBy.get(path);
      if (users?.delete(directory) === true && users.size === 0) this.wantedBy.delete(path);
    }
    directory.wanted = wanted;
    for (const path of wanted) this.wantedBy.set(path, (this.wantedBy.get(path) ?? new Set()).add(directory));
  }

  /** @returns the paths of nodes that are no contenders of that directory any more */
  private *recognise(
    directory: FollowedDirectory,
    changed: Set<string> | undefined,
    look: Look,
    author: Author,
  ): Interruptible<string[]> {
    const found = this.recognisedAt(look);
    const unlisted = changed && directory.recogniseChanges(changed, found);
    return unlisted ?? (yield* this.recognising(directory, found, author));
  }

  /** What is recognised becomes part of the history. */
  private recognisedAt(look: Look): Recognised {
    return {
      queue: queue => {
        this.noteLock(queue);
      },
      contender: (queue, contender) => {
        this.byPath.forget();
        const isHeld = this.history.present.get(contender.path)?.hold !== undefined;
        this.history.note(queue, this.inDoubt.settled(queue, contender, isHeld), look);
      },
    };
  }

  /** Recognises it as a whole. @returns as `recognise` */
  private *recognising(directory: FollowedDirectory, found: Recognised, author?: Author): Interruptible<string[]> {
    yield* directory.load(this.tree, author);
    const wanted = directory.furtherPaths();
    this.want(directory, wanted);
    const further = new Map<string, FollowedNode[]>();
    for (const path of wanted) {
      if (this.tree.get(path) === undefined) continue;
      const other = this.follow(path, author);
      yield* other.load(this.tree, author);
      further.set(path, [...other.children.values()]);
    }
    return yield* directory.recognise(further, found);
  }

  private noteLock({ path, lockName, dialect }: LockQueue): void {
    const known = this.known.get(path);
    if (known?.some(each => each.lockName === lockName && each.dialect === dialect) === true) return;
    const lock: RecordedLock = lockName === undefined ? { path, dialect } : { path, lockName, dialect };
    if (known !== undefined) known.push(lock);
    else if (this.known.set(path, [lock]).size > this.mostLocks) this.forgetLocks();
  }

  /** Those without holds and waits that are kept. */
  private forgetLocks(): void {
    for (const [path, locks] of this.known) if (!locks.some(lock => this.byPath.has(lock))) this.known.delete(path);
    this.mostLocks = this.newestKept + 2 * this.known.size;
  }

  private end(node: FollowedNode, transaction: TransactionHeader): void {
    const { zxid, time } = transaction;
    const place = this.history.present.get(node.path);
    if (place?.contender.czxid !== node.czxid) return;
    this.endAt(node.path, { zxid, time }, departureOf(node, transaction));
  }

  private endAt(path: string, moment: Moment, departure: Departure): void {
    this.inDoubt.forget(path);
    const ended = this.history.end(path, moment, departure);
    if (ended === undefined) return;
    this.byPath.noteEnd(ended);
    this.onEnd(path, ended);
  }

  /** Ends what is no contender any more though its node is there, unless another directory still shows it. */
  private unlist(path: string, { sessionId, zxid }: TransactionHeader, moment: Moment): void {
    const directory = parentPath(path);
    const parent = this.followed.get(directory);
    const own = this.followed.get(path);
    const others = [parent, own, ...(this.wantedBy.get(directory) ?? [])];
    if (others.some(each => each?.listed.has(path) === true)) return;
    const node = parent?.children.get(lastSegment(path)) ?? own?.self;
    // Its data say no more that it holds: the session that wrote the one has released it by writing the other.
    const isReleased = sessionId !== undefined && node?.mzxid === zxid && node.writtenBefore === sessionId;
    this.endAt(path, moment, { ended: isReleased ? 'released' : 'unknown' });
  }
}

function mark(dirty: Dirty, directory: FollowedDirectory, name: string | undefined): void {
  const names = dirty.get(directory);
  if (name === undefined || (names === undefined && dirty.has(directory))) dirty.set(directory, undefined);
  else if (names === undefined) dirty.set(directory, new Set([name]));
  else names.add(name);
}

/** Why a node went, by the transaction in which it did. */
function departureOf(node: FollowedNode, { change, sessionId, cxid }: TransactionHeader): Departure {
  if (change === undefined || sessionId === undefined) return { ended: 'unknown' };
  if (!isDeletion(change, node.path)) return { ended: 'unknown', isEndUnseen: true };
  const owner = node.ephemeralOwner === 0n ? node.createdBy : node.ephemeralOwner;
  if (change.type === 'closeSession' && owner === sessionId) {
    return { ended: cxid === 0 ? 'session expired' : 'session closed' };
  }
  if (owner === sessionId) return { ended: 'released' };
  // Of a node without an owner that was there before, only its creator would know.
  return { ended: owner === undefined ? 'unknown' : 'deleted by another session', endedBy: sessionId };
}

/** Whether a change itself deletes a node, and does not only prove that it was gone before, in a time that no file shows. */
function isDeletion({ type, path, parts }: NonNullable<TransactionHeader['change']>, nodePath: string): boolean {
  if (type === 'closeSession') return true;
  if (type === 'multi') return parts?.some(part => part.type === 'delete' && part.path === nodePath) === true;
  return type === 'delete' && path === nodePath;
}
