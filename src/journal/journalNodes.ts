import { lastSegment, parentPath } from '../base/paths.ts';
import type { ReadableNode, ReadableTree } from '../replay/followedNode.ts';
import type { JournalNode } from './entry.ts';

/** Gets each node that comes, goes, or is written. Directories that only lead to nodes are among them. */
export type NodeListener = (path: string, type: 'created' | 'deleted' | 'dataChanged') => void;

/** A path may have 100,000 levels; so many are made up for it. */
const mostUnknownLevels = 100;

const madeUp: ReadableNode = {
  czxid: 0n,
  mzxid: 0n,
  ctime: 0,
  mtime: 0,
  version: 0,
  owner: 0n,
  data: new Uint8Array(0),
};

interface Place {
  /** `undefined`: made up, since nodes are below. */
  node: JournalNode | undefined;
  names: Set<string> | undefined;
}

/**
 * The nodes of a journal as a tree. A journal has the nodes of locks only: the directories above them are made up as long as something is below
 * them.
 */
export class JournalNodes implements ReadableTree {
  private readonly places = new Map<string, Place>([['/', { node: undefined, names: undefined }]]);
  private readonly onChange: NodeListener;
  private count = 0;

  constructor(onChange: NodeListener) {
    this.onChange = onChange;
  }

  /** How many nodes of the journal there are. */
  get size(): number {
    return this.count;
  }

  get(path: string): ReadableNode | undefined {
    const place = this.places.get(path);
    return place && (place.node ?? madeUp);
  }

  childrenOf(path: string): Iterable<string> {
    return this.places.get(path)?.names ?? [];
  }

  /** A node of the journal. */
  node(path: string): JournalNode | undefined {
    return this.places.get(path)?.node;
  }

  *nodes(): Iterable<JournalNode> {
    for (const { node } of this.places.values()) if (node !== undefined) yield node;
  }

  /** Whether each of the nodes is in a list. */
  areIn(listed: ReadonlyMap<string, JournalNode>): boolean {
    for (const { path } of this.nodes()) if (!listed.has(path)) return false;
    return true;
  }

  /** Places a node, or what was written of it. @returns false for one that is too far below all that is known */
  set(node: JournalNode): boolean {
    const { path } = node;
    const known = this.places.get(path);
    if (known === undefined && !this.plant(path)) return false;
    if (known?.node === undefined) this.count++;
    const before = known?.node;
    this.places.set(path, { node, names: known?.names });
    if (known === undefined) this.onChange(path, 'created');
    else if (before?.czxid === node.czxid) this.onChange(path, 'dataChanged');
    else {
      this.onChange(path, 'deleted');
      this.onChange(path, 'created');
    }
    return true;
  }

  /** @returns the node that was there */
  delete(path: string): JournalNode | undefined {
    const place = this.places.get(path);
    if (place?.node === undefined) return undefined;
    this.count--;
    const { node } = place;
    if (path === '/' || place.names !== undefined) {
      place.node = undefined;
      this.onChange(path, 'dataChanged');
    } else this.uproot(path);
    return node;
  }

  /** Removes a node, and the directories above that only led to it. */
  private uproot(path: string): void {
    let gone = path;
    for (;;) {
      this.places.delete(gone);
      this.onChange(gone, 'deleted');
      const directory = parentPath(gone);
      const place = this.places.get(directory);
      if (place === undefined) return;
      place.names?.delete(lastSegment(gone));
      if (place.names?.size !== 0) return;
      place.names = undefined;
      if (place.node !== undefined || directory === '/') return;
      gone = directory;
    }
  }

  /** Makes up what is missing above a path, and lists it there. @returns whether that was possible */
  private plant(path: string): boolean {
    const missing: string[] = [];
    for (let directory = parentPath(path); !this.places.has(directory); directory = parentPath(directory)) {
      missing.push(directory);
      if (missing.length > mostUnknownLevels) return false;
    }
    for (const directory of missing.reverse()) {
      this.list(directory);
      this.places.set(directory, { node: undefined, names: undefined });
      this.onChange(directory, 'created');
    }
    this.list(path);
    return true;
  }

  private list(path: string): void {
    const directory = this.places.get(parentPath(path));
    if (directory === undefined) return;
    directory.names ??= new Set();
    directory.names.add(lastSegment(path));
  }
}
