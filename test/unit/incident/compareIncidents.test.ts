import { describe, expect, it } from 'vitest';
import { comparisonReport } from '../../../src/extension/words/comparisonText.ts';
import { compareIncidents } from '../../../src/incident/compareIncidents.ts';
import type { DeadlockFact, IncidentFacts, IncidentHeader, IncidentMark } from '../../../src/incident/incident.ts';
import type { Contender, LockQueue } from '../../../src/locks/lockQueue.ts';
import { textReport } from '../../../src/base/textReport.ts';
import { header } from './incidentUnderTest.ts';

function contender(id: number, role: Contender['role']): Contender {
  const name = `lock-000000000${String(id)}`;
  return {
    name,
    path: `/locks/a/${name}`,
    kind: 'exclusive',
    role,
    sequence: id,
    ownerSession: BigInt(id),
    czxid: BigInt(100 + id),
    createdAt: 1_000 * id,
    identifier: `client-${String(id)}`,
  };
}

function queue(path: string, holders: readonly number[], waiters: readonly number[]): LockQueue {
  return {
    path,
    dialect: 'curator',
    contenders: [...holders.map(id => contender(id, 'holder')), ...waiters.map(id => contender(id, 'waiter'))],
    strangers: [],
    hazards: [],
  };
}

function file(
  time: number,
  queues: readonly LockQueue[],
  more: {
    marks?: [string, IncidentMark[]][];
    deadlocks?: DeadlockFact[];
    scope?: IncidentHeader['scope'];
    header?: Partial<IncidentHeader>;
  } = {},
): { header: IncidentHeader; facts: IncidentFacts } {
  const at = { zxid: BigInt(time), time };
  const { marks = [], deadlocks = [], scope = { kind: 'cluster', paths: ['/'] } } = more;
  return {
    header: { ...header, version: '1.0', span: { from: at, to: at }, scope, ...more.header },
    facts: {
      queues: queues.map(each => ({ queue: each, marks: new Map(marks) })),
      owners: new Map(
        queues
          .flatMap(({ contenders }) => contenders)
          .map(({ ownerSession }) => [ownerSession, { session: ownerSession, alive: 'yes' as const }]),
      ),
      stale: [],
      deadlocks,
      explanations: [],
    },
  };
}

const ids = (all: readonly Contender[]): string[] => all.map(({ identifier }) => identifier);

