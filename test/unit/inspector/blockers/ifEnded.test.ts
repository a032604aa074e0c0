import { describe, expect, it } from 'vitest';
import { atOnce } from '../../../../src/base/interruptible.ts';
import { ifEnded } from '../../../../src/inspector/blockers/ifEnded.ts';
import type { LockQueue } from '../../../../src/locks/lockQueue.ts';
import { recogniseQueues } from '../../../../src/locks/recognition/recognise.ts';
import { curatorMutex, holders, kazooLock } from '../../../support/contenderNames.ts';
import { seededRandom, type SeededRandom } from '../../../support/seededRandom.ts';
import { directory, type ChildSpec } from '../../locks/directory.ts';
import { curatorName, curatorQueue, onlyQueue, plainQueue, semaphoreQueue } from '../diagnosisQueues.ts';

const mutex = (path: string, ...owners: bigint[]): LockQueue =>
  curatorQueue(
    path,
    owners.map(owner => ({ owner, kind: 'exclusive' })),
  );

/** Each ending with the places of contenders in their queue. */
function brief(queues: readonly LockQueue[], ...ended: bigint[]) {
  return atOnce(ifEnded(queues, new Set(ended))).map(({ queue, leaving, next, stillHeld, ...rest }) => {
    const [gone, now, still] = [leaving, next, stillHeld].map(all => all.map(each => queue.contenders.indexOf(each)));
    return { path: queue.path, leaving: gone, next: now, stillHeld: still, ...rest };
  });
}

describe('what frees', () => {
  it('goes to the next that stays, past all that leave', () => {
    expect(brief([mutex('/l/a', 1n, 2n, 3n)], 1n)).toMatchObject([{ next: [1], succession: 'known', isHolder: true }]);
    expect(brief([mutex('/l/a', 1n, 2n, 3n)], 1n, 2n)).toMatchObject([{ leaving: [0, 1], next: [2] }]);
    expect(brief([mutex('/l/a', 1n, 1n, 3n)], 1n)).toMatchObject([{ leaving: [0, 1], next: [2] }]);
  });

  it('is nothing where only waiters leave, and these locks come last', () => {
    const queues = [mutex('/l/a', 9n, 1n, 2n), mutex('/l/b', 1n, 2n), mutex('/l/c', 8n), mutex('/l/d', 1n)];
    expect(brief(queues, 1n)).toEqual([
      expect.objectContaining({ path: '/l/b', isHolder: true, next: [1], hasWaiters: true }),
      expect.objectContaining({ path: '/l/d', isHolder: true, next: [], hasWaiters: false }),
      expect.objectContaining({ path: '/l/a', isHolder: false, next: [], stillHeld: [0], hasWaiters: true }),
    ]);
    expect(brief(queues, 77n)).toEqual([]);
  });

  it('goes to all readers at the head, and to a writer only when all readers left', () => {
    const queue = curatorQueue('/l/a', [
      { owner: 1n, kind: 'write' },
      { owner: 2n, kind: 'read' },
      { owner: 3n, kind: 'read' },
      { owner: 4n, kind: 'write' },
      { owner: 5n, kind: 'read' },
    ]);
    expect(brief([queue], 1n)).toMatchObject([{ next: [1, 2] }]);
    expect(brief([queue], 1n, 4n)).toMatchObject([{ next: [1, 2, 4] }]);
    expect(brief([queue], 1n, 2n, 3n)).toMatchObject([{ next: [3] }]);
    const readers = curatorQueue('/l/a', [
      { owner: 1n, kind: 'read' },
      { owner: 2n, kind: 'read' },
      { owner: 3n, kind: 'write' },
    ]);
    expect(brief([readers], 1n)).toMatchObject([{ next: [], stillHeld: [1], isHolder: true, hasWaiters: true }]);
    expect(brief([readers], 1n, 2n)).toMatchObject([{ next: [2], stillHeld: [] }]);
  });

  it('a writer that only waited lets the readers behind it in', () => {
    const queue = curatorQueue('/l/a', [
      { owner: 1n, kind: 'read' },
      { owner: 2n, kind: 'write' },
      { owner: 3n, kind: 'read' },
    ]);
    expect(brief([queue], 2n)).toMatchObject([{ next: [2], stillHeld: [0], isHolder: false }]);
  });

  it('of a semaphore is as many leases as go', () => {
    const queue = semaphoreQueue('/l/s', [1n, 2n, 3n, 4n, 5n], 2);
    expect(brief([queue], 1n)).toMatchObject([{ next: [2], stillHeld: [1] }]);
    expect(brief([queue], 1n, 2n)).toMatchObject([{ next: [2, 3], stillHeld: [] }]);
    expect(brief([queue], 1n, 3n)).toMatchObject([{ next: [3], stillHeld: [1] }]);
    expect(brief([queue], 3n)).toMatchObject([{ next: [], stillHeld: [0, 1], isHolder: false }]);
  });

  it('is not foreseen where it cannot be', () => {
    const lone = onlyQueue('/app/locks', [{ name: 'orders', owner: 1n }]);
    expect(brief([lone], 1n)).toMatchObject([{ succession: 'race', next: [], isHolder: true }]);
    const elected = plainQueue('/l/a', 'activemq', [{}, {}]);
    expect(brief([elected], 1n)).toMatchObject([{ succession: 'election', next: [] }]);
    expect(brief([elected], 2n)).toMatchObject([{ succession: 'known', next: [], stillHeld: [0] }]);
    const limit = plainQueue('/l/a', 'zk-ruby-semaphore', [{ kind: 'lease' }, { kind: 'lease' }]);
    expect(brief([limit], 1n)).toMatchObject([{ succession: 'limit-unknown', next: [1] }]);
  });

  it('nodes without an owner stay, and those that may not be read', () => {
    const queue = curatorQueue('/l/a', [
      { owner: 0n, kind: 'exclusive' },
      { owner: 1n, kind: 'exclusive' },
    ]);
    expect(brief([queue], 0n)).toEqual([]);
    expect(brief([queue], 0n, 1n)).toMatchObject([{ leaving: [1], next: [], stillHeld: [0] }]);
  });

  it('knows sessions by their signed ids', () => {
    expect(brief([mutex('/l/a', -5n, 2n)], -5n)).toMatchObject([{ leaving: [0], next: [1] }]);
  });
});

