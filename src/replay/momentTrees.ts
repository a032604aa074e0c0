import { type Interruptible, inTurns } from '../base/interruptible.ts';
import type { ChangeListener } from '../dataTree/dataTree.ts';
import type { Moment } from '../history/hold.ts';
import type { Checkpoint } from './checkpoints.ts';
import { readLog, type LogRecord } from './logFile.ts';
import { MomentNodes } from './momentNodes.ts';
import type { RecordedPast } from './recordedPast.ts';
import { ReplayedTree } from './replayedTree.ts';
import { StoredDataError } from './storedDataError.ts';

/** So many moments are kept once they were read. */
const mostKept = 4;
/** So many records are applied between two looks at the clock. */
const recordsPerLook = 128;

/** What a transaction did. */
export interface ReplayedChange {
  moment: Moment;
  /** Paths of nodes that came, went or were written. */
  changed: readonly string[];
  /** After it, until the next one is asked for. */
  tree: ReplayedTree;
}

/** Makes the trees of moments, from the nearest checkpoint and the log behind it. The last ones are kept. */
export class MomentTrees {
  private readonly past: RecordedPast;
  /** By zxid; the one used last at the end. */
  private readonly kept = new Map<bigint, Promise<ReplayedTree>>();
  /** What the trees stand on. */
  private readonly checkpoints = new WeakMap<ReplayedTree, Checkpoint>();

  constructor(past: RecordedPast) {
    this.past = past;
  }

  /** The tree after a transaction, which does not change. @param zxid of a moment that is known */
  async at(zxid: bigint): Promise<ReplayedTree> {
    for (;;) {
      const making = this.kept.get(zxid) ?? this.make(zxid);
      this.keep(zxid, making);
      const tree = await making;
      if (this.isCurrent(tree)) return tree;
      if (this.kept.get(zxid) === making) this.kept.delete(zxid);
    }
  }

  /** Whether the tree can be read: its checkpoint is still kept. Checkpoints get sparser when more is read. */
  isCurrent(tree: ReplayedTree): boolean {
    const checkpoint = this.checkpoints.get(tree);
    return checkpoint === undefined || this.past.checkpoints.has(checkpoint);
  }

  /**
   * What changed behind a moment, up to another one and with it. Between them must be no gap.
   *
   * @throws StoredDataError
   */
  async *changes(from: bigint, to: bigint): AsyncGenerator<ReplayedChange> {
    const { checkpoints, versions, endings, files } = this.past;
    const checkpoint = checkpoints.before(from);
    if (checkpoint === undefined || to <= from) return;
    const changed = new Set<string>();
    const note: ChangeListener = ({ path, type }) => {
      if (type !== 'childrenChanged') changed.add(path);
    };
    const tree = new ReplayedTree(endings, note, new MomentNodes(versions, checkpoint.id));
    this.checkpoints.set(tree, checkpoint);
    tree.lastZxid = checkpoint.zxid;
    for await (const { transaction } of this.records(files.slice(checkpoint.next.file), checkpoint.next.offset)) {
      const { zxid, time } = transaction;
      if (zxid > to) return;
      if (zxid <= tree.lastZxid) continue;
      changed.clear();
      if (!this.isCurrent(tree)) throw new StoredDataError({ file: files[0] ?? '', offset: 0, length: 0 });
      tree.apply(transaction);
      if (zxid > from && changed.size > 0) yield { moment: { zxid, time }, changed: [...changed], tree };
    }
  }

  private async *records(files: readonly string[], start: number): AsyncGenerator<LogRecord> {
    let from = start;
    for (const path of files) {
      for await (const { records } of readLog(path, from > 0 ? { from } : {})) yield* records;
      from = 0;
    }
  }

  clear(): void {
    this.kept.clear();
  }

  private keep(zxid: bigint, making: Promise<ReplayedTree>): void {
    this.kept.delete(zxid);
    this.kept.set(zxid, making);
    for (const each of this.kept.keys()) {
      if (this.kept.size <= mostKept) return;
      this.kept.delete(each);
    }
  }

  private async make(zxid: bigint): Promise<ReplayedTree> {
    try {
      return await this.replay(zxid);
    } catch (error) {
      // Another try may find the file again.
      this.kept.delete(zxid);
      throw error;
    }
  }

  private async replay(zxid: bigint): Promise<ReplayedTree> {
    const { checkpoints, versions, endings, files } = this.past;
    const checkpoint = checkpoints.before(zxid);
    if (checkpoint === undefined) return this.past.emptyTree().tree;
    const tree = new ReplayedTree(endings, () => undefined, new MomentNodes(versions, checkpoint.id));
    this.checkpoints.set(tree, checkpoint);
    tree.lastZxid = checkpoint.zxid;
    await this.replayFiles(tree, files.slice(checkpoint.next.file), checkpoint.next.offset, zxid);
    return tree;
  }

  /** @param start of the first record in the first file; 0: at its beginning @throws StoredDataError */
  private async replayFiles(tree: ReplayedTree, files: readonly string[], start: number, zxid: bigint): Promise<void> {
    let from = start;
    for (const path of files) {
      if (tree.lastZxid >= zxid) return;
      for await (const { records } of readLog(path, from > 0 ? { from } : {})) {
        await inTurns(applyUntil(tree, records, zxid));
        if (tree.lastZxid >= zxid) return;
      }
      from = 0;
    }
    // A file is gone, or is not what it was.
    if (tree.lastZxid < zxid) throw new StoredDataError({ file: files[0] ?? '', offset: start, length: 0 });
  }
}

function* applyUntil(tree: ReplayedTree, records: readonly LogRecord[], zxid: bigint): Interruptible<void> {
  for (const [at, { transaction }] of records.entries()) {
    if (at % recordsPerLook === 0) yield;
    if (transaction.zxid > zxid) return;
    if (transaction.zxid > tree.lastZxid) tree.apply(transaction);
  }
}
