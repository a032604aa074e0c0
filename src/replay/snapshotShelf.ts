import type { SnapshotFile } from './logFolder.ts';
import type { Problem } from './recording.ts';

/** The snapshots of a folder that can be used. */
export class SnapshotShelf {
  /** By zxid. */
  files: readonly SnapshotFile[] = [];
  private readonly aside = new Map<string, Problem>();

  /** Why snapshots were not used that were wanted. */
  get problems(): Iterable<Problem> {
    return this.aside.values();
  }

  /** It was read and cannot be used. */
  setAside({ path }: SnapshotFile, problem: Problem): void {
    this.aside.set(path, problem);
  }

  /** Those with a zxid above `low` and below `high`, by zxid. */
  between(low: bigint | undefined, high: bigint | undefined): SnapshotFile[] {
    return this.files.filter(
      ({ path, zxid }) =>
        (low === undefined || zxid > low) && (high === undefined || zxid < high) && !this.aside.has(path),
    );
  }

  /** The zxid of the first one from a zxid on. */
  firstFrom(low: bigint): bigint | undefined {
    return this.files.find(({ path, zxid }) => zxid >= low && !this.aside.has(path))?.zxid;
  }
}
