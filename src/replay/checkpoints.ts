import type { Interruptible } from '../base/interruptible.ts';
import type { NodeVersions } from './nodeVersions.ts';

/** Where a record is. */
export interface Place {
  /** Which of the files that were read, by their order. */
  file: number;
  /** Bytes from its start. */
  offset: number;
}

/** A moment whose nodes are kept. */
export interface Checkpoint {
  /** Its number in `NodeVersions`. */
  readonly id: number;
  /** Of the last transaction before it. */
  readonly zxid: bigint;
  /** The next transaction. */
  readonly next: Place;
  /** The nodes before it do not lead to it: a snapshot was read. */
  readonly isFixed: boolean;
}

/** Moments whose nodes are kept, in their order. */
export class Checkpoints {
  private list: Checkpoint[] = [];
  private nextId = 0;

  /** Makes the number of the next one, for its versions; a checkpoint is found only when they are there. */
  reserve(): number {
    return this.nextId++;
  }

  add(checkpoint: Checkpoint): void {
    this.list.push(checkpoint);
  }

  /** The last one at or before a transaction; the first one where there is none. */
  before(zxid: bigint): Checkpoint | undefined {
    return this.list.findLast(checkpoint => checkpoint.zxid <= zxid) ?? this.list[0];
  }

  /** Whether it is still there. */
  has(checkpoint: Checkpoint): boolean {
    return this.list.includes(checkpoint);
  }

  /** Forgets every second one that is not fixed, but never the last one, and its versions. */
  *thin(versions: NodeVersions): Interruptible<void> {
    const last = this.list.at(-1);
    const kept: Checkpoint[] = [];
    const next = new Map<number, number>();
    let skipped: Checkpoint | undefined;
    for (const checkpoint of this.list) {
      if (skipped === undefined && !checkpoint.isFixed && checkpoint !== last && kept.length > 0) skipped = checkpoint;
      else {
        if (skipped !== undefined) next.set(skipped.id, checkpoint.id);
        skipped = undefined;
        kept.push(checkpoint);
      }
    }
    // First, so that a reading of an old moment sees meanwhile that it has to begin again.
    this.list = kept;
    yield* versions.thin(id => next.get(id) ?? id);
  }
}
