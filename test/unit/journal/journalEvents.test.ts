import { describe, expect, it } from 'vitest';
import { atOnce } from '../../../src/base/interruptible.ts';
import type { Moment } from '../../../src/history/hold.ts';
import type { JournalEntry, JournalNode } from '../../../src/journal/entry.ts';
import { JournalState } from '../../../src/journal/journalState.ts';
import { brief } from '../replay/followedTree.ts';
import { at, contender, lock, pathOf, someEntries } from './someEntries.ts';

const first = '/locks/orders lock-0000000001';
const second = '/locks/orders lock-0000000012';
const third = '/locks/orders lock-0000000013';

function stateOf(entries: readonly JournalEntry[], newestKept = Infinity): JournalState {
  const state = new JournalState({ newestKept });
  for (const entry of entries) state.apply(entry);
  return state;
}

const all = (state: JournalState): string[] => [...state.holds(), ...state.waits()].map(brief);
const node = (number: number, owner = 0x10n, zxid = number): JournalEntry => {
  return { type: 'node', at: at(zxid), node: contender(number, owner) };
};
const gone = (number: number, zxid: number): JournalEntry => {
  return { type: 'gone', at: at(zxid), path: pathOf(number), czxid: BigInt(number) };
};
const cause = (number: number): JournalEntry & { type: 'cause' } => {
  return { type: 'cause', path: pathOf(number), czxid: BigInt(number), ended: 'session expired' };
};
const begun: readonly JournalEntry[] = [
  { type: 'begin', at: at(9) },
  node(1, 0x10n, 9),
  { type: 'complete', at: at(10) },
];

describe('what happened', () => {
  it('is who held, who waited, and why it ended', () => {
    const state = stateOf(someEntries.slice(0, 10));
    expect(all(state)).toEqual([`${first} 1 9 13 deleted by another session by 48 before`, `${second} 12 13 -`]);
    expect(state.locks()).toEqual([{ path: lock, dialect: 'distributedlock-net' }]);
    expect(state.to).toEqual(at(20));
    expect(state.sessions().get(0x10n)).toEqual({
      address: '10.0.0.1:4711',
      host: 'h1',
      process: 'p1',
      timeoutMs: 30_000,
      ended: at(13),
      how: 'expired',
    });
  });

  it('ends for an unknown cause until it is proven', () => {
    const state = stateOf([...begun, node(12), gone(1, 13)]);
    expect(all(state)[0]).toBe(`${first} 1 10 13 unknown before`);
    state.apply(cause(1));
    expect(all(state)[0]).toBe(`${first} 1 10 13 session expired before`);
    state.apply({ ...cause(1), ended: 'released' });
    expect(all(state)[0]).toBe(`${first} 1 10 13 session expired before`);
  });

  it('of one who left without having held has a cause too', () => {
    const state = stateOf([...begun, node(12), gone(12, 13), cause(12)]);
    expect(state.waits().map(brief)).toEqual([`${second} 12 - 13 session expired`]);
  });

  it('has no cause of what is no contender, or another one', () => {
    const state = stateOf([...begun, gone(1, 13), { ...cause(1), czxid: 2n }, { ...cause(1), path: '/locks/other' }]);
    expect(all(state)).toEqual([`${first} 1 10 13 unknown before`]);
  });

  it('happens at once where moments are the same: none holds in between', () => {
    const state = stateOf([...begun, node(12), node(13, 0x20n), gone(1, 14), gone(12, 14)]);
    expect(state.holds().map(brief)).toEqual([`${first} 1 10 14 unknown before`, `${third} 13 14 -`]);
    expect(state.waits().map(brief)).toEqual([`${second} 12 - 14 unknown`]);
  });

  it('is not settled by who asks before all of a batch came', () => {
    const state = stateOf([...begun, node(12), node(13, 0x20n)]);
    state.beginBatch();
    state.apply(gone(1, 14));
    expect(state.holds().map(brief)).toEqual([`${first} 1 10 - before`]);
    state.apply(cause(1));
    for (const entry of [...state.state()]) state.apply(entry);
    state.apply(gone(12, 14));
    state.endBatch();
    expect(state.holds().map(brief)).toEqual([`${first} 1 10 14 session expired before`, `${third} 13 14 -`]);
  });

  it('never goes back', () => {
    const state = stateOf([...begun, node(14), { ...node(12), at: at(12) } as JournalEntry, gone(1, 11)]);
    for (const { from, to } of state.holds()) expect(from.zxid).toBeLessThanOrEqual(to?.zxid ?? from.zxid);
    expect(state.to.zxid).toBe(14n);
  });

  it('is not undone by the end of a node that is there again', () => {
    const again = contender(1, 0x20n, { czxid: 12n });
    const state = stateOf([...begun, { type: 'node', at: at(12), node: again }, gone(1, 13)]);
    expect(all(state)).toEqual([`${first} 1 10 12 unknown before`, `${first} 12 12 -`]);
    expect(state.node(again.path)).toEqual(again);
  });

  it('of a node that could not be read is a contender without facts', () => {
    const unread = contender(11, 0n, { czxid: 0n, data: new Uint8Array(0), isUnread: true });
    const beside = stateOf([...begun, { type: 'node', at: at(11), node: unread }, gone(1, 13)]);
    expect(beside.holds().map(({ name, identifier }) => [name, identifier])).toEqual([
      ['lock-0000000001', 'client 1'],
      ['lock-0000000011', ''],
    ]);
  });

  it('too far below all that is known is left out', () => {
    const path = `/${'a/'.repeat(50_000)}lock-0000000001`;
    const state = stateOf([...begun, { type: 'node', at: at(12), node: contender(1, 1n, { path, czxid: 12n }) }]);
    expect(state.nodes).toBe(1);
  });
});

