import { beforeEach, describe, expect, it } from 'vitest';
import { ServerClock } from '../../../src/history/clocks.ts';
import { HolderSightings } from '../../../src/history/holderSightings.ts';
import type { Contender, Hazard, HeldSince, LockQueue } from '../../../src/locks/lockQueue.ts';
import { contender, queueOf } from '../extension/fixtures.ts';

const start = 1_000_000;
const path = '/locks/a';
/** Ms since the start. */
let time: number;
/** How far this machine's wall clock is ahead of the servers' clock. */
let ahead: number;
let sightings: HolderSightings;

beforeEach(() => {
  time = 0;
  ahead = 0;
  sightings = new HolderSightings(new ServerClock({ now: () => start + time + ahead, monotonicNow: () => 500 + time }));
});

const czxidOf = (queuedAt: number): bigint => BigInt(queuedAt + 10_000_000);

function holder(name: string, queuedAt: number, fields: Partial<Contender> = {}): Contender {
  const heldSince: HeldSince = { earliest: start + queuedAt };
  return contender(name, {
    role: 'holder',
    createdAt: start + queuedAt,
    heldSince,
    czxid: czxidOf(queuedAt),
    ...fields,
  });
}

function waiter(name: string, queuedAt: number): Contender {
  return contender(name, { createdAt: start + queuedAt, czxid: czxidOf(queuedAt) });
}

function look(
  at: number,
  contenders: Contender[],
  isContinuous = true,
  hazards: Hazard[] = [],
  lock = path,
): LockQueue[] {
  time = at;
  return sightings.note(lock, [queueOf(contenders, { hazards })], isContinuous);
}

/** Of the first contender, in ms since the start. */
function since(queues: readonly LockQueue[]): (number | undefined)[] {
  const { earliest, latest } = queues[0]?.contenders[0]?.heldSince ?? {};
  return [earliest, latest].map(at => at && at - start);
}

describe('what this window saw of holders', () => {
  it('limits a hold by when it was first seen', () => {
    expect(since(look(0, [holder('a', -60_000)], false))).toEqual([-60_000, 0]);
    expect(since(look(5_000, [holder('a', -60_000), waiter('b', 5_000)]))).toEqual([-60_000, 0]);
  });

  it('knows the moment of a hand-over, but for the delay of its event', () => {
    look(0, [holder('a', -60_000), waiter('b', -50_000)], false);
    expect(since(look(9_000, [holder('b', -50_000)]))).toEqual([8_000, 9_000]);
    expect(since(look(60_000, [holder('b', -50_000), waiter('c', 60_000)]))).toEqual([8_000, 9_000]);
  });

  it('knows no moment after a gap, but still when the hold was first seen', () => {
    look(0, [holder('a', -60_000), waiter('b', -50_000)], false);
    expect(since(look(9_000, [holder('b', -50_000)], false))).toEqual([-50_000, 9_000]);
    expect(since(look(20_000, [holder('b', -50_000)], false))).toEqual([-50_000, 9_000]);
  });

  it('takes the first reading of a watch for a gap, whatever it is called', () => {
    expect(since(look(9_000, [holder('b', -50_000)], true))).toEqual([-50_000, 9_000]);
  });

  it('takes a node of the same name for another one', () => {
    look(0, [holder('a', -60_000)], false);
    expect(since(look(9_000, [holder('a', 8_900)], false))).toEqual([8_900, 9_000]);
    expect(sightings.narrow([queueOf([holder('a', -60_000)])])[0]?.contenders[0]?.heldSince?.latest).toBeUndefined();
  });

  it('knows no moment where a node that may not be read can have been the holder', () => {
    const hazards: Hazard[] = [{ kind: 'unreadable', names: ['x'] }];
    look(0, [waiter('b', -50_000)], false, hazards);
    expect(since(look(9_000, [holder('b', -50_000)]))).toEqual([-50_000, 9_000]);
  });

  it('says nothing of a holder of which only the name is known', () => {
    const unread = contender('x', { role: 'holder', isUnread: true, czxid: 0n, createdAt: 0 });
    expect(look(0, [unread], false)[0]?.contenders).toEqual([unread]);
    expect(look(9_000, [unread])[0]?.contenders).toEqual([unread]);
  });

  it('keeps what an earlier reading proved', () => {
    const proven = { earliest: start - 60_000, latest: start - 30_000 };
    expect(since(look(0, [holder('a', -60_000, { heldSince: proven })], false))).toEqual([-60_000, -30_000]);
    expect(since(look(5_000, [holder('a', -60_000), waiter('b', 5_000)]))).toEqual([-60_000, -30_000]);
  });

  it('narrows a reading besides the watch, and notes nothing', () => {
    look(0, [holder('a', -60_000)], false);
    time = 7_000;
    const queue = queueOf([holder('a', -60_000), holder('b', -50_000)]);
    const [narrowed] = sightings.narrow([queue]);
    expect(narrowed?.contenders.map(each => each.heldSince?.latest)).toEqual([start, undefined]);
    const unknown = queueOf([waiter('w', 0)]);
    expect(sightings.narrow([unknown])[0]).toBe(unknown);
    sightings.clear();
    expect(sightings.narrow([queue])[0]).toBe(queue);
  });
});

describe('the clock of a cluster', () => {
  const minute = 60_000;

  it.each([-120 * minute, 120 * minute])('moves what was said when it turns out to differ by %d ms', difference => {
    ahead = difference;
    look(0, [holder('a', -60 * minute)], false);
    look(1_000, [holder('a', -60 * minute), waiter('b', 990)]);
    const again = sightings.afterClockJump();
    expect(sightings.aheadMs).toBe(difference + 10);
    // Held since the first look at the latest, by the servers' clock: never longer than this window saw.
    expect(since(again.get(path) ?? [])).toEqual([-60 * minute, -10]);
    expect(sightings.afterClockJump().size).toBe(0);
  });

  it('says nothing again while it is as assumed', () => {
    look(0, [holder('a', -minute)], false);
    look(1_000, [holder('a', -minute), waiter('b', 990)]);
    expect(sightings.afterClockJump().size).toBe(0);
    expect(sightings.aheadMs).toBe(10);
  });

  it('is that of this machine before a node was seen to come, but never behind a node', () => {
    ahead = -5_000;
    expect(sightings.aheadMs).toBe(0);
    look(0, [holder('a', -minute)], false);
    expect(sightings.aheadMs).toBe(0);
    look(1_000, [holder('a', -minute), waiter('b', 0)], false);
    expect(sightings.aheadMs).toBe(-4_000);
  });
});
