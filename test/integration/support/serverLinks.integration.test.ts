import { afterEach, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { startObserver, type Observer } from '../../support/observer.ts';
import { useEnsemble } from '../../support/useEnsemble.ts';

const observers: Observer[] = [];

// A member without word from the others gives up after 3 s, while it joins a leader after 2 s.
const ensemble = useEnsemble({ breakableLinks: true, tickTime: 200, config: { syncLimit: 15, initLimit: 10 } });
afterEach(async () => {
  await Promise.all(observers.splice(0).map(observer => observer.stop()));
  await ensemble().links.heal();
  await ensemble().complete(40_000);
});

async function observe(index: number): Promise<Observer> {
  const observer = await startObserver(`127.0.0.1:${ensemble().ports[index]!}`);
  observers.push(observer);
  return observer;
}

/** The leader, then the two others. */
async function leaderAndOthers(): Promise<[number, number, number]> {
  const leader = await ensemble().complete();
  return [leader, (leader + 1) % 3, (leader + 2) % 3];
}

it('a follower that is cut off answers reads from the past, and catches up when healed', async () => {
  const [leader, follower] = await leaderAndOthers();
  const onLeader = await observe(leader);
  const onFollower = await observe(follower);
  await onLeader.create('/before');
  await eventually(async () => expect(await onFollower.get('/before')).toBeDefined());
  await ensemble().links.cutOff(follower);
  await onLeader.create('/meanwhile');
  expect(await onFollower.get('/before')).toBeDefined();
  expect(await onFollower.get('/meanwhile')).toBeUndefined();
  await ensemble().links.heal();
  await eventually(async () => expect(await onFollower.get('/meanwhile')).toBeDefined(), 20_000);
});

it.each(['black-hole', 'reset', 'sends-lost'] as const)(
  'a leader that is cut off (%s) steps down, and the others elect one of themselves',
  async how => {
    const [leader, ...others] = await leaderAndOthers();
    await ensemble().links.cutOff(leader, how);
    await eventually(async () => {
      expect(await ensemble().mode(leader)).toBeUndefined();
      expect(others).toContain(await ensemble().leader(others));
    }, 20_000);
  },
);

it('two followers without their leader are a partition with a quorum of its own', async () => {
  const [leader, ...others] = await leaderAndOthers();
  await ensemble().links.partition([[leader], others]);
  const next = await eventually(() => ensemble().leader(others), 20_000);
  const observer = await observe(next);
  await observer.create('/majority');
  await ensemble().links.heal();
  const onOld = await eventually(async () => {
    expect(await ensemble().mode(leader)).toBe('follower');
    return observe(leader);
  }, 20_000);
  await eventually(async () => expect(await onOld.get('/majority')).toBeDefined());
});
