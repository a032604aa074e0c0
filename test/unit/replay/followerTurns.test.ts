import { expect, it } from 'vitest';
import { LockFollower } from '../../../src/replay/lockFollower.ts';
import { Znode } from '../../../src/dataTree/znode.ts';
import { curatorMutex } from '../../support/contenderNames.ts';
import { created, FollowedTree } from './followedTree.ts';

/** More than this of one kind of work between two interruptions would be felt. */
const mostAtOnce = 2_048;

/** A directory `/q` with many nodes of one session, which counts what is read of it. */
class LongDirectory {
  reads = 0;
  private readonly names: readonly string[];
  private readonly nodes: ReadonlyMap<string, Znode>;

  constructor(names: readonly string[]) {
    this.names = names;
    const node = (czxid: number, owner: bigint): Znode => new Znode(new Uint8Array(0), [], owner, BigInt(czxid), 0);
    this.nodes = new Map([
      ['/', node(0, 0n)],
      ['/q', node(1, 0n)],
      ...names.map((name, at) => [`/q/${name}`, node(at + 2, 5n)] as const),
    ]);
  }

  get(path: string): Znode | undefined {
    this.reads++;
    return this.nodes.get(path);
  }

  childrenOf(path: string): readonly string[] {
    if (path === '/') return ['q'];
    return path === '/q' ? this.names : [];
  }
}

function longestStep(counts: readonly number[]): number {
  return Math.max(...counts.map((count, at) => count - (counts[at - 1] ?? 0)));
}

it.each([
  ['contenders', (at: number) => curatorMutex(at)],
  ['contenders out of order', (at: number) => curatorMutex(10_000 - at)],
  ['other nodes beside a contender', (at: number) => (at === 0 ? curatorMutex(0) : `item${String(at)}`)],
])('begins in a long directory in parts: %s', (_, nameOf) => {
  const tree = new LongDirectory(Array.from({ length: 10_000 }, (_each, at) => nameOf(at)));
  const follower = new LockFollower(tree);
  const count = (): number => follower.holds().length + follower.waits().length;
  const reads = [0];
  const noted = [0];
  const work = follower.begin({ zxid: 99_999n, time: 0 });
  for (let isOver = false; !isOver;) {
    isOver = work.next().done === true;
    reads.push(tree.reads);
    noted.push(count());
  }
  expect(follower.holds()).toHaveLength(1);
  expect(longestStep(reads)).toBeLessThanOrEqual(mostAtOnce);
  expect(longestStep(noted)).toBeLessThanOrEqual(mostAtOnce);
});

it('says whether a transaction made it recognise something', () => {
  const tree = new FollowedTree();
  const lock = `/locks/job/${curatorMutex(0)}`;
  expect(tree.apply(created('/other', 0n), 1n)).toBe(false);
  tree.makeDirectory('/locks/job');
  expect(tree.apply(created(lock, 10n), 10n)).toBe(true);
  expect(tree.apply(tree.written('/other', 'x'), 1n)).toBe(false);
  expect(tree.apply({ type: 'delete', path: lock }, 10n)).toBe(true);
});

it('gives the holds and waits of a path as they are now, however often they are asked for', () => {
  const tree = new FollowedTree();
  const { follower } = tree;
  const [one, other] = ['/locks/one', '/locks/other'];
  const counts = (): number[] =>
    [one, other].flatMap(path => [follower.holds(path).length, follower.waits(path).length]);
  tree.create(`${one}/${curatorMutex(0)}`, 10n);
  expect(counts()).toEqual([1, 0, 0, 0]);
  tree.create(`${one}/${curatorMutex(1)}`, 20n);
  tree.create(`${other}/${curatorMutex(0)}`, 20n);
  expect(counts()).toEqual([1, 1, 1, 0]);
  expect(follower.locks().map(({ path }) => path)).toEqual([one, other]);
  tree.remove(`${one}/${curatorMutex(0)}`, 10n);
  expect(counts()).toEqual([2, 0, 1, 0]);
  follower.interrupt(tree.moment);
  tree.begin(false);
  expect(counts()).toEqual([3, 0, 2, 0]);
});
