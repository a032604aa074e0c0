import { afterEach, expect, it } from 'vitest';
import { findDeadlocks } from '../../../src/inspector/findDeadlocks.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';
import type { Contenders } from '../../support/contenders.ts';
import { eventually } from '../../support/eventually.ts';
import { curator, kazoo, type Part } from './programs.ts';
import { useTheatre } from './theatre.ts';

// What looks like a deadlock is one only if the threads that wait are those that hold: the test decides that, by whom it lets
// release while another thread of the same program waits.

const theatre = useTheatre();
let present: { contender: string; part: Part }[] = [];

afterEach(async () => {
  // The first contender of a program ends its session, and all others with it.
  for (const { contender } of present)
    await programOf(contender)
      .end(contender)
      .catch(() => undefined);
  present = [];
});

interface Taking {
  /** Contenders with the same program share a session. */
  program: string;
  part: Part | undefined;
  lock: string;
  maxLeases?: number;
}

/** A thread of a program joins a queue: it holds at once, or waits. @returns its name */
async function take({ program, part, lock, maxLeases }: Taking): Promise<string> {
  const { programs, chroot } = theatre;
  const contender = `${program}-${present.length}`;
  const contenders = programs.of(part!.library);
  const before = await count(lock);
  const plan = { contender, recipe: part!.recipe, path: chroot + lock, session: program };
  await contenders.start(maxLeases === undefined ? plan : { ...plan, maxLeases });
  present.push({ contender, part: part! });
  await contenders.begin(contender);
  await eventually(async () => expect(await count(lock)).toBeGreaterThan(before));
  return contender;
}

/** As `take`, and waits until its library says that it holds. */
async function acquire(taking: Taking): Promise<string> {
  const contender = await take(taking);
  await holds(contender);
  return contender;
}

async function count(lock: string): Promise<number> {
  return (await queuesAt(lock)).flatMap(({ contenders }) => contenders).length;
}

async function queuesAt(...locks: string[]): Promise<LockQueue[]> {
  return (await Promise.all(locks.map(lock => readQueues(theatre.client, lock)))).flat();
}

function programOf(contender: string): Contenders<string> {
  return theatre.programs.of(present.find(each => each.contender === contender)!.part.library);
}

function holds(contender: string): Promise<void> {
  return programOf(contender).holds(contender);
}

/** What one contender gives back another one gets: so they were not blocked for ever. */
async function handsOver(from: string, to: string): Promise<void> {
  await programOf(from).release(from);
  await holds(to);
}

const none = { deadlocks: [], possible: [], waitingBehind: [] };
const [mutex, latch, read, write, semaphore] = curator('mutex', 'latch', 'read', 'write', 'semaphore');
const [kLock, kRead, kWrite, kSemaphore] = kazoo('lock', 'read', 'write', 'semaphore');

it('a candidate that stands by blocks no thread of its program', async () => {
  await acquire({ program: 'a', part: latch, lock: '/leader' });
  await take({ program: 'b', part: latch, lock: '/leader' });
  const held = await acquire({ program: 'b', part: mutex, lock: '/mutex' });
  const waiting = await take({ program: 'a', part: mutex, lock: '/mutex' });
  expect(findDeadlocks(await queuesAt('/leader', '/mutex'))).toMatchObject(none);
  await handsOver(held, waiting);
});

it.each([
  ['Curator', read, write],
  ['kazoo', kRead, kWrite],
] as const)('a reader and a writer thread in each of two programs drain: %s', async (_, reader, writer) => {
  const readers = [
    await acquire({ program: 'a', part: reader, lock: '/rw' }),
    await acquire({ program: 'b', part: reader, lock: '/rw' }),
  ];
  const writers = [
    await take({ program: 'a', part: writer, lock: '/rw' }),
    await take({ program: 'b', part: writer, lock: '/rw' }),
  ];
  expect(findDeadlocks(await queuesAt('/rw')).deadlocks).toEqual([]);
  await programOf(readers[0]!).release(readers[0]!);
  await handsOver(readers[1]!, writers[0]!);
  await handsOver(writers[0]!, writers[1]!);
});

it.each([
  ['Curator', mutex],
  ['kazoo', kLock],
] as const)('threads that waited before others of their programs took the locks: %s', async (_, part) => {
  const first = await acquire({ program: 'a', part, lock: '/one' });
  const waitsForOne = await take({ program: 'b', part, lock: '/one' });
  const second = await acquire({ program: 'b', part, lock: '/two' });
  const waitsForTwo = await take({ program: 'a', part, lock: '/two' });
  // The thread of `b` that waits held nothing: it made no node after it had begun to wait.
  expect(findDeadlocks(await queuesAt('/one', '/two'))).toMatchObject(none);
  await handsOver(first, waitsForOne);
  await handsOver(second, waitsForTwo);
});

it.each([
  ['Curator', mutex],
  ['kazoo', kLock],
] as const)('crossing locks: as found in deadlocks as in programs with more threads: %s', async (_, part) => {
  const first = await acquire({ program: 'a', part, lock: '/one' });
  const second = await acquire({ program: 'b', part, lock: '/two' });
  const waitsForOne = await take({ program: 'b', part, lock: '/one' });
  const waitsForTwo = await take({ program: 'a', part, lock: '/two' });
  const { deadlocks } = findDeadlocks(await queuesAt('/one', '/two'));
  expect(deadlocks.map(({ locks }) => locks.map(({ path }) => path))).toEqual([['/one', '/two']]);
  // Nothing moves as long as the threads that hold are those that wait ...
  expect(await theatre.programs.of(part!.library).holders()).toEqual([first, second].sort());
  // ... and all of it does when they are not.
  await handsOver(first, waitsForOne);
  await handsOver(second, waitsForTwo);
  expect(findDeadlocks(await queuesAt('/one', '/two'))).toMatchObject(none);
});

it.each([
  ['Curator', semaphore],
  ['kazoo', kSemaphore],
] as const)('two programs with one of two leases each that want another: %s', async (_, part) => {
  const held = [
    await acquire({ program: 'a', part, lock: '/semaphore', maxLeases: 2 }),
    await acquire({ program: 'b', part, lock: '/semaphore', maxLeases: 2 }),
  ];
  const waiting = [
    await take({ program: 'a', part, lock: '/semaphore', maxLeases: 2 }),
    await take({ program: 'b', part, lock: '/semaphore', maxLeases: 2 }),
  ];
  await eventually(async () => {
    const { deadlocks, possible } = findDeadlocks(await queuesAt('/semaphore'));
    expect(deadlocks).toEqual([]);
    expect(possible.map(({ members }) => members.length)).toEqual([2]);
  });
  expect(await theatre.programs.of(part!.library).holders()).toEqual([...held].sort());
  await handsOver(held[0]!, waiting[0]!);
});
