import { describe, expect, it } from 'vitest';
import { standingOf, waitingBehind, partiesOf } from '../../../../src/app/sessions/sessionStanding.ts';
import { atOnce } from '../../../../src/base/interruptible.ts';
import { BlockerIndex } from '../../../../src/inspector/blockers/blockerIndex.ts';
import { mutex, noon, ownersOf } from './sessionQueues.ts';

const session = (id: bigint) => ({ kind: 'session', id }) as const;
const known = new Set([1n, 2n, 3n, -1n]);

describe('what a session page shows of a session', () => {
  const payment = mutex({ path: '/orders/payment', sessions: [1n, 2n, 3n] });
  const refund = mutex({ path: '/orders/refund', sessions: [3n, 1n] });
  const other = mutex({ path: '/orders/other', sessions: [7n, 8n] });

  it('has what it holds before what it waits for, with position and whom it waits for', () => {
    const { places, sessions } = atOnce(standingOf(session(1n), [refund, payment, other], undefined));
    expect(places.map(({ queue, position, ahead }) => [queue.path, position, ahead?.contender.ownerSession])).toEqual([
      ['/orders/payment', 1, undefined],
      ['/orders/refund', 2, 3n],
    ]);
    expect(sessions).toEqual([
      { id: 1n, status: { session: 1n, alive: 'unknown' }, identifiers: ['worker-1'], holds: 1, waits: 1 },
    ]);
  });

  it('foretells who gets its locks, those that it holds first', () => {
    const { endings } = atOnce(standingOf(session(1n), [refund, payment], undefined));
    expect(
      endings.map(({ queue, isHolder, next }) => [queue.path, isHolder, next.map(({ ownerSession }) => ownerSession)]),
    ).toEqual([
      ['/orders/payment', true, [2n]],
      ['/orders/refund', false, []],
    ]);
  });

  it('is there with nothing once it has no node: it may have vanished', () => {
    expect(atOnce(standingOf(session(9n), [payment], undefined))).toMatchObject({
      sessions: [{ id: 9n, identifiers: [], holds: 0, waits: 0 }],
      places: [],
      endings: [],
    });
  });

  it('counts each session that waits directly for it once', () => {
    const index = new BlockerIndex();
    atOnce(index.update([payment, refund, mutex({ path: '/x', sessions: [1n, 2n] })]));
    expect(atOnce(waitingBehind(index, atOnce(partiesOf([1n]))))).toBe(2);
    expect(atOnce(waitingBehind(index, atOnce(partiesOf([9n]))))).toBe(0);
  });

  it('may be interrupted after each queue: there may be thousands', () => {
    const queues = Array.from({ length: 50 }, (_, at) => mutex({ path: `/l/${at}`, sessions: [1n, 2n] }));
    expect([...standingOf(session(1n), queues, undefined)].length).toBeGreaterThanOrEqual(2 * queues.length);
  });

  it('takes ids as signed numbers: the highest bit is part of an id', () => {
    const queue = mutex({ path: '/a', sessions: [-1n, 2n] });
    const index = new BlockerIndex();
    atOnce(index.update([queue]));
    expect(atOnce(partiesOf([-1n]))).toEqual(new Set(['session 0xffffffffffffffff']));
    expect([
      atOnce(waitingBehind(index, atOnce(partiesOf([-1n])))),
      atOnce(standingOf(session(-1n), [queue], undefined)).places,
    ]).toMatchObject([1, [{ position: 1 }]]);
  });
});

describe('whether a session lives', () => {
  const queue = mutex({ path: '/a', sessions: [1n, 2n] });
  const aliveOf = (id: bigint, owners = ownersOf({ 1: '10.0.0.1:4000' }), of = known): string | undefined =>
    atOnce(standingOf(session(id), [queue], { owners, known: of })).sessions[0]?.status.alive;

  it('is known where a server lists it, or where the leader does not', () => {
    expect([aliveOf(1n), aliveOf(2n)]).toEqual(['yes', 'no']);
  });

  it('is not known by a list of a follower, nor for a session that came after the question', () => {
    const live = { ids: new Set([1n]), listedBy: 'follower', server: 'zk2:2181' } as const;
    expect(aliveOf(2n, ownersOf({ 1: '10.0.0.1:4000' }, { live }))).toBe('unknown');
    expect(aliveOf(2n, undefined, new Set([1n]))).toBe('unknown');
  });
});

