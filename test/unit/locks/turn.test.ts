import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/locks/order.ts';
import { turnOf, turnsOf, type TurnRule } from '../../../src/locks/turn.ts';
import { entry } from './directory.ts';

/** `r1` reads, `w2` writes, `l3` wants a lease, anything else is exclusive. */
function queue(names: string): Entry[] {
  const kinds = new Map<string, Entry['kind']>([
    ['r', 'read'],
    ['w', 'write'],
    ['l', 'lease'],
  ]);
  return names
    .split(' ')
    .map((name, at) => entry({ name, kind: kinds.get(name[0] ?? '') ?? 'exclusive', sequence: at }));
}

function answers(contenders: readonly Entry[], rule: TurnRule): string {
  return turnsOf(contenders, rule)
    .map(turn => (turn.holds ? '!' : `>${turn.waitsFor ?? ''}`))
    .join(' ');
}

const nearest: TurnRule = { type: 'read-write', readerWatches: 'nearest-writer' };
const first: TurnRule = { ...nearest, readerWatches: 'first-writer', downgrade: true };
const polled: TurnRule = { type: 'read-write', readerWatches: 'nothing' };

describe('turnsOf', () => {
  it.each<[string, TurnRule, string, string]>([
    ['mutex', { type: 'mutex', waiterWatches: 'predecessor' }, 'a b c', '! >a >b'],
    ['mutex, children watched', { type: 'mutex', waiterWatches: 'children' }, 'a b c', '! > >'],
    [
      'election without confirmation',
      { type: 'mutex', waiterWatches: 'predecessor', headUnconfirmed: true },
      'a b',
      '> >a',
    ],
    ['readers first', nearest, 'r1 r2 w3 r4', '! ! >r2 >w3'],
    ['reader behind two writers, nearest', nearest, 'w1 w2 r3', '! >w1 >w2'],
    ['reader behind two writers, first', first, 'w1 w2 r3', '! >w1 >w1'],
    ['writer behind a reader that waits', nearest, 'w1 r2 w3 r4', '! >w1 >r2 >w3'],
    ['polling', polled, 'w1 r2 w3', '! > >'],
    ['semaphore', { type: 'semaphore', maxLeases: 2, waiterWatches: 'nothing' }, 'a b c d', '! ! > >'],
    [
      'semaphore, .NET',
      { type: 'semaphore', maxLeases: 2, waiterWatches: 'predecessor-or-children' },
      'a b c d',
      '! ! > >c',
    ],
    ['leases', { type: 'everyone' }, 'l1 l2', '! !'],
  ])('%s', (_, rule, names, expected) => {
    expect(answers(queue(names), rule)).toBe(expected);
  });

  it('lets only the kinds that a rule names block readers', () => {
    const rule: TurnRule = { ...nearest, readersWaitFor: ['write'] };
    expect(answers(queue('a r1 w2 r3'), rule)).toBe('! ! >r1 >w2');
  });

  it('never waits for an entry that blocks no other', () => {
    const [semi, writer] = queue('r1 w2') as [Entry, Entry];
    expect(answers([{ ...semi, isNeverWaitedFor: true }, writer], polled)).toBe('! !');
  });

  it("lets a reader hold that has the number of its own session's write lock, past writers that wait", () => {
    const writer = entry({ name: 'w1', kind: 'write', sequence: 1, ownerSession: 7n });
    const reader = entry({ name: 'r', kind: 'read', sequence: 1, ownerSession: 7n });
    const queued = entry({ name: 'w2', kind: 'write', sequence: 2, ownerSession: 8n });
    expect(answers([writer, reader, queued], first)).toBe('! ! >r');
    const late: Entry = { ...reader, sequence: 3 };
    expect(answers([writer, queued, late, { ...late, sequence: 4 }], first)).toBe('! >w1 >w1 >w1');
    expect(answers([writer, { ...reader, ownerSession: 9n }], first)).toBe('! >w1');
    // Two nodes without a session are not of the same session.
    const noSession = { ownerSession: 0n };
    expect(
      answers(
        [
          { ...writer, ...noSession },
          { ...reader, ...noSession },
        ],
        first,
      ),
    ).toBe('! >w1');
  });

  it('watches the first node of the client in front', () => {
    const contenders = ['a1', 'b1', 'b2', 'c1'].map(name => entry({ name, kind: 'exclusive', client: name[0] ?? '' }));
    expect(answers(contenders, { type: 'mutex', waiterWatches: 'first-of-predecessors-client' })).toBe('! >a1 >b1 >b1');
  });

  it('believes marks where the limit is unknown', () => {
    const contenders = [true, true, false, false].map((marked, at) => entry({ name: `l${at}`, kind: 'lease', marked }));
    expect(answers(contenders, { type: 'marked' })).toBe('! ! > >l2');
  });
});

describe('turnOf', () => {
  it('answers like turnsOf for every contender', () => {
    const contenders = queue('r1 w2 r3 r4 w5');
    const all = turnsOf(contenders, nearest);
    expect(contenders.map(({ name }) => turnOf(contenders, name, nearest))).toEqual(all);
  });

  it('says nothing of a contender that is gone', () => {
    expect(turnOf(queue('a b'), 'c', nearest)).toBeUndefined();
  });
});
