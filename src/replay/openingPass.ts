import { type Interruptible, inTurns } from '../base/interruptible.ts';
import type { Moment } from '../history/hold.ts';
import { CancelledError } from '../zookeeper/errors.ts';
import { Certainty } from './certainty.ts';
import type { ChosenLogs, SkippedLog } from './chooseLogs.ts';
import type { Place } from './checkpoints.ts';
import { loadSnapshot, type LoadedSnapshot } from './loadSnapshot.ts';
import { readLog, type LogRecord } from './logFile.ts';
import type { LogFile, SnapshotFile } from './logFolder.ts';
import { LockFollower } from './lockFollower.ts';
import { type PastLimits, RecordedPast } from './recordedPast.ts';
import type { GapCause, Problem } from './recording.ts';
import { SnapshotShelf } from './snapshotShelf.ts';
import { isFirstOfAll, isNext } from './zxids.ts';

/** So many records are applied between two looks at the clock. */
const recordsPerLook = 128;

/** What servers write as dbId of a snapshot (FileSnap.java). */
const anyEnsemble = -1n;
/** Of the dbId in a file, behind magic and version. */
const dbIdOffset = 8;

/** A log, as far as it was read. */
interface LogProgress {
  /** Place in `RecordedPast.files`. */
  number: number;
  /** Where reading goes on; `undefined`: at its first record. */
  next: number | undefined;
  problem?: Problem;
  /** It is of another history than the logs before it. */
  isForeign: boolean;
}

export interface PassOptions {
  signal?: AbortSignal | undefined;
  /** Gets how many bytes of the logs have been read. */
  onProgress?: ((done: number, of: number) => void) | undefined;
}

/**
 * Reads logs and snapshots into the past that they record, in the order of the transactions; each file once, and later what was added to it.
 * A snapshot is read where the logs do not say what was there: at the start and behind a gap.
 */
export class OpeningPass {
  readonly past: RecordedPast;
  readonly follower: LockFollower;
  readonly certainty: Certainty;
  private readonly progress = new Map<string, LogProgress>();
  /** Moments of snapshots: their times are estimates. */
  private readonly ofSnapshots = new Set<bigint>();
  private shelf = new SnapshotShelf();
  private skipped: readonly SkippedLog[] = [];
  private ensemble: bigint | undefined;
  private hasBegun = false;
  /** Until this transaction a fuzzy snapshot may show what came later. */
  private fuzzyUntil = 0n;
  /** The first transaction behind the last gap. */
  private enteredAt: bigint | undefined;
  /** Of the next snapshot that says what is there, where that is not known. */
  private awaited: bigint | undefined;
  /** Why the transactions since the last one are missing, if they are. */
  private endedBy: GapCause | undefined;
  private signal: AbortSignal | undefined;
  /** The files were read to their ends before: what was read then is in use. */
  private isUpdate = false;

  constructor(limits: PastLimits) {
    this.past = new RecordedPast(({ path, type }) => {
      if (type !== 'childrenChanged' && this.certainty.isFollowing) this.follower.changed(path, type);
    }, limits);
    this.follower = new LockFollower(this.past);
    this.certainty = new Certainty(this.follower);
  }

  /** What could not be read, by file. */
  get problems(): Problem[] {
    const ofLogs = [...this.progress.values()].flatMap(({ problem }) => problem ?? []);
    return [...this.shelf.problems, ...ofLogs];
  }

  /**
   * Reads what was not read yet.
   *
   * @throws CancelledError
   */
  async run(
    { logs, skipped, ensemble }: ChosenLogs,
    snapshots: readonly SnapshotFile[],
    { signal, onProgress }: PassOptions = {},
  ): Promise<void> {
    this.signal = signal;
    this.shelf.files = snapshots;
    this.skipped = skipped;
    this.awaited = this.shelf.firstFrom(this.past.moments.last?.zxid ?? 0n);
    this.ensemble = ensemble;
    try {
      await this.readFiles(this.unread(logs), onProgress ?? (() => undefined));
      if (!this.hasBegun) await this.enter(undefined, undefined, { file: 0, offset: 0 });
      await this.turns(this.endOfFiles());
      this.isUpdate = true;
    } catch (error) {
      throw signal?.aborted === true ? new CancelledError('Opening the transaction logs') : error;
    }
  }

  /** The logs from the last one on that was read: what stands before it is settled. */
  private unread(logs: readonly LogFile[]): readonly LogFile[] {
    const last = logs.findLastIndex(({ path }) => this.progress.get(path)?.isForeign === false);
    return logs.slice(Math.max(0, last)).filter(({ path }) => this.progress.get(path)?.isForeign !== true);
  }

  private async readFiles(logs: readonly LogFile[], onProgress: (done: number, of: number) => void): Promise<void> {
    const total = logs.reduce((sum, { size }) => sum + size, 0);
    let done = 0;
    onProgress(0, total);
    for (const log of logs) {
      await this.readFile(log, offset => {
        onProgress(done + Math.min(offset, log.size), total);
      });
      done += log.size;
      onProgress(done, total);
    }
  }

