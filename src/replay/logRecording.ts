import { SharedTurns } from '../base/interruptible.ts';
import type { Hold, Moment, Wait } from '../history/hold.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { type ChosenLogs, chooseLogs } from './chooseLogs.ts';
import { listLogFolder, type LogFolder } from './logFolder.ts';
import { MomentClient, type MomentSource } from './momentClient.ts';
import { MomentTrees, type ReplayedChange } from './momentTrees.ts';
import type { OpeningPass, PassOptions } from './openingPass.ts';
import type { Gap, Instant, Problem, RecordedLock, RecordedSession, Recording } from './recording.ts';
import type { ReplayedTree } from './replayedTree.ts';

/** Of a folder in which nothing can be read. */
const noMoment: Moment = { zxid: 0n, time: 0 };

/** The recording that logs and snapshots of a folder are. */
export class LogRecording implements Recording, MomentSource {
  isClosed = false;
  readonly turns = new SharedTurns();
  private readonly folder: string;
  private readonly pass: OpeningPass;
  private readonly trees: MomentTrees;
  private folderProblems: readonly Problem[] = [];
  private reading: Promise<boolean> = Promise.resolve(false);

  constructor(folder: string, pass: OpeningPass) {
    this.folder = folder;
    this.pass = pass;
    this.trees = new MomentTrees(pass.past);
  }

  get from(): Moment {
    return this.pass.past.moments.first ?? noMoment;
  }

  get to(): Moment {
    return this.pass.past.moments.last ?? noMoment;
  }

  get sureFrom(): Moment {
    return this.pass.certainty.sureFrom(this.to);
  }

  get gaps(): readonly Gap[] {
    return this.pass.certainty.gaps(this.to);
  }

  get problems(): readonly Problem[] {
    return [...this.folderProblems, ...this.pass.problems];
  }

  get transactions(): number {
    return this.pass.past.transactions;
  }

  locks(): RecordedLock[] {
    return this.pass.follower.locks();
  }

  holds(path?: string): Hold[] {
    return this.pass.follower.holds(path);
  }

  waits(path?: string): Wait[] {
    return this.pass.follower.waits(path);
  }

  session(id: bigint): RecordedSession | undefined {
    return this.sessions().get(id);
  }

  sessions(): ReadonlyMap<bigint, RecordedSession> {
    return this.pass.past.sessions.all;
  }

  momentAt(instant: Instant): Moment {
    return this.pass.past.moments.at(instant) ?? noMoment;
  }

  at(instant: Instant): ZooKeeperClient {
    return new MomentClient(this, this.momentAt(instant));
  }

  treeAt(zxid: bigint): Promise<ReplayedTree> {
    return this.trees.at(zxid);
  }

  isCurrent(tree: ReplayedTree): boolean {
    return this.trees.isCurrent(tree);
  }

  /** What changed behind a transaction, up to another one. @throws StoredDataError where a log is gone */
  changes(from: bigint, to: bigint): AsyncIterable<ReplayedChange> {
    return this.trees.changes(from, to);
  }

  /** Calls follow each other: two at once would read the same records. */
  readMore(options: { signal?: AbortSignal } = {}): Promise<boolean> {
    const before = this.reading;
    this.reading = before.catch(() => false).then(() => this.read(options));
    return this.reading;
  }

  /** Reads what was not read yet. @returns whether there was something @throws CancelledError */
  async read(options: PassOptions): Promise<boolean> {
    if (this.isClosed) return false;
    const before = this.transactions;
    const found: LogFolder = await listLogFolder(this.folder);
    const chosen: ChosenLogs = await chooseLogs(found.logs);
    this.folderProblems = [...found.problems, ...chosen.problems];
    await this.pass.run(chosen, found.snapshots, options);
    return this.transactions > before;
  }

  close(): Promise<void> {
    this.isClosed = true;
    this.trees.clear();
    return Promise.resolve();
  }
}
