import { expect, it } from 'vitest';
import { atOnce } from '../../../../src/base/interruptible.ts';
import { BlockerIndex } from '../../../../src/inspector/blockers/blockerIndex.ts';
import { waitsBehind } from '../../../../src/inspector/blockers/chains.ts';
import { rankBlockers } from '../../../../src/inspector/blockers/rankBlockers.ts';
import { waitPicture, type WaitPicture } from '../../../../src/inspector/blockers/waitPicture.ts';
import type { LockQueue } from '../../../../src/locks/lockQueue.ts';
import { seededRandom } from '../../../support/seededRandom.ts';
import { curatorQueue, plainQueue } from '../diagnosisQueues.ts';
import { randomQueues } from './randomQueues.ts';

function indexOf(queues: readonly LockQueue[]): BlockerIndex {
  const index = new BlockerIndex();
  atOnce(index.update(queues));
  return index;
}

/** A mutex: `[session, czxid]` in the order of the queue. */
const mutex = (path: string, ...members: [number, number][]): LockQueue =>
  curatorQueue(
    path,
    members.map(([owner, czxid]) => ({ owner: BigInt(owner), czxid: BigInt(czxid), kind: 'exclusive' })),
  );

const chain = [mutex('/a', [1, 10], [2, 20]), mutex('/b', [2, 11], [3, 21]), mutex('/c', [3, 12], [4, 22], [5, 23])];
const id = (session: number): string => `session 0x${session.toString(16)}`;

/** Edges as `1 -> /a`; a picture is of one piece and its edges lead to its nodes. */
function edges(picture: WaitPicture): string[] {
  const names = new Map(
    picture.nodes.map(node => [node.key, node.kind === 'lock' ? node.queue.path : node.id.replace('session 0x', '')]),
  );
  expect(names.size).toBe(picture.nodes.length);
  return picture.edges.map(({ from, to }) => `${names.get(from)!} -> ${names.get(to)!}`).sort();
}

it('shows a chain from its beginning, from its end and from between', () => {
  const index = indexOf([...chain, mutex('/other', [8, 1], [9, 2])]);
  const all = ['/a -> 1', '/b -> 2', '/c -> 3', '2 -> /a', '3 -> /b', '4 -> /c'];
  expect(edges(waitPicture(index, [id(4)]))).toEqual(all);
  expect(edges(waitPicture(index, [id(1)]))).toEqual([...all, '5 -> /c'].sort());
  expect(edges(waitPicture(index, [id(2)]))).toEqual([...all, '5 -> /c'].sort());
  expect(waitPicture(index, [id(1)]).isCut).toBe(false);
});

it('shows a circle once', () => {
  const index = indexOf([mutex('/a', [1, 10], [2, 20]), mutex('/b', [2, 11], [1, 21])]);
  expect(edges(waitPicture(index, [id(1), id(2)]))).toEqual(['/a -> 1', '/b -> 2', '1 -> /b', '2 -> /a']);
});

it('has no more nodes than the limit, those near the start, and says that it is cut', () => {
  const index = indexOf([mutex('/a', ...Array.from({ length: 500 }, (_, at): [number, number] => [at + 1, at + 1]))]);
  const picture = waitPicture(index, [id(1)]);
  expect([picture.nodes.length, picture.isCut]).toEqual([200, true]);
  const small = waitPicture(indexOf(chain), [id(1)], 4);
  expect([edges(small), small.isCut]).toEqual([['/a -> 1', '/b -> 2', '2 -> /a'], true]);
  expect(waitPicture(indexOf(chain), [id(1)], 8).isCut).toBe(false);
});

it('leaves out parties that left', () => {
  expect(waitPicture(indexOf(chain), [id(77), 'node /x', ''])).toMatchObject({ nodes: [], edges: [], isCut: false });
});

it('tells nodes apart whatever they are called', () => {
  const hostile = ['/l/session 0x1', '/l/holds\0/l', '/l/<script>', '/l/\u202e', '/l/__proto__'];
  const queues = hostile.flatMap((path, at) => [
    plainQueue(path, 'generic', [{ ownerSession: 1n }, { ownerSession: 0n }, { ownerSession: BigInt(at + 2) }]),
    { ...plainQueue(path, 'generic', [{ ownerSession: 1n, name: 'x', path: `${path}/x` }, {}]), lockName: path },
  ]);
  const { nodes, edges: drawn } = waitPicture(indexOf(queues), [id(1)]);
  const keys = new Set(nodes.map(({ key }) => key));
  expect(keys.size).toBe(nodes.length);
  expect(nodes.filter(({ kind }) => kind === 'lock').length).toBe(hostile.length * 2);
  expect(drawn.every(({ from, to }) => keys.has(from) && keys.has(to))).toBe(true);
});

it('random pictures are of one piece, and have all that a chain leads to', () => {
  const random = seededRandom(5);
  for (let round = 0; round < 200; round++) {
    const index = indexOf(randomQueues(random));
    for (const { members, places } of atOnce(rankBlockers(index)).blockers) {
      const { nodes, edges: drawn } = waitPicture(index, members, 1_000);
      const parties = new Set(nodes.flatMap(node => (node.kind === 'party' ? [node.id] : [])));
      // As the rows unfold: each place, who waits behind it, what these keep in turn.
      const front = [...places];
      const seen = new Set<string>();
      for (const place of front) {
        if (seen.has(place.contender.path)) continue;
        seen.add(place.contender.path);
        for (const wait of waitsBehind(index, place)) {
          expect(parties.has(wait.id), `round ${round}`).toBe(true);
          front.push(...wait.keeps);
        }
      }
      const joined = new Set(drawn.flatMap(({ from, to }) => [from, to]));
      expect(joined.size, `round ${round}`).toBe(nodes.length);
    }
  }
});

it('rows unfold a chain: a lock, who waits for it, what these keep from others', () => {
  const index = indexOf(chain);
  const [root] = atOnce(rankBlockers(index)).blockers;
  const [place] = root!.places;
  const [second, ...none] = waitsBehind(index, place!);
  expect(none).toEqual([]);
  expect(second).toMatchObject({ id: id(2), keeps: [{ waits: 1, queue: { path: '/b' } }] });
  const [third] = waitsBehind(index, second!.keeps[0]!);
  expect(third).toMatchObject({ id: id(3), keeps: [{ waits: 2, queue: { path: '/c' } }] });
  expect(waitsBehind(index, third!.keeps[0]!).map(wait => [wait.id, wait.keeps])).toEqual([
    [id(4), []],
    [id(5), []],
  ]);
  const [last] = chain[2]!.contenders.slice(-1);
  expect(waitsBehind(index, { contender: last!, queue: chain[2]! })).toEqual([]);
});

it('rows leave out places of the same session, and unknown places', () => {
  const queue = mutex('/a', [1, 10], [2, 20], [1, 30]);
  const index = indexOf([queue]);
  const place = { contender: queue.contenders[0]!, queue };
  expect(waitsBehind(index, place).map(wait => wait.id)).toEqual([id(2)]);
  const former = mutex('/a', [1, 10], [2, 20]);
  expect(waitsBehind(index, { contender: former.contenders[0]!, queue: former })).toEqual([]);
});
