import { expect, it } from 'vitest';
import type { Hold, Wait } from '../../../src/history/hold.ts';
import type { LockName } from '../../../src/history/lockHistory.ts';
import { locksOf } from './foundLocks.ts';
import { RandomPlay } from './randomPlay.ts';

const runs = Number(process.env['FOLLOWER_RUNS'] ?? 12);
const firstSeed = Number(process.env['FOLLOWER_SEED'] ?? 1);
const steps = 120;

const exclusiveKinds = new Set(['write', 'candidate']);

/** A writer keeps that kind when no reader is beside it any more, and a node alone may be two locks, by its own path and by its directory. */
const line = (role: string, lock: LockName, { name, czxid, kind }: Pick<Hold, 'name' | 'czxid' | 'kind'>): string =>
  [role, lock.path, lock.lockName ?? '', name, String(czxid), exclusiveKinds.has(kind) ? 'exclusive' : kind].join(' ');

function expected(play: RandomPlay): string[] {
  const all = locksOf(play.tree).flatMap(queue => queue.contenders.map(each => line(each.role, queue, each)));
  return [...new Set(all)].sort();
}

function followed({ tree: { follower } }: RandomPlay): string[] {
  const open = (role: string, all: (Hold | Wait)[]) =>
    all.filter(({ to }) => to === undefined).map(each => line(role, each, each));
  return [...open('holder', follower.holds()), ...open('waiter', follower.waits())].sort();
}

it.each(Array.from({ length: runs }, (_, index) => firstSeed + index))(
  'after every transaction holders and waiters are those that recognition shows, seed %d',
  seed => {
    const play = new RandomPlay(seed);
    for (let step = 0; step < steps; step++) {
      play.step();
      expect(followed(play), `step ${step}`).toEqual(expected(play));
    }
  },
);
