import { lastSegment } from '../base/paths.ts';
import type { NodeStore } from '../dataTree/nodeStore.ts';
import type { Znode } from '../dataTree/znode.ts';
import type { NodeVersions } from './nodeVersions.ts';
import type { StoredData } from './storedData.ts';

/**
 * The nodes of a checkpoint, and over them those that were changed since. What was not changed is made from its version whenever it is
 * asked for, so a moment costs what happened between its checkpoint and it.
 */
export class MomentNodes implements NodeStore<StoredData> {
  private readonly versions: NodeVersions;
  private readonly checkpoint: number;
  /** `undefined`: deleted since. */
  private readonly changed = new Map<string, Znode<StoredData> | undefined>();
  /** By directory, paths of children that the checkpoint has not. */
  private readonly below = new Map<string, Set<string>>();

  constructor(versions: NodeVersions, checkpoint: number) {
    this.versions = versions;
    this.checkpoint = checkpoint;
  }

  /** Goes through all nodes. */
  get size(): number {
    return [...this.paths()].length;
  }

  get(path: string): Znode<StoredData> | undefined {
    const name = path || '/';
    return this.changed.get(name) ?? (this.changed.has(name) ? undefined : this.versions.find(name, this.checkpoint));
  }

  change(path: string): Znode<StoredData> | undefined {
    const name = path || '/';
    const known = this.changed.get(name);
    if (known !== undefined || this.changed.has(name)) return known;
    const node = this.versions.find(name, this.checkpoint);
    if (node !== undefined) this.changed.set(name, node);
    return node;
  }

  add(path: string, node: Znode<StoredData>, parent: Znode<StoredData> | undefined): void {
    this.changed.set(path, node);
    if (parent === undefined) return;
    parent.childCount++;
    if (this.versions.has(path, this.checkpoint)) return;
    const directory = directoryOf(path);
    const paths = this.below.get(directory);
    if (paths === undefined) this.below.set(directory, new Set([path]));
    else paths.add(path);
  }

  delete(path: string, parent: Znode<StoredData>): void {
    parent.childCount--;
    if (this.versions.has(path, this.checkpoint)) this.changed.set(path, undefined);
    else {
      this.changed.delete(path);
      this.below.get(directoryOf(path))?.delete(path);
    }
  }

  *childrenOf(directory: string): Iterable<string> {
    const name = directory || '/';
    for (const path of this.versions.childrenOf(name)) if (this.stays(path)) yield lastSegment(path);
    for (const path of this.below.get(name) ?? []) yield lastSegment(path);
  }

  *paths(): Iterable<string> {
    for (const path of this.versions.paths()) if (this.stays(path)) yield path;
    for (const paths of this.below.values()) yield* paths;
  }

  /** Whether a node that the checkpoint has is still there. */
  private stays(path: string): boolean {
    const isDeleted = this.changed.has(path) && this.changed.get(path) === undefined;
    return !isDeleted && this.versions.has(path, this.checkpoint);
  }
}

function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}
