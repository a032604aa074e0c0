import { knownChild } from './knownChild.ts';
import type { KnownChild } from './dialects/dialect.ts';
import type { ChildNode } from './lockDirectory.ts';
import type { Contender, LockQueue } from './lockQueue.ts';

/** A semaphore that was put together from two directories, and the children of the asked directory that belong to it. */
export interface Semaphore {
  queue: LockQueue;
  claimed: ReadonlySet<string>;
}

/** The children of a directory split by whether a dialect knows them in that place. */
export interface Sorted {
  known: KnownChild[];
  others: ChildNode[];
}

/** Splits the children of a directory: those that match in the wanted way, and the rest. */
export function splitChildren(
  directoryPath: string,
  nodes: readonly ChildNode[],
  wanted: (known: KnownChild) => boolean,
): Sorted {
  const known: KnownChild[] = [];
  const others: ChildNode[] = [];
  for (const node of nodes) {
    const child = knownChild(directoryPath, node);
    if (child !== undefined && wanted(child)) known.push(child);
    else others.push(node);
  }
  return { known, others };
}

/** A lease or a place in the queue for one; both want the same thing, so both are of the kind `lease`. */
export function semaphoreContender(
  node: ChildNode,
  role: Contender['role'],
  identifier: string,
  more: Pick<Contender, 'sequence' | 'waitsFor'>,
): Contender {
  return {
    name: node.name,
    path: node.path,
    kind: 'lease',
    role,
    ownerSession: node.ephemeralOwner,
    czxid: node.czxid,
    createdAt: node.createdAt,
    identifier,
    ...more,
  };
}