type Naming = (random: SeededRandom, at: number) => string;

/** How the contenders of one directory call their nodes. */
const namings: readonly Naming[] = [
  (_, at) => curatorMutex(at),
  (random, at) => curatorName(random.pick(['__READ__', '__WRIT__']), at),
  (_, at) => kazooLock(at, at),
  (random, at) => kazooLock(at, at).replace('__lock__', random.pick(['__lock__', '__rlock__'])),
  (_, at) => `lock-${String(at).padStart(10, '0')}`,
  (random, at) => `host-${random.pick(['R', 'W'])}-${String(at).padStart(10, '0')}`,
  (random, at) => `${random.pick(['read', 'write'])}-${String(at).padStart(10, '0')}`,
  (_, at) => `lock-${(at + 0x1234_5678).toString(16)}-${String(at).padStart(10, '0')}`,
];

function randomChildren(random: SeededRandom): ChildSpec[] {
  const name = random.pick(namings);
  const sessions = 2 + random.below(7);
  return Array.from({ length: 1 + random.below(12) }, (_, at) => ({
    name: name(random, at),
    owner: BigInt(1 + random.below(sessions)),
    czxid: BigInt(100 + at),
  }));
}

describe('random cases', () => {
  it('1,000 queues go on as the same directory without those nodes is read', () => {
    const random = seededRandom(22);
    let [freed, several] = [0, 0];
    for (let round = 0; round < 1_000; round++) {
      const children = randomChildren(random);
      const ended = new Set([children[0]!.owner!, ...(random.below(2) === 0 ? [1n, 2n] : [])]);
      const queues = recogniseQueues(directory('/locks/l', children));
      const left = recogniseQueues(
        directory(
          '/locks/l',
          children.filter(({ owner }) => !ended.has(owner!)),
        ),
      );
      const before = new Set(queues.flatMap(holders));
      const expected = left.flatMap(holders).filter(name => !before.has(name));
      const endings = atOnce(ifEnded(queues, ended));
      const said = endings.flatMap(({ next }) => next.map(({ name }) => name));
      expect(said.sort(), `round ${round}: ${JSON.stringify(children.map(each => each.name))}`).toEqual(
        expected.sort(),
      );
      if (said.length > 0) freed++;
      if (said.length > 1) several++;
    }
    expect(freed).toBeGreaterThan(500);
    expect(several).toBeGreaterThan(30);
  });

  it('500 semaphores hand on as many leases as go', () => {
    const random = seededRandom(23);
    for (let round = 0; round < 500; round++) {
      const owners = Array.from({ length: 1 + random.below(9) }, () => BigInt(1 + random.below(5)));
      const limit = 1 + random.below(4);
      const queue = semaphoreQueue('/locks/s', owners, limit);
      const [ending] = atOnce(ifEnded([queue], new Set([1n])));
      const leases = owners.slice(0, limit).filter(owner => owner === 1n).length;
      const waiting = queue.contenders.slice(limit).filter(({ ownerSession }) => ownerSession !== 1n);
      expect(ending?.next ?? [], `round ${round}`).toEqual(waiting.slice(0, leases));
    }
  });
});
