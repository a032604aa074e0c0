import { expect, it } from 'vitest';
import { whyNoGo } from '../../../scripts/system/go.ts';
import { staleChoices } from '../../../src/app/deletes/lookForStale.ts';
import { findDeadlocks } from '../../../src/inspector/findDeadlocks.ts';
import { findLocks } from '../../../src/inspector/findLocks.ts';
import { findStale } from '../../../src/inspector/findStale.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import type { Hazard, LockQueue } from '../../../src/locks/lockQueue.ts';
import { eventually } from '../../support/eventually.ts';
import { circles, laterMs } from './claims.ts';
import { curatorSemaphore, kazooSemaphore } from './layouts.ts';
import { curator, go, kazoo, type Part } from './programs.ts';
import { Stage, type StagePlan } from './stage.ts';
import { useTheatre } from './theatre.ts';

// What an ordinary cluster looks like: nothing of it may be marked.

const theatre = useTheatre();

/** Contenders in the order in which they join; each second one may share the session of a name. */
interface Crowd extends StagePlan {
  joins: readonly (readonly [part: Part, session?: string])[];
}

const times = <T>(count: number, value: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => value(at));
/** `each`: how many threads each of the programs has. */
const threads = (part: Part | undefined, programs: number, each: number): Crowd['joins'] =>
  times(programs * each, at => [part!, `program${at % programs}`]);

const [mutex, latch, selector, read, write] = curator('mutex', 'latch', 'selector', 'read', 'write');
const [both, semaphoreV2, semaphoreMutex] = curator('writeThenRead', 'semaphore', 'semaphoreMutex');
const [semaphoreV1] = curator('semaphoreV1');
const [writeLock, election] = curator('zooKeeperWriteLock', 'leaderElectionSupport');
const [kLock, kRead, kWrite, kSemaphore, kElection] = kazoo('lock', 'read', 'write', 'semaphore', 'election');
const [kNamed, kBesideGo] = kazoo('curatorNamedLock', 'lockBesideGo');
const [goLock, goToday] = go('lock', 'lockOfToday');

const crowds: Crowd[] = [
  { path: '/mutex-alone', dialects: ['curator'], joins: [[mutex!]] },
  { path: '/mutex-programs', dialects: ['curator'], joins: times(5, () => [mutex!]) },
  { path: '/mutex-threads', dialects: ['curator'], joins: threads(mutex, 3, 3) },
  { path: '/mutex-one-program', dialects: ['curator'], joins: threads(mutex, 1, 4) },
  { path: '/latch-programs', dialects: ['curator-latch'], joins: times(4, () => [latch!]) },
  { path: '/latch-threads', dialects: ['curator-latch'], joins: threads(latch, 2, 2) },
  { path: '/selector', dialects: ['curator'], joins: threads(selector, 2, 2) },
  { path: '/rw-readers', dialects: ['curator'], joins: [...times(4, () => [read!] as const), [write!], [read!]] },
  {
    path: '/rw-threads',
    dialects: ['curator'],
    joins: [
      [read!, 'a'],
      [read!, 'b'],
      [write!, 'a'],
      [write!, 'b'],
      [read!, 'a'],
    ],
  },
  { path: '/rw-writer-reads', dialects: ['curator'], joins: [[both!], [write!], [read!], [both!]] },
  { path: '/semaphore-full', ...curatorSemaphore, maxLeases: 2, joins: times(5, () => [semaphoreV2!]) },
  { path: '/semaphore-free', ...curatorSemaphore, maxLeases: 3, joins: threads(semaphoreV2, 1, 2) },
  { path: '/semaphore-threads', ...curatorSemaphore, maxLeases: 3, joins: threads(semaphoreV2, 2, 3) },
  {
    path: '/semaphore-old',
    dialects: ['curator'],
    needsWatches: true,
    doubts: ['limit-unknown'],
    maxLeases: 2,
    joins: times(5, () => [semaphoreV1!]),
  },
  { path: '/semaphore-mutex', ...curatorSemaphore, joins: threads(semaphoreMutex, 2, 2) },
  { path: '/writelock', dialects: ['zookeeper-writelock'], joins: times(3, () => [writeLock!]) },
  { path: '/election', dialects: ['zookeeper-election'], joins: threads(election, 2, 2) },
  { path: '/kazoo-lock', dialects: ['kazoo'], joins: times(4, () => [kLock!]) },
  { path: '/kazoo-threads', dialects: ['kazoo'], joins: threads(kLock, 3, 3) },
  { path: '/kazoo-rw', dialects: ['kazoo'], joins: [[kRead!], [kRead!], [kWrite!], [kRead!]] },
  {
    path: '/kazoo-rw-threads',
    dialects: ['kazoo'],
    joins: [
      [kWrite!, 'a'],
      [kRead!, 'a'],
      [kRead!, 'b'],
    ],
  },
  { path: '/kazoo-semaphore', ...kazooSemaphore, maxLeases: 2, joins: times(4, () => [kSemaphore!]) },
  { path: '/kazoo-semaphore-threads', ...kazooSemaphore, maxLeases: 2, joins: threads(kSemaphore, 2, 2) },
  { path: '/kazoo-election', dialects: ['kazoo'], joins: threads(kElection, 2, 2) },
  { path: '/both-kazoo-curator', dialects: ['curator', 'generic'], joins: [[kNamed!], [mutex!], [kNamed!], [mutex!]] },
];

