import { describe, expect, it } from 'vitest';
import { deleteConsequences } from '../../../src/inspector/deleteConsequences.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';
import { queueOfNames, recogniseNames, recogniseQueues } from '../../../src/locks/recognition/recognise.ts';
import { turnOf } from '../../../src/locks/turn.ts';
import { brief, directory, type ChildSpec } from './directory.ts';

const digits = (n: number): string => String(n).padStart(10, '0');
const hex = (n: number): string => String(n % 10).repeat(32);
const go = (n: number): string => `_c_${hex(n)}-lock-${digits(n)}`;
const kazoo = (n: number, marker = '__lock__'): string => `${hex(n)}${marker}${digits(n)}`;
const curator = (n: number, marker = 'lock-'): string =>
  `_c_${hex(n).slice(0, 8)}-0001-4000-8000-00000000000a-${marker}${digits(n)}`;

function queues(...children: (ChildSpec | string)[]): LockQueue[] {
  return recogniseQueues(directory('/l', children));
}

function hazards({ hazards: all }: LockQueue): Record<string, string[]> {
  return Object.fromEntries(all.map(({ kind, names }) => [kind, names]));
}

describe('go-zookeeper beside kazoo', () => {
  it('is one queue by number, in which only the role of who may not see the others is in doubt', () => {
    const [queue, ...others] = queues(go(0), kazoo(1), go(2), kazoo(3));
    expect(others).toEqual([]);
    expect(queue?.dialect).toBe('go-zookeeper');
    expect(brief(queue!.contenders)).toEqual([
      `${go(0)}!`,
      `${kazoo(1)}>${go(0)}`,
      `${go(2)}>${kazoo(1)}`,
      `${kazoo(3)}>${go(2)}`,
    ]);
    expect(queue?.contenders.map(({ mayHold }) => mayHold)).toEqual([undefined, true, undefined, undefined]);
    expect(hazards(queue!)).toEqual({ 'sight-unknown': [kazoo(1)] });
  });

  it('behind kazoo is in no doubt: it counts every child', () => {
    const [queue] = queues(kazoo(0), go(1), kazoo(2));
    expect(brief(queue!.contenders)).toEqual([`${kazoo(0)}!`, `${go(1)}>${kazoo(0)}`, `${kazoo(2)}>${go(1)}`]);
    expect(hazards(queue!)).toEqual({});
  });

  it("waits for kazoo's readers, and they for it", () => {
    const [queue] = queues(kazoo(0, '__rlock__'), go(1), kazoo(2, '__rlock__'), kazoo(3));
    expect(brief(queue!.contenders)).toEqual([
      `${kazoo(0, '__rlock__')}!`,
      `${go(1)}>${kazoo(0, '__rlock__')}`,
      `${kazoo(2, '__rlock__')}>${go(1)}`,
      `${kazoo(3)}>${kazoo(2, '__rlock__')}`,
    ]);
    expect(queue?.contenders.map(({ kind }) => kind)).toEqual(['read', 'exclusive', 'read', 'write']);
    expect(hazards(queue!)).toEqual({ 'sight-unknown': [kazoo(2, '__rlock__')] });
  });

  it('passes the lock on in that order', () => {
    const [queue] = queues(go(0), kazoo(1), go(2));
    const facts = { now: 0 };
    const next = (name: string) => deleteConsequences(queue!, `/l/${name}`, facts)?.nextHolders.map(each => each.name);
    expect(next(go(0))).toEqual([kazoo(1)]);
    const [later] = queues(kazoo(1), go(2), kazoo(3));
    expect(deleteConsequences(later!, `/l/${kazoo(1)}`, facts)?.nextHolders.map(({ name }) => name)).toEqual([go(2)]);
  });

  it('is still no place for a test lock: neither would see the other for certain', () => {
    const names = [go(0), kazoo(1), go(2)];
    expect(queueOfNames('/l', names, go(2))?.contradictions).toEqual([kazoo(1)]);
    const own = queueOfNames('/l', names, kazoo(1));
    expect(own?.contradictions).toEqual([go(0), go(2)]);
    expect(turnOf(own!.entries, kazoo(1), own!.rule)).toEqual({
      holds: false,
      waitsFor: go(0),
      mayHold: true,
    });
  });

  it('stays apart from it where Curator has contenders, too', () => {
    expect(queues(go(0), kazoo(1), curator(2)).map(({ dialect }) => dialect)).toEqual(['curator', 'kazoo']);
  });
});

