import { newlyKnown, type KnownChild } from './dialects/dialect.ts';
import { matchName } from './dialects/registry.ts';
import type { ChildNode } from './lockDirectory.ts';

/**
 * What is known of the children of one directory, from one recognition to the next. Keys are the nodes themselves: one that
 * was read anew is another object, so nothing that is remembered can be out of date.
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
   * Forgets everything once a third of it is of nodes that have gone: what this costs is spread over as many changes.
   *
   * @param present how many nodes were looked at in one recognition
   */
  trim(present: number): void {
    if (this.children.size > present * 1.5 + 8) this.children.clear();
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