describe('a gap', () => {
  const again: readonly JournalEntry[] = [
    { type: 'begin', at: at(20) },
    node(1, 0x10n, 20),
    node(13, 0x10n, 20),
    { type: 'complete', at: at(21) },
  ];

  it('is between what was seen last and the end of the next list', () => {
    const state = stateOf([...begun, node(12), { type: 'alive', at: at(15) }, ...again]);
    expect(state.gaps).toEqual([{ from: at(15), to: at(21), why: 'not recorded' }]);
    expect(all(state)).toEqual([`${first} 1 10 - before`, `${second} 12 - 15 unknown`, `${third} 13 - - before`]);
  });

  it('lasts until there is a list', () => {
    const state = stateOf([...begun, { type: 'gap', at: at(15) }, node(12), { type: 'alive', at: at(18) }]);
    expect(state.gaps).toEqual([{ from: at(15), to: at(18), why: 'not recorded', lastsAtEnd: true }]);
    expect(all(state)).toEqual([`${first} 1 10 15 unknown before`]);
    expect([...state.state()]).toEqual([{ type: 'gap', at: at(18) }]);
    for (const entry of again) state.apply(entry);
    expect(state.gaps).toEqual([{ from: at(15), to: at(21), why: 'not recorded' }]);
    expect(all(state)[0]).toBe(`${first} 1 10 - before`);
  });

  it('is none before the first list', () => {
    const state = stateOf([node(12), { type: 'gap', at: at(1) }, ...begun]);
    expect(state.gaps).toEqual([]);
    expect(state.sureFrom).toEqual(at(10));
  });

  const goesOn = (zxid: number): JournalEntry => ({ type: 'begin', at: at(zxid), continues: true });

  it('is none where the state is repeated', () => {
    const state = stateOf([...begun, node(12)]);
    for (const entry of [...state.state()]) state.apply(entry);
    expect(state.gaps).toEqual([]);
    expect(all(state)).toEqual([`${first} 1 10 - before`, `${second} 12 - -`]);
  });

  it('is where a state goes on from another one: a file in between is missing', () => {
    const state = stateOf([...begun, node(12), goesOn(20), node(12), node(13), { type: 'complete', at: at(20) }]);
    expect(state.gaps).toEqual([{ from: at(12), to: at(20), why: 'not recorded' }]);
    expect(all(state)).toEqual([
      `${first} 1 10 12 unknown before`,
      `${second} 12 20 - before`,
      `${third} 13 - - before`,
    ]);
    expect(state.holds()[0]?.isEndUnseen).toBe(true);
  });

  it('is where the repeated state lacks a node', () => {
    const state = stateOf([...begun, node(12), goesOn(12), node(12), { type: 'complete', at: at(12) }]);
    expect(state.gaps).toEqual([{ from: at(12), to: at(12), why: 'damaged' }]);
    expect(state.holds()[0]).toMatchObject({ to: at(12), ended: 'unknown', isEndUnseen: true });
    expect(state.node(pathOf(1))).toBeUndefined();
  });

  it('begins where entries are missing; what is held goes on as another hold', () => {
    const state = stateOf([...begun, node(12)]);
    atOnce(state.doubting('damaged'));
    state.apply(gone(12, 15));
    expect(state.gaps).toEqual([{ from: at(12), to: at(15), why: 'damaged', lastsAtEnd: true }]);
    expect(state.holds().map(brief)).toEqual([`${first} 1 10 12 unknown before`, `${first} 1 12 - before`]);
    for (const entry of [...state.state()]) state.apply(entry);
    expect(state.gaps).toEqual([{ from: at(12), to: at(15), why: 'damaged' }]);
    expect(state.holds().map(brief)[1]).toBe(`${first} 1 12 - before`);
  });

  it('goes on where the list itself is torn', () => {
    const state = stateOf([...begun, ...again.slice(0, 2)]);
    atOnce(state.doubting('damaged'));
    for (const entry of again.slice(2)) state.apply(entry);
    expect(state.gaps).toEqual([{ from: at(10), to: at(21), why: 'not recorded', lastsAtEnd: true }]);
    expect(state.isFollowing).toBe(true);
  });
});

