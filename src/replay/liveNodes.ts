import type { Interruptible } from '../base/interruptible.ts';
import { MapNodes } from '../dataTree/nodeStore.ts';
import type { Znode } from '../dataTree/znode.ts';
import type { NodeVersions } from './nodeVersions.ts';
import type { StoredData } from './storedData.ts';

/** So many nodes are kept without a pause. */
const pathsPerPart = 1_024;

/** The nodes as they are where reading has come to. It knows what was changed since the last checkpoint. */
export class LiveNodes extends MapNodes<StoredData> {
  /** Paths of nodes, some more than once. */
  private changed: string[] = [];
  /** Nodes with this mark are among those that were changed. */
  private mark = 1;

  override change(path: string): Znode<StoredData> | undefined {
    const node = super.change(path);
    if (node === undefined || node.mark === this.mark) return node;
    node.mark = this.mark;
    this.changed.push(path || '/');
    return node;
  }

  override add(path: string, node: Znode<StoredData>, parent: Znode<StoredData> | undefined): void {
    super.add(path, node, parent);
    node.mark = this.mark;
    this.changed.push(path);
  }

  override delete(path: string, parent: Znode<StoredData>): void {
    super.delete(path, parent);
    this.changed.push(path);
  }

  /** The nodes of a snapshot are in the place of others: all of these count as changed. */
  noteReplaced(paths: Iterable<string>): void {
    for (const path of paths) this.changed.push(path || '/');
  }

  /** Keeps what was changed as versions of a checkpoint. */
  *save(versions: NodeVersions, checkpoint: number): Interruptible<void> {
    const { changed } = this;
    this.changed = [];
    this.mark++;
    for (const [at, path] of changed.entries()) {
      versions.save(path, checkpoint, this.get(path));
      if (at % pathsPerPart === 0) yield;
    }
  }
}
