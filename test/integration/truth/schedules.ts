import { expect } from 'vitest';
import { seededRandom, type SeededRandom } from '../../support/seededRandom.ts';
import type { Part } from './programs.ts';
import { Stage, type StagePlan } from './stage.ts';
import type { Theatre } from './theatre.ts';

/** A kind of lock, the contenders that may come, and how long it is played. */
export interface Schedule extends StagePlan {
  parts: readonly Part[];
  /** How many sessions the contenders share; absent: each has its own. */
  sessions?: number;
  /** At most so many contenders at a time. */
  crowd: number;
  steps: number;
  /** Whether a waiter of that recipe can give up. Its session can always end. */
  canCancel?: boolean;
  /** Whether a contender of that part may join now, where a defect of the library would stop the game. */
  mayJoin?: (stage: Stage, part: Part) => Promise<boolean>;
}

/** Plays schedules side by side, since the clients wait more than they work; the same steps in each run. */
export async function playAll(theatre: Theatre, schedules: readonly Schedule[]): Promise<void> {
  const games = schedules.map((schedule, at) => play(theatre, schedule, seededRandom(at + 1)));
  const failed = (await Promise.allSettled(games)).filter(({ status }) => status === 'rejected');
  const reasons = (failed as PromiseRejectedResult[]).map(({ reason }) => (reason as Error).message);
  expect(reasons.join('\n\n')).toBe('');
}

/** Plays random joins, releases, cancelled attempts and ended sessions; then all leave, one after the other. */
async function play(theatre: Theatre, schedule: Schedule, random: SeededRandom): Promise<void> {
  const stage = new Stage(theatre, schedule);
  await stage.open();
  try {
    await stage.look();
    for (let step = 0; step < schedule.steps; step++) await playStep(stage, schedule, random);
    while (stage.present.length > 0) await leave(stage, schedule, random);
  } finally {
    await stage.close();
  }
}

async function playStep(stage: Stage, schedule: Schedule, random: SeededRandom): Promise<void> {
  const { crowd, parts, sessions, mayJoin } = schedule;
  const part = random.pick(parts);
  const isFull = stage.present.length >= crowd;
  const wantsJoin = stage.present.length < 2 || random.next() < 0.55;
  if (!isFull && wantsJoin && (mayJoin === undefined || (await mayJoin(stage, part)))) {
    // The libraries' sessions are their own: contenders of two of them never share one.
    const session = sessions === undefined ? undefined : `${part.library}${random.below(sessions)}`;
    await stage.join(part, session);
  } else {
    await leave(stage, schedule, random);
  }
}

async function leave(stage: Stage, { canCancel = true }: Schedule, random: SeededRandom): Promise<void> {
  const holders = await stage.holdersByName();
  const isAlone = (name: string) => stage.sharers(name).length === 1;
  const ways: [string, 'release' | 'cancel' | 'end'][] = [];
  for (const name of stage.present) {
    const holds = holders.includes(name);
    if (holds) ways.push([name, 'release'], [name, 'release'], [name, 'release']);
    else if (canCancel && stage.part(name).library !== 'go') ways.push([name, 'cancel']);
    if (isAlone(name)) ways.push([name, 'end']);
  }
  const [name, way] = random.pick(ways);
  await stage.leave(name, way);
}