describe('what concerns locks', () => {
  const state = stateOf([...begun, { type: 'node', at: at(11), node: contender(2, 0n, { path: '/k/sem-__lock__' }) }]);

  it.each([
    [true, pathOf(7)],
    [true, `${lock}/stranger`],
    [true, '/app/_c_1a2b3c4d-0001-4000-8000-00000000000a-lock-0000000001'],
    [true, '/app/leader'],
    [true, '/app/locks/anything'],
    [true, '/k/sem-__lock__'],
    [true, lock],
    [false, '/config/database'],
    [false, '/brokers/ids/1'],
  ])('%s: %s', (expected, path) => {
    expect(state.concerns(path)).toBe(expected);
  });
});

describe('a state that keeps the newest only', () => {
  /** Of a deletion whose transaction is not known. */
  const later = (number: number): Moment => ({ ...at(number), time: number * 1_000 + 1 });

  it('does not grow', () => {
    const state = stateOf(begun, 100);
    for (let number = 100; number < 5_000; number++) {
      const owner = BigInt(number);
      const path = `/locks/job-${number}/lock-0000000001`;
      state.apply({ type: 'session', session: { id: owner, address: 'a' } });
      state.apply({ type: 'node', at: at(number), node: contender(1, owner, { path, czxid: owner }) });
      state.apply({ type: 'gone', at: later(number), path, czxid: owner });
      if (number % 5 === 0) state.apply({ type: 'gap', at: at(number) });
      if (number % 5 === 0) for (const entry of begun) state.apply(entry);
    }
    expect(state.nodes).toBe(1);
    expect(state.holds().length).toBeGreaterThan(90);
    expect(state.holds().length).toBeLessThan(300);
    expect(state.sessions().size).toBeLessThan(1_000);
    expect(state.locks().length).toBeLessThan(300);
    expect(state.gaps.length).toBeLessThanOrEqual(1_001);
  }, 30_000);

  it('still has who holds since long before, and its end', () => {
    const state = stateOf(begun, 5);
    for (let number = 20; number < 60; number++) {
      const path = `/locks/job/lock-${String(number).padStart(10, '0')}`;
      state.apply({ type: 'node', at: at(number), node: contender(number, 1n, { path }) });
      state.apply({ type: 'gone', at: later(number), path, czxid: BigInt(number) });
    }
    expect(state.holds().map(brief)[0]).toBe(`${first} 1 10 - before`);
    expect(state.holds(lock).map(brief)).toEqual([`${first} 1 10 - before`]);
    state.apply(gone(1, 70));
    state.apply(cause(1));
    expect(state.holds(lock).map(brief)).toEqual([`${first} 1 10 70 session expired before`]);
    expect(state.holds().length).toBe(6);
  });
});