describe('go-zookeeper counts every child with a number', () => {
  it.each([
    ["Curator's readers", curator(0, '__READ__')],
    ["Curator's writers", curator(0, '__WRIT__')],
    ['DistributedLock.NET', 'lock-0000000000'],
    ['a number alone', digits(0)],
    ['an unknown one', 'my__0'],
  ])('%s', (_, other) => {
    const queue = queues({ name: other, owner: 7n }, go(1)).find(({ dialect }) => dialect === 'go-zookeeper')!;
    expect(brief(queue.contenders)).toEqual([`${go(1)}>${other}`]);
    expect(hazards(queue)['strangers-block']).toEqual([other]);
    expect(deleteConsequences(queue, queue.contenders[0]!.path, { now: 0 })?.nextHolders).toEqual([]);
  });

  it('and goes by it, not by the whole text', () => {
    const queue = queues({ name: 'my__5', owner: 0n }, go(1)).find(({ dialect }) => dialect === 'go-zookeeper')!;
    expect(brief(queue.contenders)).toEqual([`${go(1)}!`]);
    expect(hazards(queue)).toEqual({});
  });
});

describe('go-zookeeper beside a child without a number', () => {
  const stranger = { name: 'config', owner: 0n, czxid: 150n };

  it('does not hold: its attempt failed and left its node', () => {
    const [queue] = queues({ ...stranger, czxid: 1n }, go(0), go(1));
    expect(brief(queue!.contenders)).toEqual([`${go(0)}>`, `${go(1)}>`]);
    expect(hazards(queue!)).toEqual({ 'strangers-block': ['config'] });
  });

  it('holds if it was first before that child came, and passes the lock on to none', () => {
    const [queue] = queues({ name: go(0), czxid: 100n }, { name: go(1), czxid: 101n }, stranger, {
      name: go(2),
      czxid: 151n,
    });
    expect(brief(queue!.contenders)).toEqual([`${go(0)}!`, `${go(1)}>${go(0)}`, `${go(2)}>`]);
    expect(deleteConsequences(queue!, `/l/${go(0)}`, { now: 0 })?.nextHolders).toEqual([]);
  });

  it('holds again once that child is gone', () => {
    const children = directory('/l', [go(0), stranger]).children;
    const self = directory('/l', []);
    const role = (nodes: typeof children) => recogniseQueues({ ...self, children: nodes })[0]?.contenders[0]?.role;
    const failed = { ...children[1]!, czxid: 1n };
    expect(role([children[0]!, failed])).toBe('waiter');
    expect(role([children[0]!])).toBe('holder');
  });

  it("is the same beside kazoo's contenders, which see neither", () => {
    const [queue] = queues({ ...stranger, czxid: 1n }, kazoo(0), go(1), kazoo(2));
    expect(brief(queue!.contenders)).toEqual([`${kazoo(0)}!`, `${go(1)}>`, `${kazoo(2)}>${go(1)}`]);
  });
});

describe('kazoo', () => {
  it.each(['backup__lock__', '__lock__', 'host-1.example.org__rlock__', 'lock-7__lock__'])(
    'counts a name that begins with anything: %s',
    stem => {
      const [queue, ...others] = queues(kazoo(0), `${stem}0000000001`);
      expect([queue?.dialect, others]).toEqual(['kazoo', []]);
      expect(brief(queue!.contenders)).toEqual([`${kazoo(0)}!`, `${stem}0000000001>${kazoo(0)}`]);
    },
  );

  it('needs the whole marker', () => {
    const [queue, ...others] = queues(kazoo(0), { name: 'a_lock__0000000001', owner: 0n });
    expect([queue?.contenders.length, others.length]).toEqual([1, 0]);
  });

  it('takes each item of a LockingQueue for a lock of its own', () => {
    const taken = directory('/q/taken', [
      { name: 'entry-100-0000000000', data: 'a'.repeat(32) },
      { name: 'entry-100-0000000001', data: 'b'.repeat(32) },
    ]);
    const all = recogniseQueues(taken);
    expect(all.map(({ path, dialect, hazards: each }) => [path, dialect, each])).toEqual([
      ['/q/taken/entry-100-0000000000', 'exclusive-node', []],
      ['/q/taken/entry-100-0000000001', 'exclusive-node', []],
    ]);
    expect(all.flatMap(({ contenders }) => contenders.map(({ role, identifier }) => [role, identifier]))).toEqual([
      ['holder', 'a'.repeat(32)],
      ['holder', 'b'.repeat(32)],
    ]);
  });

  it('finds them by their own paths, and no lock in the items that wait', () => {
    expect(recogniseNames('/q/taken/entry-100-0000000000', [])).toMatchObject([{ dialect: 'exclusive-node' }]);
    expect(recogniseNames('/q/taken', ['entry-100-0000000000', 'entry-100-0000000001'])).toEqual([]);
    expect(recogniseNames('/q/entries', ['entry-100-0000000000'])).toEqual([]);
  });
});
