import { newlyKnown, type KnownChild } from './dialects/dialect.ts';
import { matchName } from './dialects/registry.ts';
import { textOf } from './identifier.ts';
import type { ChildNode } from './lockDirectory.ts';

/**
 * Says what a child is, by its name and what was read of it. That is worked out once and kept with the node: one that was read
 * anew is another object, so nothing that is kept can be out of date. (A map from nodes would cost more than it saves.)
 *
 * @param directoryPath where the node lies
 * @returns undefined when no dialect knows the name
 */
export function knownChild(directoryPath: string, node: ChildNode): KnownChild | undefined {
  const { known } = node;
  // A copy of a node is another node.
  if (known?.node === node) return known;
  const found = matchName(node.name, { directoryPath, node });
  if (found === undefined) return undefined;
  node.known = newlyKnown(node, found);
  identifierOf(node.known);
  return node.known;
}

/** Who, from the node's data or its name; '' if neither says. */
export function identifierOf(child: KnownChild): string {
  child.identifier ??= readIdentifier(child);
  return child.identifier;
}

function readIdentifier({ node, dialect, match }: KnownChild): string {
  const text = dialect.identify?.(node) ?? textOf(node.data);
  return text === '' ? (match.identifier ?? '') : text;
}