describe('a single node without an owner', () => {
  const path = '/lease/lease_holder';
  const version = (number: number, by: string, fields: Partial<JournalNode> = {}): JournalEntry => {
    const zxid = 20 + number;
    const data = new TextEncoder().encode(JSON.stringify({ version: 1, holder: by, end: '2026-01-01T00:00:00' }));
    const written = { mzxid: BigInt(zxid), mtime: zxid * 1_000, version: number };
    return { type: 'node', at: at(zxid), node: contender(20, 0n, { path, data, ...written, ...fields }) };
  };
  const seen = (
    entries: readonly JournalEntry[],
  ): [string, bigint, bigint | undefined, string | undefined, boolean][] =>
    stateOf([...begun, ...entries])
      .holds('/lease')
      .map(({ identifier, from, to, ended, isEndUnseen }) => [
        identifier,
        from.zxid,
        to?.zxid,
        ended,
        isEndUnseen === true,
      ]);

  it('is held by one after the other', () => {
    expect(seen([version(0, 'a'), version(1, 'b')])).toEqual([
      ['a', 20n, 21n, 'overtaken', false],
      ['b', 21n, undefined, undefined, false],
    ]);
  });

  it('is not held until a write that was not the next one', () => {
    expect(seen([version(0, 'a'), version(2, 'c')])).toEqual([
      ['a', 20n, 20n, 'unknown', true],
      ['c', 22n, undefined, undefined, false],
    ]);
  });

  it('is not held from its creation by who is named in it later', () => {
    const unread = version(0, '', { isUnread: true, data: new Uint8Array(0) });
    expect(seen([unread, version(1, 'b')]).at(-1)).toEqual(['b', 21n, undefined, undefined, false]);
  });
});

describe('a state that begins a file', () => {
  it('has the newest of the sessions that live and own nothing', () => {
    const state = stateOf(begun);
    for (let number = 1; number <= 2_000; number++) {
      const id = 0x1000n + BigInt(number);
      const ended = number % 2 === 0 ? { ended: at(9) } : {};
      state.apply({ type: 'session', session: { id, address: `10.0.0.1:${number}`, ...ended } });
    }
    state.apply({ type: 'session', session: { id: 0x10n, address: '10.0.0.2:1' } });
    for (let number = 1; number <= 10; number++) {
      state.apply({ type: 'session', session: { id: 0x9000n + BigInt(number), address: '10.0.0.3:1' } });
    }
    const again = stateOf([...state.state()]);
    expect(again.sessions().size).toBe(1_001);
    expect(again.sessions().get(0x10n)?.address).toBe('10.0.0.2:1');
    expect(again.sessions().get(0x1002n)).toBeUndefined();
    expect(again.sessions().get(0x1001n)).toBeUndefined();
    expect(again.sessions().get(0x17cfn)?.address).toBe('10.0.0.1:1999');
  });
});

it('a long queue with a child that may not be read is recognised again in parts', () => {
  const unread = contender(3, 0n, { czxid: 0n, data: new Uint8Array(0), isUnread: true });
  const queue = Array.from({ length: 5_000 }, (_, at) => node(at + 100, 0x20n, 9));
  const list = [...begun.slice(0, 2), { type: 'node', at: at(9), node: unread } as const, ...queue];
  const state = stateOf([...list, { type: 'complete', at: at(9) }, node(6_000)]);
  let parts = 0;
  for (const work = state.applying(gone(1, 6_001)); work.next().done !== true;) parts++;
  expect(parts).toBeGreaterThan(3);
});