describe('all sessions of an address', () => {
  const queues = [mutex({ path: '/a', sessions: [1n, 2n, 3n] }), mutex({ path: '/b', sessions: [2n, 4n] })];
  const idsOf = (address: string, fields = {}): bigint[] => {
    const owners = ownersOf({ 1: '10.0.0.1:4000', 2: '10.0.0.1:4001', 3: '[2001:DB8::1]:4000', 4: '10.0.0.2:1' }, fields); // prettier-ignore
    return atOnce(standingOf({ kind: 'address', address }, queues, { owners, known })).sessions.map(({ id }) => id);
  };

  it('are those that servers list with its host, whatever their port', () => {
    expect([idsOf('10.0.0.1'), idsOf('2001:db8::1'), idsOf('[2001:db8::1]:7'), idsOf('10.0.0.9')]).toEqual([
      [1n, 2n],
      [3n],
      [3n],
      [],
    ]);
  });

  it('include recorded ones that have nodes or are alive, unless a server lists them elsewhere', () => {
    const address = '10.0.0.1:5000';
    const recorded = new Map([4n, 5n, 6n].map(id => [id, { address }]));
    const live = { ids: new Set([6n]), listedBy: 'leader', server: 'zk1:2181' } as const;
    expect(idsOf('10.0.0.1', { recorded, live })).toEqual([1n, 2n, 6n]);
  });

  it('are not known before the servers were asked', () => {
    expect(atOnce(standingOf({ kind: 'address', address: '10.0.0.1' }, queues, undefined))).toMatchObject({
      sessions: [],
      places: [],
      endings: [],
    });
  });

  it('end together: a lock that two of them hold or wait for goes to the first of the others', () => {
    const owners = ownersOf({ 1: '10.0.0.1:4000', 2: '10.0.0.1:4001' });
    const { endings } = atOnce(standingOf({ kind: 'address', address: '10.0.0.1' }, queues, { owners, known }));
    expect(endings.map(({ next }) => next.map(({ ownerSession }) => ownerSession))).toEqual([[3n], [4n]]);
  });
});

describe('all nodes of an identifier', () => {
  it('include those without a session, which do not end', () => {
    const named = { identifier: 'nightly' };
    const queues = [
      mutex({ path: '/a', sessions: [undefined, 2n] }),
      mutex({ path: '/b', sessions: [1n, 2n], contender: named }),
    ];
    const standing = atOnce(standingOf({ kind: 'identifier', identifier: 'nightly' }, queues, undefined));
    expect(standing.sessions.map(({ id }) => id)).toEqual([1n, 2n]);
    expect(standing.places.map(({ queue, contender }) => [queue.path, contender.ownerSession])).toEqual([
      ['/a', 0n],
      ['/b', 1n],
      ['/a', 2n],
      ['/b', 2n],
    ]);
    expect(standing.endings.map(({ queue, isHolder }) => [queue.path, isHolder])).toEqual([
      ['/b', true],
      ['/a', false],
    ]);
  });

  it('leave out nodes that may not be read: their owner is not known', () => {
    const queue = mutex({
      path: '/a',
      sessions: [undefined],
      contender: { identifier: 'nightly', isUnread: true, ownerSession: 0n },
    });
    expect(atOnce(standingOf({ kind: 'identifier', identifier: 'nightly' }, [queue], undefined)).sessions).toEqual([]);
  });
});

describe('its watches', () => {
  it('are those on its nodes and locks, as far as servers list them', () => {
    const [a, b] = [mutex({ path: '/a', sessions: [1n, 2n] }), mutex({ path: '/b', sessions: [3n] })];
    const watched = a.contenders[0]?.path ?? '';
    const watchers = new Map([
      [watched, new Set([2n])],
      ['/config', new Set([2n, 9n])],
      ['/b', new Set([9n])],
    ]);
    const watches = { watchers, isComplete: false, sources: [], askedAt: noon };
    const standing = atOnce(standingOf(session(2n), [a, b], { owners: ownersOf({}), watches, known }));
    expect(standing.watches).toEqual({ nodes: 2, locks: [a], isComplete: false, askedAt: noon });
  });
});
