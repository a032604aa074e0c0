import {
  HistoryRecorder,
  type History,
  type HistoryEvent,
  type SeenHold,
} from '../../../src/history/historyRecorder.ts';
import type { Contender } from '../../../src/locks/lockQueue.ts';
import { contender } from '../extension/fixtures.ts';

/** Epoch ms; the clock of the cluster is the same unless a test says otherwise. */
export const start = 1_000_000;

/** Older open holds that a history includes. */
export const olderHolds = 12;

/** A recorder whose time is what the test says. */
export class RecordedHistory {
  /** How far the wall clock was set since the start. */
  step = 0;
  private time = start;
  private nextCzxid = 100n;
  private readonly recorder = new HistoryRecorder({
    now: () => this.time + this.step,
    monotonicNow: () => this.time - start + 7.25,
  });

  get shown(): History {
    return this.recorder.history(olderHolds);
  }

  get events(): readonly HistoryEvent[] {
    return this.recorder.events;
  }

  observe(contenders: readonly Contender[], at: number): void {
    this.time = at;
    this.recorder.observe({ path: '/locks/a', contenders });
  }

  stopWatching(at: number, silentMs?: number): void {
    this.time = at;
    this.recorder.stopWatching(silentMs);
  }

  pause(paused: boolean, at: number): void {
    this.time = at;
    this.recorder.pause(paused);
  }

  clear(at: number): void {
    this.time = at;
    this.recorder.clear();
  }

  /** A new waiter. */
  node(name: string, createdAt: number, fields: Partial<Contender> = {}): Contender {
    return contender(name, { createdAt, czxid: this.nextCzxid++, ...fields });
  }
}

export function held(by: Contender): Contender {
  return { ...by, role: 'holder' };
}

/** A hold as the timeline shows it: moments in epoch ms. */
export function span({ name, from, to, isFromBefore, gapMs }: SeenHold) {
  return { name, from: from.time, until: to?.time, isFromBefore: isFromBefore === true, gapMs };
}
