import { newlyKnown, type KnownChild } from './dialects/dialect.ts';
import { matchName } from './dialects/registry.ts';
import type { ChildNode } from './lockDirectory.ts';

/**
 * What is known of the children of one directory, from one recognition to the next. Keys are the nodes themselves: one that
 * was read anew is another object, so nothing that is remembered can be out of date. (A WeakMap would forget by itself, but
 * the garbage collector then looks at every entry each time: it doubles what recognising 10,000 contenders again costs.)
 */
export class ChildMemory {
  private readonly children = new Map<ChildNode, KnownChild | undefined>();

  /** @returns undefined when no dialect knows the node's name */
  know(directoryPath: string, node: ChildNode): KnownChild | undefined {
    const remembered = this.children.get(node);
    if (remembered !== undefined || this.children.has(node)) return remembered;
    const known = knowChild(directoryPath, node);
    this.children.set(node, known);
    return known;
  }

  /**
   * Forgets nodes that have gone. A sixty-fourth may be of such, so that a long queue is not searched for each that leaves.
   *
   * @param lists all nodes that one recognition may have asked for
   */
  forgetOthers(lists: readonly (readonly ChildNode[])[]): void {
    const present = lists.reduce((sum, { length }) => sum + length, 0);
    if (this.children.size <= present + present / 64) return;
    const nodes = new Set(lists.flat());
    for (const node of this.children.keys()) if (!nodes.has(node)) this.children.delete(node);
  }
}

/**
 * Says what a child is, by its name and what was read of it.
 *
 * @returns undefined when no dialect knows the name
 */
export function knowChild(directoryPath: string, node: ChildNode): KnownChild | undefined {
  const found = matchName(node.name, { directoryPath, node });
  return found === undefined ? undefined : newlyKnown(node, found);
}