describe('two incident files', () => {
  it('say who took over, who came, left and still waits', () => {
    const before = file(10_000, [queue('/locks/a', [1], [2, 3, 4])]);
    const after = file(70_000, [queue('/locks/a', [2], [4, 5])]);
    const { locks, earlier, sessionsNew } = compareIncidents(after, before);
    expect(earlier.span.to.time).toBe(10_000);
    expect(locks).toHaveLength(1);
    const { kind, hasOtherHolders, before: held, after: holds, gotIt, came, left, stillWaiting } = locks[0]!;
    expect({ kind, hasOtherHolders }).toEqual({ kind: 'changed', hasOtherHolders: true });
    expect([held, holds, gotIt, came, left, stillWaiting].map(ids)).toEqual([
      ['client-1'],
      ['client-2'],
      ['client-2'],
      ['client-5'],
      ['client-3'],
      ['client-4'],
    ]);
    expect(sessionsNew.map(({ session }) => session)).toEqual([5n]);
  });

  it('know a waiter of a semaphore by its session, where its lease is another node', () => {
    const lease = (id: number, role: Contender['role'], session: number): Contender => ({
      ...contender(id, role),
      kind: 'lease',
      ownerSession: BigInt(session),
    });
    const semaphore = (contenders: Contender[]): LockQueue => ({ ...queue('/locks/s', [], []), contenders });
    const before = semaphore([
      lease(1, 'holder', 1),
      lease(2, 'waiter', 2),
      lease(3, 'waiter', 2),
      lease(4, 'waiter', 4),
    ]);
    const after = semaphore([lease(1, 'holder', 1), lease(12, 'holder', 2), lease(15, 'holder', 5)]);
    const { gotIt, left } = compareIncidents(file(1, [before]), file(2, [after])).locks[0]!;
    expect([gotIt, left].map(ids)).toEqual([['client-12'], ['client-3', 'client-4']]);
  });

  it('tell a node that was made again under its name from the one before', () => {
    const again = queue('/locks/a', [1], []);
    again.contenders = again.contenders.map(each => ({ ...each, czxid: 900n }));
    const { locks } = compareIncidents(file(1, [queue('/locks/a', [1], [])]), file(2, [again]));
    expect(locks[0]).toMatchObject({ kind: 'changed', hasOtherHolders: true });
  });

  it('name locks that appeared, are gone or stayed, and leave out what one file is not about', () => {
    const before = file(1, [queue('/locks/a', [1], [2]), queue('/locks/b', [], [])]);
    const after = file(2, [queue('/locks/a', [1], [2]), queue('/locks/c', [], [])]);
    const kinds = (change: { path: string; kind: string }): string => `${change.path} ${change.kind}`;
    expect(compareIncidents(before, after).locks.map(kinds)).toEqual([
      '/locks/c appeared',
      '/locks/b gone',
      '/locks/a same',
    ]);
    const ofOne = file(2, [queue('/locks/a', [1], [2])], { scope: { kind: 'lock', paths: ['/locks/a'] } });
    const compared = compareIncidents(before, ofOne);
    expect(compared.locks.map(kinds)).toEqual(['/locks/a same']);
    expect(compared.notCompared).toBe(1);
  });

  it('name marks and cycles that are new or solved', () => {
    const path = contender(1, 'holder').path;
    const cycle = (one: bigint, other: bigint): DeadlockFact => ({
      isLasting: true,
      ageMs: 60_000,
      steps: [
        { path: '/locks/a', waiter: '/a/1', blocker: '/a/0', waiterSession: one, blockerSession: other },
        { path: '/locks/b', waiter: '/b/1', blocker: '/b/0', waiterSession: other, blockerSession: one },
      ],
    });
    const before = file(1, [queue('/locks/a', [1], [])], {
      marks: [[path, ['stale']]],
      deadlocks: [cycle(1n, 2n), cycle(5n, 6n)],
    });
    const after = file(2, [queue('/locks/a', [1], [])], {
      marks: [[path, ['longHeld']]],
      deadlocks: [cycle(3n, 4n), cycle(6n, 5n)],
    });
    const found = compareIncidents(before, after);
    expect(found.locks[0]?.newMarks.map(({ marks }) => marks)).toEqual([['longHeld']]);
    expect(found.locks[0]?.solvedMarks.map(({ marks }) => marks)).toEqual([['stale']]);
    expect([found.deadlocksNew, found.deadlocksSolved, found.deadlocksLasting].map(({ length }) => length)).toEqual([
      1, 1, 1,
    ]);
  });

  describe('of which one is about less', () => {
    const cycle: DeadlockFact = {
      isLasting: true,
      ageMs: 60_000,
      steps: [
        { path: '/locks/a', waiter: '/a/1', blocker: '/a/0', waiterSession: 1n, blockerSession: 2n },
        { path: '/locks/b', waiter: '/b/1', blocker: '/b/0', waiterSession: 2n, blockerSession: 1n },
      ],
    };
    const whole = (time: number) =>
      file(time, [queue('/locks/a', [1], [2]), queue('/locks/b', [3], [4])], { deadlocks: [cycle] });
    const ofOne = (time: number) =>
      file(time, [queue('/locks/a', [1], [2])], { scope: { kind: 'lock', paths: ['/locks/a'] } });

    it('do not say that a cycle has ended that goes through other locks', () => {
      const found = compareIncidents(whole(1), ofOne(2));
      expect([found.deadlocksSolved, found.deadlocksNotCompared]).toEqual([[], 1]);
      expect(textReport(comparisonReport(found))).toContain('Cycles of waits through locks that are not compared: 1');
      expect(compareIncidents(ofOne(1), whole(2))).toMatchObject({ deadlocksNew: [], deadlocksNotCompared: 1 });
    });

    it('do not call sessions new that wait at other locks', () => {
      expect(compareIncidents(ofOne(1), whole(2)).sessionsNew).toEqual([]);
    });

    it('do not call locks gone that may not have been found', () => {
      const kinds = (more: Partial<IncidentHeader>): string[] =>
        compareIncidents(whole(1), file(2, [queue('/locks/a', [1], [2])], { header: more })).locks.map(
          ({ path, kind }) => `${path} ${kind}`,
        );
      expect(kinds({})).toEqual(['/locks/b gone', '/locks/a same']);
      expect(kinds({ notSearched: ['/locks/bc'] })).toEqual(['/locks/b gone', '/locks/a same']);
      expect(kinds({ notSearched: ['/locks/b'] })).toEqual(['/locks/a same']);
      expect(kinds({ notRead: ['/locks/b'] })).toEqual(['/locks/a same']);
      expect(kinds({ isSearchCut: true })).toEqual(['/locks/a same']);
    });
  });

  describe('of which one is redacted', () => {
    const hidden = (time: number, salt: string, holder = 1) => {
      const path = `/n-${salt}/n-${salt}a`;
      return file(time, [queue(path, [holder], [2]), queue(`/n-${salt}/n-${salt}b`, [], [])], {
        header: { redacted: true, redaction: 'names', cluster: { name: `id-${salt}`, environment: '' } },
        scope: { kind: 'cluster', paths: [`/n-${salt}`] },
      });
    };

    it('are compared by the clients of both, and no lock is called gone or new', () => {
      for (const first of [hidden(1, '1'), file(1, [queue('/locks/a', [1], [2]), queue('/locks/b', [], [])])]) {
        const found = compareIncidents(first, hidden(2, '2', 3));
        expect(found.locks.map(({ path, kind }) => [path, kind])).toEqual([
          [first.facts.queues[0]!.queue.path, 'changed'],
        ]);
        expect([ids(found.locks[0]!.stillWaiting), found.notCompared]).toEqual([['client-2'], 2]);
        const text = textReport(comparisonReport(found));
        expect(text).toContain('Locks that are not compared: 2');
        expect(text).toContain('Redacted');
        expect(text).not.toContain('different clusters');
      }
    });

    it('have the same paths where only who is replaced', () => {
      const who = { header: { redacted: true, redaction: 'who' as const } };
      const found = compareIncidents(file(1, [queue('/locks/a', [1], []), queue('/locks/b', [], [])], who), file(2, [queue('/locks/a', [1], [])], who)); // prettier-ignore
      expect(found.locks.map(({ path, kind }) => `${path} ${kind}`)).toEqual(['/locks/b gone', '/locks/a same']);
      expect(textReport(comparisonReport(found))).toContain('Redacted');
    });
  });

  it('do not say that no client holds where the holder may not be read', () => {
    const unread = { ...queue('/locks/a', [], [2]), hazards: [{ kind: 'unreadable' as const, names: ['x'] }] };
    const [known, unknown] = [queue('/locks/a', [1], [2]), unread];
    const text = (one: LockQueue, other: LockQueue): string =>
      textReport(comparisonReport(compareIncidents(file(1, [one]), file(2, [other]))));
    expect(text(known, unknown)).toContain('Held by client-1, who holds now is not known');
    expect(text(unknown, known)).toContain('Who held is not known, now held by client-1');
    expect(text(known, unknown) + text(unknown, known)).not.toContain('no client');
  });

  it('are put into words', () => {
    const before = file(10_000, [queue('/locks/a', [1], [2, 3]), queue('/locks/b', [7], [8])]);
    const after = file(70_000, [queue('/locks/a', [2], [5]), queue('/locks/b', [7], [8])]);
    const text = textReport(comparisonReport(compareIncidents(before, after)));
    expect(text).toContain('Changed at 1 of 2 locks');
    expect(text).toContain('Held by client-1, now by client-2');
    expect(text).toContain('Came and wait: 1');
    expect(text).toContain('Left the queue: 1');
    expect(text).toMatch(/\/locks\/b: 1 still wait/);
  });
});