  private async readFile(log: LogFile, onOffset: (offset: number) => void): Promise<void> {
    const progress = this.progress.get(log.path) ?? {
      number: this.past.files.length,
      next: undefined,
      isForeign: false,
    };
    this.progress.set(log.path, progress);
    this.noteSkipped(log);
    if (progress.number === this.past.files.length) this.past.files.push(log.path);
    const { signal } = this;
    const from = progress.next;
    const options = { acls: this.past.acls, ...(signal && { signal }), ...(from !== undefined && { from }) };
    delete progress.problem;
    for await (const { records, next, problem } of readLog(log.path, options)) {
      await this.applyAll(records, progress, log);
      if (progress.isForeign) {
        // Nothing of it was applied: no moment is to be made from it.
        this.past.files.pop();
        return;
      }
      // A file that could not be opened is still to be read from its header on.
      progress.next = next > 0 ? next : undefined;
      if (problem !== undefined) progress.problem = problem;
      onOffset(next);
    }
    this.noteEnd(progress.problem);
  }

  /** Between the log before this one and this one may be files that are not read. */
  private noteSkipped({ firstZxid }: LogFile): void {
    const last = this.past.moments.last?.zxid;
    const between = this.skipped.find(
      each => last !== undefined && each.firstZxid > last && each.firstZxid < firstZxid,
    );
    this.endedBy ??= between?.why;
  }

  /** A record that a crash left unfinished was never confirmed to a client, so it is no damage. */
  private noteEnd(problem: Problem | undefined): void {
    if (problem !== undefined && problem.what !== 'torn tail') this.endedBy ??= 'damaged';
  }

  private async applyAll(records: readonly LogRecord[], progress: LogProgress, log: LogFile): Promise<void> {
    for (let at = 0; at < records.length && !progress.isForeign;) {
      at = await this.turns(this.applyFrom(records, at, progress, log));
      const record = records[at];
      if (record === undefined) continue;
      await this.prepareFor(record.transaction, { file: progress.number, offset: record.offset });
    }
  }

  /** Applies records until one wants a look at other files first. @returns its index */
  private *applyFrom(
    records: readonly LogRecord[],
    start: number,
    progress: LogProgress,
    log: LogFile,
  ): Interruptible<number> {
    for (const [behind, { transaction, offset }] of records.slice(start).entries()) {
      if (behind % recordsPerLook === 0) yield;
      const last = this.past.moments.last?.zxid;
      if (last !== undefined && transaction.zxid <= last) {
        if (!this.isForeign(transaction)) continue;
        this.setAside(progress, { file: log.file, offset, what: 'other ensemble' });
        return records.length;
      }
      if (this.needsLook(last, transaction.zxid)) return start + behind;
      if (this.past.isCheckpointDue) yield* this.past.keep({ file: progress.number, offset }, false);
      this.endedBy = undefined;
      // A whole directory may have been looked at: that is much more than other transactions cost.
      if (this.apply(transaction)) yield;
    }
    return records.length;
  }

  /** @returns whether the follower recognised something again */
  private apply(transaction: LogRecord['transaction']): boolean {
    this.past.apply(transaction);
    return this.certainty.isFollowing && this.follower.applied(transaction);
  }

  private setAside(progress: LogProgress, problem: Problem): void {
    progress.isForeign = true;
    progress.problem = problem;
    this.endedBy = 'other ensemble';
  }

  /** A transaction that was applied already has the same time in every file. */
  private isForeign({ zxid, time }: Moment): boolean {
    return !this.ofSnapshots.has(zxid) && this.past.moments.contradicts({ zxid, time });
  }

  private needsLook(last: bigint | undefined, zxid: bigint): boolean {
    if (!this.hasBegun || this.isBehindGap(last, zxid)) return true;
    if (this.certainty.isSure) return false;
    if (this.certainty.isFuzzy) return last !== undefined && last >= this.fuzzyUntil;
    return this.awaited !== undefined && this.awaited < zxid;
  }

  private isBehindGap(last: bigint | undefined, zxid: bigint): boolean {
    return last !== undefined && zxid !== this.enteredAt && !this.continues(last, zxid);
  }

  private continues(last: bigint, zxid: bigint): boolean {
    // Behind damage the counter of a new epoch proves nothing.
    return isNext(last, zxid) && (this.endedBy === undefined || zxid === last + 1n);
  }

  /** Looks at other files where a transaction cannot just be applied. */
  private async prepareFor({ zxid, time }: Moment, place: Place): Promise<void> {
    const { last } = this.past.moments;
    if (!this.hasBegun || this.isBehindGap(last?.zxid, zxid)) await this.enter(last, { zxid, time }, place);
    else if (last !== undefined && this.certainty.isFuzzy) await this.turns(this.certainty.beginSure(last));
    else await this.endDoubt(zxid, place);
    this.endedBy = undefined;
  }

