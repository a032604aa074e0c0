import type { Schedule } from './schedules.ts';

/** How long a schedule is played. */
export const game = { crowd: 5, steps: 20 } as const;

export const curatorSemaphore = {
  dialects: ['curator-semaphore'],
  hasOwnNodes: false,
} as const satisfies Partial<Schedule>;

/** A kazoo semaphore's waiters give up only at the head of the queue. */
export const kazooSemaphore = {
  dialects: ['kazoo-semaphore'],
  hasOwnNodes: false,
  canCancel: false,
} as const satisfies Partial<Schedule>;

/**
 * kazoo 2.8.0 lets a reader wait for the highest writer, one that came later too: no writer may join while a reader waits
 * (docs/faults.md, L12).
 */
export const kazooReadWrite = {
  dialects: ['kazoo'],
  async mayJoin(stage, { recipe }) {
    if (recipe !== 'write') return true;
    const holders = await stage.holdersByName();
    return stage.present.every(name => stage.part(name).recipe !== 'read' || holders.includes(name));
  },
} as const satisfies Partial<Schedule>;
