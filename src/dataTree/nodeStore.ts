import { lastSegment } from '../base/paths.ts';
import type { Sized, Znode } from './znode.ts';

/** Where a tree keeps its nodes. `''` is a name of the root too: the parent of `/x` is what stands before its slash. */
export interface NodeStore<Data extends Sized> {
  /** How many nodes there are. */
  readonly size: number;
  /** A node to be read: it is not to be changed. */
  get(path: string): Znode<Data> | undefined;
  /** The same node to be changed by the caller. */
  change(path: string): Znode<Data> | undefined;
  /** Places a node that is not there yet. @param parent to be changed; `undefined` for the root */
  add(path: string, node: Znode<Data>, parent: Znode<Data> | undefined): void;
  /** Removes a node that is there. @param parent to be changed */
  delete(path: string, parent: Znode<Data>): void;
  /** Names of the children of a node; the order means nothing. */
  childrenOf(path: string): Iterable<string>;
  paths(): Iterable<string>;
}

/** Nodes in a map, each with the names of its children: what a server needs, which forgets what was. */
export class MapNodes<Data extends Sized> implements NodeStore<Data> {
  private readonly nodes = new Map<string, Znode<Data>>();

  get size(): number {
    // The root has two names.
    return Math.max(0, this.nodes.size - 1);
  }

  get(path: string): Znode<Data> | undefined {
    return this.nodes.get(path);
  }

  change(path: string): Znode<Data> | undefined {
    return this.nodes.get(path);
  }

  add(path: string, node: Znode<Data>, parent: Znode<Data> | undefined): void {
    if (parent === undefined) this.nodes.set('', node);
    else parent.addChild(lastSegment(path));
    this.nodes.set(path, node);
  }

  delete(path: string, parent: Znode<Data>): void {
    parent.removeChild(lastSegment(path));
    this.nodes.delete(path);
  }

  childrenOf(path: string): Iterable<string> {
    return this.nodes.get(path)?.children ?? [];
  }

  paths(): Iterable<string> {
    return this.nodes.keys();
  }
}
