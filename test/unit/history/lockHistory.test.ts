import { beforeEach, describe, expect, it } from 'vitest';
import type { Hold, Moment, Wait } from '../../../src/history/hold.ts';
import { LockHistory, type LockName } from '../../../src/history/lockHistory.ts';
import type { Contender } from '../../../src/locks/lockQueue.ts';
import { contender } from '../extension/fixtures.ts';

const lock: LockName = { path: '/locks/a' };
let history: LockHistory;

beforeEach(() => {
  history = new LockHistory();
});

const at = (zxid: number): Moment => ({ zxid: BigInt(zxid), time: zxid * 1_000 });

/** A waiter whose node was created in that transaction. */
function node(name: string, zxid: number, fields: Partial<Contender> = {}): Contender {
  return contender(name, { czxid: BigInt(zxid), createdAt: zxid * 1_000, ...fields });
}

const held = (each: Contender): Contender => ({ ...each, role: 'holder' });

function note(zxid: number, ...contenders: Contender[]): void {
  for (const each of contenders) history.note(lock, each, { moment: at(zxid) });
}

function firstLook(zxid: number, ...contenders: Contender[]): void {
  for (const each of contenders) history.note(lock, each, { moment: at(zxid), isFirst: true });
  history.settle();
}

/** A hold or wait in short: name, zxids, end. */
function brief(each: Hold | Wait): string {
  const { name, queued, from, to, ended, endedBy, isFromBefore } = each;
  const times = [queued.zxid, from?.zxid, to?.zxid].map(zxid => String(zxid ?? '-')).join(' ');
  return [name, times, ended, endedBy, isFromBefore && 'before'].filter(part => part !== undefined).join(' ');
}

const holds = () => [...history.holds].map(brief);
const waits = () => [...history.waits].map(brief);

describe('a lock’s history', () => {
  it('has each turn of a queue that is handed on', () => {
    const [a, b] = [node('a', 1), node('b', 2)];
    note(1, held(a));
    note(2, held(a), b);
    expect(waits()).toEqual(['b 2 - -']);
    history.end(a.path, at(3), { ended: 'released' });
    note(3, held(b));
    expect(holds()).toEqual(['a 1 1 3 released', 'b 2 3 -']);
    expect(waits()).toEqual([]);
  });

  it('keeps who left without having held', () => {
    const b = node('b', 2);
    note(2, held(node('a', 1)), b);
    history.end(b.path, at(5), { ended: 'deleted by another session', endedBy: 7n });
    expect(waits()).toEqual(['b 2 - 5 deleted by another session 7']);
    expect(holds()).toEqual(['a 1 2 -']);
  });

  it('lets who is overtaken wait again', () => {
    const a = node('a', 1);
    note(1, held(a));
    note(4, a, held(node('b', 4)));
    expect(holds()).toEqual(['a 1 1 4 overtaken', 'b 4 4 -']);
    expect(waits()).toEqual(['a 1 4 -']);
    history.end('/locks/a/b', at(6), { ended: 'released' });
    note(6, held(a));
    expect(holds()).toEqual(['a 1 1 4 overtaken', 'b 4 4 6 released', 'a 1 6 -']);
  });

  it('takes a new node of the same name for another contender', () => {
    note(1, held(node('a', 1)));
    note(2, held(node('a', 2)));
    expect(holds()).toEqual(['a 1 1 2 unknown', 'a 2 2 -']);
  });

  it('marks what was there before the first look', () => {
    firstLook(9, held(node('a', 1)), node('b', 2));
    expect(holds()).toEqual(['a 1 9 - before']);
    expect(waits()).toEqual(['b 2 - - before']);
  });

  it('keeps the newest identifier and kind, and the identifier when the data become empty', () => {
    const a = held(node('a', 1, { identifier: '' }));
    note(1, a);
    note(2, { ...a, identifier: 'who', kind: 'write' });
    note(3, { ...a, identifier: '', kind: 'write' });
    expect([...history.holds]).toMatchObject([{ identifier: 'who', kind: 'write' }]);
  });

  it('takes the data of a node without an owner for another holder', () => {
    const node1 = held(node('a', 1, { ownerSession: 0n, identifier: 'one' }));
    note(1, node1);
    note(5, { ...node1, identifier: 'two' });
    expect(holds()).toEqual(['a 1 1 5 overtaken', 'a 5 5 -']);
    expect([...history.holds].map(({ identifier }) => identifier)).toEqual(['one', 'two']);
  });

  it('counts no hold of a semaphore’s queue that was taken for a mutex', () => {
    const a = node('a', 1);
    history.note({ path: '/s/locks' }, held(a), { moment: at(1) });
    history.note({ path: '/s' }, { ...a, kind: 'lease' }, { moment: at(2) });
    expect(holds()).toEqual([]);
    expect([...history.waits]).toMatchObject([{ path: '/s', kind: 'lease', name: 'a' }]);
  });

  it('keeps the holds of a lock that turns out to have a name', () => {
    const a = held(node('a', 1));
    note(1, a);
    history.note({ path: '/locks/a', lockName: 'x' }, a, { moment: at(2) });
    expect([...history.holds]).toMatchObject([{ lockName: 'x', from: at(1) }]);
  });
});

describe('a gap in a lock’s history', () => {
  const [a, b] = [node('a', 1), node('b', 2)];

  beforeEach(() => {
    note(1, held(a));
    note(2, b);
    history.interrupt(at(3));
  });

  it('ends all that is open', () => {
    expect(holds()).toEqual(['a 1 1 3 unknown']);
    expect(waits()).toEqual(['b 2 - 3 unknown']);
  });

  it.each<{ what: string; behind: Contender[]; holds: string[]; waits: string[] }>([
    { what: 'the same nodes', behind: [held(a), b], holds: ['a 1 1 -'], waits: ['b 2 - -'] },
    { what: 'a waiter that holds', behind: [held(b)], holds: ['a 1 1 3 unknown', 'b 2 8 - before'], waits: [] },
    {
      what: 'a holder that waits',
      behind: [a, held(b)],
      holds: ['a 1 1 3 unknown', 'b 2 8 - before'],
      waits: ['a 1 - - before'],
    },
    {
      what: 'another node of the same name',
      behind: [held(node('a', 6)), b],
      holds: ['a 1 1 3 unknown', 'a 6 8 - before'],
      waits: ['b 2 - -'],
    },
    { what: 'nothing', behind: [], holds: ['a 1 1 3 unknown'], waits: ['b 2 - 3 unknown'] },
  ])('is followed by $what', ({ behind, holds: expectedHolds, waits: expectedWaits }) => {
    firstLook(8, ...behind);
    expect({ holds: holds(), waits: waits() }).toEqual({ holds: expectedHolds, waits: expectedWaits });
  });

  it('is not crossed by what was not there at the first look behind it', () => {
    firstLook(8);
    note(9, held(a));
    expect(holds()).toEqual(['a 1 1 3 unknown', 'a 1 9 -']);
  });
});

it('keeps the newest where it is limited, and all that are open', () => {
  history = new LockHistory(3);
  const all = Array.from({ length: 5 }, (_, index) => held(node(String(index), index + 1, { kind: 'lease' })));
  all.forEach((each, index) => note(index + 1, each));
  expect([...history.holds].map(({ name }) => name)).toEqual(['2', '3', '4']);
  expect([...history.present.values()].map(({ hold }) => hold?.name)).toEqual(['0', '1', '2', '3', '4']);
});
