import { expect, it } from 'vitest';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import { watchQueues } from '../../../src/inspector/watchQueues.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';
import { eventually } from '../../support/eventually.ts';
import { describeWithGo } from '../../support/goContenders.ts';
import { game } from './layouts.ts';
import { curator, go, kazoo } from './programs.ts';
import { playAll, type Schedule } from './schedules.ts';
import { Stage } from './stage.ts';
import { useTheatre } from './theatre.ts';

// Queues in which a library meets names that are not its own.

const theatre = useTheatre();
const [kLock] = kazoo('lock');
const [goOf2018, goToday] = go('lock', 'lockOfToday');

/** Sessions of the holders of all queues. */
function holdersOf(queues: readonly LockQueue[]): bigint[] {
  return queues.flatMap(({ contenders }) =>
    contenders.filter(({ role }) => role === 'holder').map(({ ownerSession }) => ownerSession),
  );
}

it('kazoo counts a name that only ends as its own do', async () => {
  await theatre.observer.ensure('/any');
  const own = await theatre.observer.create('/any/nightly-job__lock__', { ephemeral: true, sequence: true });
  const stage = new Stage(theatre, { path: '/any', dialects: ['kazoo'] });
  await stage.open();
  stage.addForeign('nightly', own);
  try {
    const waiting = await stage.join(kLock!);
    expect(await stage.holdersByName()).toEqual([]);
    await stage.removeForeign('nightly');
    expect(await stage.holdersByName()).toEqual([waiting]);
  } finally {
    await stage.close();
  }
});

it('kazoo: the persistent node of a lease says who holds', async () => {
  const { programs, chroot, client } = theatre;
  const contenders = programs.of('kazoo');
  const path = `${chroot}/lease`;
  for (const contender of ['a', 'b']) {
    await contenders.start({ contender, recipe: 'lease', path, identifier: `host-${contender}` });
  }
  const seen: LockQueue[][] = [];
  const watch = await watchQueues(client, '/lease', queues => void seen.push(queues));
  try {
    await contenders.acquire('a');
    await contenders.begin('b');
    const expected = [{ role: 'holder', identifier: 'host-a', ownerSession: 0n }];
    await eventually(async () => {
      const [queue] = await readQueues(client, '/lease');
      expect(queue).toMatchObject({ dialect: 'kazoo-lease', contenders: expected });
      expect(await contenders.holders()).toEqual(['a']);
    });
    await eventually(() => expect(seen.at(-1)?.[0]).toMatchObject({ dialect: 'kazoo-lease', contenders: expected }));
  } finally {
    watch.dispose();
    for (const contender of ['a', 'b']) await contenders.end(contender);
  }
});

it('each entry of a LockingQueue that is taken is a lock of its own', async () => {
  const { programs, chroot, client, observer } = theatre;
  const contenders = programs.of('kazoo');
  const names = ['a', 'b', 'c'];
  try {
    for (const contender of names) {
      await contenders.start({ contender, recipe: 'lockingQueue', path: `${chroot}/queue` });
    }
    for (let entry = 0; entry < 3; entry++) await observer.create('/queue/entries/entry-100-', { sequence: true });
    for (const contender of names) await contenders.acquire(contender);
    const compare = async (holders: string[]): Promise<void> => {
      const sessions = holders.map(contender => contenders.sessionId(contender)).sort();
      await eventually(async () => {
        expect(await contenders.holders()).toEqual(holders);
        const queues = await readQueues(client, '/queue/taken');
        expect(holdersOf(queues).sort()).toEqual(sessions);
        expect(queues.flatMap(queue => queue.contenders)).toHaveLength(sessions.length);
        expect(queues.flatMap(({ hazards }) => hazards)).toEqual([]);
      });
    };
    await compare(names);
    await contenders.release('b');
    await compare(['a', 'c']);
  } finally {
    for (const contender of names) await contenders.end(contender);
  }
});

// InterProcessSemaphore makes the names of a mutex: only the watches show its limit. Whose watch it is among threads that share a
// session is not known, so each contender has its own here.
it('Curator: the old semaphore', async () => {
  const plan = {
    dialects: ['curator'],
    doubts: ['limit-unknown'],
    needsWatches: true,
    parts: curator('semaphoreV1'),
    ...game,
  } as const;
  await playAll(theatre, [
    { path: '/one', ...plan, maxLeases: 1 },
    { path: '/two', ...plan, maxLeases: 2 },
    { path: '/three', ...plan, maxLeases: 3 },
  ]);
});

describeWithGo('go-zookeeper among names of others', () => {
  const goAndKazoo: Schedule['dialects'] = ['go-zookeeper', 'kazoo'];

  it('today: counts the nodes of kazoo, which counts its own, or those of Go too', async () => {
    const doubts: Schedule['doubts'] = ['sight-unknown', 'mixed-dialects'];
    await playAll(theatre, [
      { path: '/both', dialects: goAndKazoo, doubts, parts: [...go('lockOfToday'), ...kazoo('lockBesideGo')], ...game },
      { path: '/one', dialects: goAndKazoo, doubts, parts: [...go('lockOfToday'), ...kazoo('lock')], ...game },
    ]);
  });

  it('today: is served in turn with kazoo that counts its nodes', async () => {
    const stage = new Stage(theatre, { path: '/turns', dialects: goAndKazoo, doubts: ['sight-unknown'] });
    await stage.open();
    try {
      const [besideGo] = kazoo('lockBesideGo');
      const names: string[] = [];
      for (const part of [goToday, besideGo, goToday, besideGo]) names.push(await stage.join(part!));
      for (const name of names) {
        expect(await stage.holdersByName()).toEqual([name]);
        await stage.leave(name, 'release');
      }
    } finally {
      await stage.close();
    }
  });

  it('of 2018: an attempt beside a name without a number fails, its node stays and never holds', async () => {
    const { programs, chroot, client, observer } = theatre;
    const contenders = programs.of('go');
    const start = (contender: string): Promise<bigint> =>
      contenders.start({ contender, recipe: goOf2018!.recipe, path: `${chroot}/plain` });
    const sessions = [await start('first'), await start('second')];
    try {
      await contenders.acquire('first');
      await observer.create('/plain/settings');
      await contenders.begin('second');
      await eventually(async () => expect((await contenders.states())['second']?.failure).toMatch(/settings/));
      expect(await observer.ls('/plain')).toHaveLength(3);
      expect(holdersOf(await readQueues(client, '/plain'))).toEqual([sessions[0]]);
      await contenders.release('first');
      expect(await contenders.holders()).toEqual([]);
      expect(holdersOf(await readQueues(client, '/plain'))).toEqual([]);
    } finally {
      for (const contender of ['first', 'second']) await contenders.end(contender);
    }
  });
});