const goCrowds: Crowd[] = [
  {
    path: '/both-go-kazoo',
    dialects: ['go-zookeeper', 'kazoo'],
    doubts: ['sight-unknown'],
    joins: [[goToday!], [kBesideGo!], [goToday!], [kBesideGo!]],
  },
  { path: '/go-programs', dialects: ['go-zookeeper'], joins: times(4, () => [goLock!]) },
  { path: '/go-goroutines', dialects: ['go-zookeeper'], joins: threads(goLock, 2, 3) },
  {
    path: '/both-go-curator',
    dialects: ['go-zookeeper', 'curator'],
    joins: [[goLock!], [mutex!], [goLock!], [mutex!]],
  },
];

/** Recipes that people write themselves, with nodes that outlive their sessions. */
async function makeHomemade(): Promise<void> {
  const { observer } = theatre;
  const sessions = [await observer.openSession(), await observer.openSession()];
  for (const path of ['/home-lock', '/home-rw']) await observer.ensure(path);
  for (const session of sessions) await session.create('/home-lock/lock-', { sequence: true });
  for (const [at, session] of sessions.entries()) {
    await session.create(`/home-rw/${at === 0 ? 'write' : 'read'}-`, { sequence: true });
  }
}

/** Two of three entries are taken; each taken one is a lock of its own. */
async function takeEntries(): Promise<void> {
  const { programs, chroot } = theatre;
  for (const contender of ['entry-a', 'entry-b']) {
    await programs.of('kazoo').start({ contender, recipe: 'lockingQueue', path: `${chroot}/entries-queue` });
  }
  for (let entry = 0; entry < 3; entry++) {
    await theatre.observer.create('/entries-queue/entries/entry-100-', { sequence: true });
  }
  for (const contender of ['entry-a', 'entry-b']) await programs.of('kazoo').acquire(contender);
}

async function allQueues(): Promise<LockQueue[]> {
  const { locks } = await findLocks(theatre.client, '/');
  const paths = [...new Set(locks.map(({ path }) => path))];
  return (await Promise.all(paths.map(path => readQueues(theatre.client, path)))).flat();
}

/** Everything that an engineer on call would act on, in words. */
async function alarms(doubts: ReadonlyMap<string, readonly Hazard['kind'][]>): Promise<string[]> {
  const queuesReadAt = Date.now();
  const queues = await allQueues();
  const facts = await theatre.facts();
  const now = Date.now() + laterMs;
  const bare = findStale(queues, { queuesReadAt, now });
  const informed = findStale(queues, { queuesReadAt, now, ...facts });
  const profile = {
    id: 'c',
    name: 'c',
    connectString: 'localhost',
    environment: 'development',
    lockRoots: ['/'],
  } as const;
  const picked = [bare, informed].flatMap(findings =>
    staleChoices(profile, findings, []).choices.filter(({ isPicked }) => isPicked),
  );
  return [
    ...queues.flatMap(({ path, hazards }) =>
      hazards
        .filter(({ kind }) => doubts.get(path)?.includes(kind) !== true)
        .map(({ kind, names }) => `hazard ${path}: ${kind} (${names.length})`),
    ),
    ...[...bare, ...informed].map(({ contender, reasons }) => `mark ${contender.path}: ${JSON.stringify(reasons)}`),
    ...picked.map(({ path }) => `preselected ${path}`),
    ...circles(findDeadlocks(queues).deadlocks).map(circle => `deadlock ${circle}`),
  ];
}

it('more than 24 healthy queues with more than 100 contenders: no mark, no hazard, nothing preselected, no deadlock', async () => {
  const all = whyNoGo() === undefined ? [...crowds, ...goCrowds] : crowds;
  const stages = all.map(crowd => new Stage(theatre, crowd));
  const doubts = new Map(all.map(({ path, doubts: allowed = [] }) => [path, allowed]));
  try {
    const gather = async (stage: Stage, { joins }: Crowd): Promise<void> => {
      await stage.open();
      for (const [part, session] of joins) await stage.join(part, session);
    };
    const joined = await Promise.allSettled([
      ...stages.map((stage, at) => gather(stage, all[at]!)),
      makeHomemade(),
      takeEntries(),
    ]);
    expect(joined.flatMap(each => (each.status === 'rejected' ? [String(each.reason)] : []))).toEqual([]);
    await eventually(async () => expect(await alarms(doubts)).toEqual([]));
    const queues = await allQueues();
    const contenders = queues.flatMap(queue => queue.contenders);
    process.stdout.write(`${queues.length} healthy queues with ${contenders.length} contenders: 0 marks\n`);
    expect(queues.length).toBeGreaterThan(24);
    expect(contenders.length).toBeGreaterThan(100);
    await Promise.all(
      stages.map(async stage => {
        const [holder] = await stage.holdersByName();
        await stage.leave(holder!, 'release');
      }),
    );
    await eventually(async () => expect(await alarms(doubts)).toEqual([]));
  } finally {
    for (const stage of stages) await stage.close();
    for (const contender of ['entry-a', 'entry-b']) await theatre.programs.of('kazoo').end(contender);
  }
});
