import { atOnce } from '../../../src/base/interruptible.ts';
import { childPath, lastSegment } from '../../../src/base/paths.ts';
import { LockSearch } from '../../../src/inspector/lockSearch.ts';
import type { ChildNode } from '../../../src/locks/lockDirectory.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';
import { furtherDirectories, recogniseNames, recogniseQueues } from '../../../src/locks/recognition/recognise.ts';
import type { FollowedTree } from './followedTree.ts';

/** The locks that a search from the root finds in a tree, with their queues: as `findLocks` and `readQueues`, without a client. */
export function locksOf({ tree }: FollowedTree): LockQueue[] {
  const search = new LockSearch('/', Infinity);
  const queues: LockQueue[] = [];
  const namesOf = (path: string): string[] => [...tree.childrenOf(path)];
  const childrenOf = (path: string): ChildNode[] => namesOf(path).map(name => nodeAt(tree, childPath(path, name)));
  const recognised = (path: string, wanted: readonly string[]): LockQueue[] => {
    const existing = wanted.filter(each => tree.get(each) !== undefined);
    const further = new Map(existing.map(each => [each, childrenOf(each)]));
    return recogniseQueues({ path, self: nodeAt(tree, path), children: childrenOf(path), further });
  };
  for (let paths = search.next(100); paths.length > 0; paths = search.next(100)) {
    for (const path of paths) {
      const names = namesOf(path);
      atOnce(search.listed(path, names));
      if (recogniseNames(path, names).length > 0) queues.push(...recognised(path, furtherDirectories(path, names)));
    }
    for (const { path, names, doubtful } of search.takeGuesses()) {
      const wanted = furtherDirectories(path, names);
      const found = recognised(path, wanted);
      queues.push(...found);
      for (const queue of found) search.confirmed(queue, [path, ...wanted]);
      const deeper = doubtful.filter(name => (tree.get(childPath(path, name))?.childCount ?? 0) > 0);
      search.descend(path, deeper);
    }
  }
  const paths = new Set(search.result().locks.map(({ path }) => path));
  return queues.filter(({ path }) => paths.has(path));
}

function nodeAt(tree: FollowedTree['tree'], path: string): ChildNode {
  const node = tree.get(path);
  if (node === undefined) throw new Error(`There is no ${path}.`);
  const { czxid, ctime: createdAt, mtime: modifiedAt, ephemeralOwner, version, numChildren } = node.stat();
  const { data = new Uint8Array(0) } = node;
  return { name: lastSegment(path), path, data, czxid, createdAt, modifiedAt, ephemeralOwner, version, numChildren };
}
