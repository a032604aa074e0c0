import type { ChildNode } from './lockDirectory.ts';
import { childPath } from '../base/paths.ts';

/** Stands for a node of which nothing is known but its name. */
export function namedOnly(directory: string, name: string): ChildNode {
  return {
    name,
    path: childPath(directory, name),
    data: nothing,
    czxid: 0n,
    createdAt: 0,
    ephemeralOwner: 0n,
    version: 0,
    numChildren: 0,
  };
}

const nothing = new Uint8Array(0);