  /**
   * Begins, at the start or behind a gap.
   *
   * @param last moment before it @param next transaction behind it; `undefined` if there are no logs
   */
  private async enter(last: Moment | undefined, next: Moment | undefined, place: Place): Promise<void> {
    const basis = await this.load(this.shelf.between(last?.zxid, next?.zxid).reverse(), next === undefined);
    this.hasBegun = next !== undefined || basis !== undefined;
    if (!this.hasBegun) return;
    if (next !== undefined) this.noteEntered(next.zxid);
    const from = basis === undefined ? last : this.use(basis, next);
    if (last !== undefined && from !== undefined && from !== last) this.cross(last, from);
    await this.turns(this.beginBehind(basis, from, next));
    await this.turns(this.past.keep(place, true));
  }

  private noteEntered(zxid: bigint): void {
    this.enteredAt = zxid;
    this.awaited = this.shelf.firstFrom(zxid);
  }

  private cross(from: Moment, to: Moment): void {
    this.certainty.cross(from, to, this.endedBy ?? 'missing');
  }

  private *beginBehind(
    basis: LoadedSnapshot | undefined,
    from: Moment | undefined,
    next: Moment | undefined,
  ): Interruptible<void> {
    if (basis !== undefined && from !== undefined && (next === undefined || this.continues(from.zxid, next.zxid))) {
      yield* this.trust(basis, from);
    } else if (next !== undefined) {
      if (from !== undefined) this.cross(from, next);
      if (from === undefined && isFirstOfAll(next.zxid)) yield* this.certainty.beginSure(next);
      else yield* this.certainty.beginUnsure(next);
    }
  }

  private *trust(basis: LoadedSnapshot, from: Moment): Interruptible<void> {
    this.fuzzyUntil = basis.lastZxid;
    if (basis.lastZxid > from.zxid) this.certainty.beginFuzzy(from);
    else yield* this.certainty.beginSure(from);
  }

  /** The next transaction is the first one behind a snapshot, which says what was there. */
  private async endDoubt(zxid: bigint, place: Place): Promise<void> {
    const { awaited } = this;
    const basis = awaited === undefined ? undefined : await this.load(this.shelf.between(awaited - 1n, zxid), false);
    this.awaited = this.shelf.firstFrom(zxid);
    if (basis === undefined) return;
    const from = this.use(basis, undefined);
    await this.turns(this.trust(basis, from));
    await this.turns(this.past.keep(place, true));
  }

  /** Puts the nodes of a snapshot in the place of those that are known. @returns its moment */
  private use(basis: LoadedSnapshot, next: Moment | undefined): Moment {
    const { zxid, time, tree, sessions } = basis;
    this.past.replace(tree);
    for (const [id, timeoutMs] of sessions) this.past.sessions.noteOpen(id, timeoutMs);
    const { last } = this.past.moments;
    if (last !== undefined && last.zxid >= zxid) return last;
    this.ofSnapshots.add(zxid);
    // A snapshot does not say when it was taken.
    const moment = { zxid, time: time === 0 ? (next?.time ?? 0) : time };
    this.past.moments.add(moment.zxid, moment.time);
    return moment;
  }

  /** Reads the first of some snapshots that can be read. */
  private async load(wanted: readonly SnapshotFile[], mayBeDamaged: boolean): Promise<LoadedSnapshot | undefined> {
    const damaged: SnapshotFile[] = [];
    for (const file of wanted) {
      const loaded = await loadSnapshot(this.past, file, this.signal);
      const problem = this.problemOf(file, loaded);
      if (problem === undefined) return loaded;
      this.shelf.setAside(file, problem);
      if (problem === loaded.problem && loaded.nodes > 0) damaged.push(file);
    }
    const [rest] = damaged;
    return mayBeDamaged && rest !== undefined ? loadSnapshot(this.past, rest, this.signal) : undefined;
  }

  private problemOf({ file }: SnapshotFile, { dbId, problem }: LoadedSnapshot): Problem | undefined {
    const isOurs = dbId === anyEnsemble || this.ensemble === undefined || dbId === this.ensemble;
    return problem ?? (isOurs ? undefined : { file, offset: dbIdOffset, what: 'other ensemble' });
  }

  private *endOfFiles(): Interruptible<void> {
    const { last } = this.past.moments;
    if (last === undefined) return;
    if (this.certainty.isFuzzy) {
      if (last.zxid >= this.fuzzyUntil) yield* this.certainty.beginSure(last);
      else yield* this.certainty.lookAtFuzzy(last);
    }
    yield* this.follower.preparing();
  }

  /**
   * Does a step in turns. The first run may be cancelled within it: what is half done is thrown away then. Later the step is wanted in
   * any case: half of it would be no picture at all.
   */
  private async turns<T>(work: Interruptible<T>): Promise<T> {
    const result = await inTurns(work, () => this.isUpdate || this.signal?.aborted !== true);
    if (!this.isUpdate) this.signal?.throwIfAborted();
    return result as T;
  }
}
