import { describe, expect, it } from 'vitest';
import { Contacts } from '../../../../src/app/recorder/contacts.ts';
import { KnownTransactions, type KnownDeed } from '../../../../src/app/recorder/knownTransactions.ts';
import { LastOperations } from '../../../../src/app/recorder/lastOperations.ts';
import { QuestionBudget } from '../../../../src/app/recorder/questionBudget.ts';
import { SessionLists, type SessionList } from '../../../../src/app/recorder/sessionLists.ts';
import type { OwnerConnection } from '../../../../src/inspector/owners/ownerFacts.ts';

const connection = (name: string, zxid: bigint, at: number, latencyMs = 0): OwnerConnection => ({
  address: '10.0.0.1:1',
  server: 's',
  timeoutMs: 10_000,
  last: { name, zxid, at, latencyMs },
});

const list = (askedAt: number, ids: readonly bigint[], rest: Partial<SessionList> = {}): SessionList => ({
  server: 's',
  askedAt,
  answeredAt: askedAt + 5,
  ids: new Set(ids),
  areGlobal: true,
  expired: 0,
  zxid: BigInt(askedAt),
  ...rest,
});

const only = (zxid: bigint) => ({ first: zxid, last: zxid });

describe('transactions that are known', () => {
  it('show whether a node went with the end of its session', () => {
    const known = new KnownTransactions();
    known.note(5n, 1n);
    expect(known.isDeletedByEnd(only(5n), 5n, 1n)).toBe(true);
    expect(known.isDeletedByEnd(only(5n), 6n, 1n)).toBe(false);
    known.note(6n, 'wrote');
    expect(known.isDeletedByEnd(only(5n), 6n, 1n)).toBe(true);
    known.note(7n, 2n);
    expect(known.isDeletedByEnd(only(5n), 7n, 1n)).toBe(true);
    // A node of the same session: its end can be that transaction too.
    known.note(8n, 1n);
    expect(known.isDeletedByEnd(only(5n), 8n, 1n)).toBe(false);
  });

  it('do not take the end for a deletion of before, by another session', () => {
    const known = new KnownTransactions();
    known.note(5n, 'deleted');
    expect(known.isDeletedByEnd(only(5n), 6n, 1n)).toBe(false);
    // One transaction deleted nodes of two sessions: it ended none of them.
    known.note(8n, 1n);
    known.note(8n, 2n);
    expect(known.isDeletedByEnd(only(8n), 9n, 1n)).toBe(false);
    expect(known.isDeletedByEnd(only(8n), 8n, 1n)).toBe(false);
  });

  it('leave one of several that can have deleted a node, or not', () => {
    const known = new KnownTransactions();
    known.note(5n, 'wrote');
    expect(known.deletionWithin({ first: 5n, last: 6n })).toBe(6n);
    expect(known.isDeletedByEnd({ first: 5n, last: 6n }, 6n, 1n)).toBe(true);
    expect(known.deletionWithin({ first: 5n, last: 7n })).toBeUndefined();
    expect(known.isDeletedByEnd({ first: 5n, last: 7n }, 7n, 1n)).toBe(false);
    known.note(6n, 'deleted');
    // It went at 6 by another one, or at 7 with its session.
    expect(known.isDeletedByEnd({ first: 5n, last: 7n }, 7n, 1n)).toBe(false);
    expect(known.isDeletedByEnd({ first: 7n, last: 9n }, 7n, 1n)).toBe(true);
  });

  it('do not delete a second node where they are single deletes', () => {
    const known = new KnownTransactions();
    const within = { first: 5n, last: 6n };
    known.note(6n, 'deleted-one');
    expect(known.deletionWithin(within)).toBeUndefined();
    known.note(6n, 2n);
    expect(known.deletionWithin(within)).toBe(5n);
    known.note(6n, 'deleted-one');
    expect(known.deletionWithin(within)).toBe(5n);
    // Two nodes are no single delete: what the server said of it is not to be relied on.
    known.note(6n, 3n);
    expect(known.deletionWithin(within)).toBeUndefined();
    known.note(5n, 2n);
    known.note(5n, 'deleted');
    expect(known.isDeletedByEnd({ first: 5n, last: 5n }, 6n, 2n)).toBe(false);
  });

  describe('show by their number that a node went with its session', () => {
    const vanished = (ids: readonly bigint[], first: bigint, last: bigint) => ({
      ids: new Set(ids),
      within: { first, last },
    });
    const known = (...deeds: readonly [bigint, KnownDeed][]) => {
      const all = new KnownTransactions();
      for (const [zxid, deed] of deeds) all.note(zxid, deed);
      return all;
    };

    it('no more can have ended a session than sessions went', () => {
      const of = known([4n, 'wrote'], [5n, 1n], [7n, 2n]);
      expect(of.isDeletedByOneOfEnds(only(5n), vanished([1n, 2n, 3n], 4n, 7n))).toBe(true);
      expect(of.isDeletedByEnd(only(5n), 7n, 1n)).toBe(false);
      // 6 and 8 may be the ends of 1 and 3, and 5 a release.
      expect(of.isDeletedByOneOfEnds(only(5n), vanished([1n, 2n, 3n], 4n, 8n))).toBe(false);
      expect(of.isDeletedByOneOfEnds(only(5n), vanished([1n, 2n], 4n, 7n))).toBe(false);
    });

    it('what deleted a node of a session that lives is no end', () => {
      const of = known([5n, 1n], [6n, 9n]);
      expect(of.isDeletedByOneOfEnds(only(5n), vanished([1n], 5n, 6n))).toBe(true);
      expect(of.isDeletedByOneOfEnds(only(6n), vanished([1n], 5n, 6n))).toBe(false);
    });

    it('where it is not known which one it was, all that can have deleted it are ends', () => {
      const of = known([4n, 'wrote'], [6n, 2n]);
      expect(of.isDeletedByOneOfEnds({ first: 4n, last: 6n }, vanished([1n, 2n], 4n, 6n))).toBe(true);
      of.note(7n, 'deleted-one');
      expect(of.isDeletedByOneOfEnds({ first: 4n, last: 7n }, vanished([1n, 2n], 4n, 7n))).toBe(false);
    });

    it('what came before or behind them proves nothing', () => {
      const of = known([5n, 1n]);
      expect(of.isDeletedByOneOfEnds(only(5n), vanished([1n], 6n, 6n))).toBe(false);
      expect(of.isDeletedByOneOfEnds({ first: 5n, last: 9n }, vanished([1n], 5n, 5n))).toBe(false);
      expect(of.isDeletedByOneOfEnds(only(5n), vanished([1n], 5n, 1n << 32n))).toBe(false);
    });
  });

  it('are not gone through over an election', () => {
    const known = new KnownTransactions();
    expect(known.isDeletedByEnd(only(5n), (1n << 32n) + 5n, 1n)).toBe(false);
    expect(known.deletionWithin({ first: 5n, last: (1n << 32n) + 5n })).toBeUndefined();
  });
});

describe('last operations', () => {
  it('name who made a transaction, and which ended no session', () => {
    const known = new KnownTransactions();
    const operations = new LastOperations();
    operations.note(
      new Map([
        [1n, connection('DELE', 5n, 0)],
        [2n, connection('PING', 6n, 0)],
        [3n, connection('CREA', 7n, 0)],
      ]),
      known,
      true,
    );
    expect([5n, 6n, 7n].map(zxid => operations.authorsOf(zxid))).toEqual([
      [{ session: 1n, operation: 'DELE' }],
      [],
      [],
    ]);
    // Not 5, which has an author, nor 7, which deleted nothing.
    expect(known.isDeletedByEnd(only(8n), 8n, 9n)).toBe(true);
    expect(known.isDeletedByEnd({ first: 7n, last: 8n }, 8n, 9n)).toBe(true);
    expect(known.isDeletedByEnd({ first: 5n, last: 8n }, 8n, 9n)).toBe(false);
  });

  it('that are not known may have ended a session', () => {
    const known = new KnownTransactions();
    new LastOperations().note(new Map([[1n, connection('NA', 6n, 0)]]), known, true);
    expect(known.isDeletedByEnd({ first: 6n, last: 7n }, 7n, 9n)).toBe(false);
  });

  it('do not show that a transaction began a session where sessions may be local', () => {
    const begun = new Map([[1n, connection('SESS', 6n, 0)]]);
    const known = new KnownTransactions();
    new LastOperations().note(begun, known, false);
    // 6 may be the end of 9, behind a deletion by another one.
    expect(known.isDeletedByEnd(only(5n), 6n, 9n)).toBe(false);
    new LastOperations().note(begun, known, true);
    expect(known.isDeletedByEnd(only(5n), 6n, 9n)).toBe(true);
  });
});

describe('contacts', () => {
  it('count from the question before the answer that changed', () => {
    const contacts = new Contacts();
    contacts.note('s', new Map([[1n, connection('PING', 1n, 100)]]), 1_000);
    expect(contacts.cannotExpireBefore(1n, 1_001, 's')).toBe(false);
    contacts.note('s', new Map([[1n, connection('PING', 1n, 100)]]), 4_000);
    expect(contacts.cannotExpireBefore(1n, 1_001, 's')).toBe(false);
    contacts.note('s', new Map([[1n, connection('PING', 1n, 200, 500)]]), 7_000);
    // In contact since 4,000 less the 500 that its request may have waited.
    expect(contacts.cannotExpireBefore(1n, 13_200, 's')).toBe(true);
    expect(contacts.cannotExpireBefore(1n, 13_400, 's')).toBe(false);
  });

  it('are not made up by two servers that list the same session', () => {
    const contacts = new Contacts();
    for (let now = 0; now < 60_000; now += 1_000) {
      // The first one has not noticed yet that its client went to the other.
      contacts.note('a', new Map([[1n, connection('PING', 1n, 100)]]), now);
      contacts.note('b', new Map([[1n, connection('PING', 1n, 200)]]), now + 1);
    }
    expect(['a', 'b'].map(leader => contacts.cannotExpireBefore(1n, 50_000, leader))).toEqual([false, false]);
  });

  it('of a follower do not keep a session alive', () => {
    const contacts = new Contacts();
    contacts.note('a', new Map([[1n, connection('PING', 1n, 100)]]), 0);
    contacts.note('b', new Map(), 0);
    contacts.note('b', new Map([[1n, connection('PING', 1n, 200)]]), 20_000);
    contacts.note('b', new Map([[1n, connection('PING', 1n, 300)]]), 24_000);
    contacts.note('a', new Map([[1n, connection('PING', 1n, 100)]]), 25_000);
    // Cut off from the leader, b goes on to answer its clients.
    expect(contacts.cannotExpireBefore(1n, 29_000, 'a')).toBe(false);
    expect(contacts.cannotExpireBefore(1n, 29_000, 'b')).toBe(true);
  });

  it('of sessions that are gone are forgotten', () => {
    const contacts = new Contacts();
    contacts.note('a', new Map([[1n, connection('PING', 1n, 100)]]), 0);
    contacts.note('a', new Map(), 9_000);
    expect(contacts.timeoutOf(1n)).toBe(10_000);
    contacts.note('a', new Map(), 11_000);
    expect(contacts.timeoutOf(1n)).toBeUndefined();
  });
});

describe('lists of sessions', () => {
  const lists = (...all: readonly SessionList[]) => {
    const kept = new SessionLists();
    kept.shortestTimeoutMs = 4_000;
    for (const each of all) kept.note(each);
    return kept;
  };

  const end = { how: 'closed', server: 's', answeredAt: 305, zxid: 300n, vanished: [] };

  it('show that a session closed where none ran out', () => {
    const kept = lists(list(100, [1n, 2n]), list(200, [1n, 2n]), list(300, [1n]));
    expect(kept.endsOf(2n, 250, 250n)).toEqual([end]);
    expect(kept.endsOf(1n, 250, 250n)[0]).toBeUndefined();
    expect(kept.endsOf(2n, 350, 250n)[0]).toBeUndefined();
    expect(kept.endsOf(2n, 250, 350n)[0]).toBeUndefined();
  });

  it('show from which transaction on one is over that ran out: later than the list', () => {
    const kept = lists(list(100, [1n, 2n]), list(200, [1n], { zxid: 200n, settledZxid: 207n }));
    expect(kept.endsOf(2n, 150, 150n)[0]).toMatchObject({ zxid: 200n, settledZxid: 207n });
  });

  it('are known of once there is one, until a restart', () => {
    const kept = lists();
    expect(kept.areKnown).toBe(false);
    kept.note(list(100, [1n]));
    expect(kept.areKnown).toBe(true);
    kept.restart();
    expect(kept.areKnown).toBe(false);
  });

  it('show that one closed that began and ended between two of them', () => {
    const kept = lists(list(100, [1n]), list(200, [1n]), list(300, [1n]));
    expect(kept.endsOf(2n, 250, 250n, 220n)).toEqual([end]);
    // The first count was read after that node came, perhaps.
    expect(kept.endsOf(2n, 250, 250n, 150n)[0]?.how).toBeUndefined();
    kept.note(list(400, [1n], { expired: 1 }));
    expect(kept.endsOf(2n, 350, 350n, 320n)[0]?.how).toBeUndefined();
  });

  it('do not show how it ended with the first count only', () => {
    expect(lists(list(200, [1n, 2n]), list(300, [1n])).endsOf(2n, 250, 250n)[0]?.how).toBeUndefined();
  });

  it('show that all that vanished ran out, once a further list lacks none', () => {
    const kept = lists(list(100, [1n, 2n, 3n]), list(200, [1n, 2n, 3n]), list(300, [1n], { expired: 2 }));
    expect(kept.endsOf(2n, 250, 250n)[0]?.how).toBeUndefined();
    kept.note(list(400, [1n], { expired: 2 }));
    expect(kept.endsOf(2n, 250, 250n)[0]?.how).toBe('expired');
  });

  it('do not take one that vanished after the list for one before', () => {
    const kept = lists(list(100, [1n, 2n, 3n]), list(200, [1n, 2n, 3n]), list(300, [1n, 3n], { expired: 1 }));
    // 2 closed and 3 ran out between the list and its count.
    kept.note(list(400, [1n], { expired: 1 }));
    expect(kept.endsOf(2n, 250, 250n)[0]?.how).toBeUndefined();
  });

  it('prove nothing over a time in which a session may begin and run out', () => {
    const kept = lists(list(100, [1n, 2n]), list(200, [1n, 2n]), list(9_000, [1n], { expired: 1 }));
    kept.note(list(9_100, [1n], { expired: 1 }));
    expect(kept.endsOf(2n, 250, 250n)[0]?.how).toBeUndefined();
  });

  it('show who went between which transactions, once a further list lacks them', () => {
    const settled = (askedAt: number, ids: readonly bigint[], areGlobal = true) =>
      list(askedAt, ids, { settledZxid: BigInt(askedAt) + 5n, areGlobal });
    const of = (kept: SessionLists) =>
      kept.endsOf(2n, 350, 350n).flatMap(({ vanished }) => vanished.filter(({ ids }) => ids.has(2n)));
    const begin = [settled(100, [1n, 2n, 3n]), settled(200, [1n, 2n, 3n]), settled(300, [1n, 2n])];
    const kept = lists(...begin, settled(400, [1n]));
    expect(of(kept)).toEqual([]);
    kept.note(settled(500, [1n]));
    expect(of(kept)).toEqual([
      { ids: new Set([2n]), within: { first: 206n, last: 500n } },
      { ids: new Set([2n, 3n]), within: { first: 106n, last: 500n } },
    ]);
    // It was missing in some lists only.
    kept.note(settled(600, [1n, 2n]));
    expect(kept.endsOf(3n, 250, 250n).flatMap(({ vanished }) => vanished)).toEqual([]);
    // The end of a local session is no transaction.
    expect(of(lists(...begin, settled(400, [1n], false), settled(500, [1n])))).toEqual([]);
  });

  it('show by each of them that a session is over', () => {
    const kept = lists(list(100, [1n, 2n]), list(200, [1n], { expired: undefined, zxid: undefined }), list(300, [1n]));
    expect(kept.endsOf(2n, 150, 150n).map(({ zxid }) => zxid)).toEqual([undefined, 300n]);
  });

  it('of another server are not compared', () => {
    const kept = lists(list(100, [1n, 2n]), list(200, [1n, 2n]), list(300, [1n], { server: 'other' }));
    expect(kept.endsOf(2n, 250, 250n)[0]?.how).toBeUndefined();
  });
});

describe('the budget', () => {
  it('allows a burst, then so many a minute, for each server', () => {
    let now = 0;
    const budget = new QuestionBudget(600, 20, () => now);
    const takeAll = (server: string) => {
      let taken = 0;
      for (; budget.waitMs(server, 1) === 0; taken++) budget.spend(server);
      return taken;
    };
    expect(takeAll('a')).toBe(20);
    expect(budget.waitMs('a', 4)).toBe(400);
    expect(takeAll('b')).toBe(20);
    now = 1_000;
    expect(takeAll('a')).toBe(10);
    expect(budget.lastMinute).toBe(50);
    now = 60_500;
    expect(budget.lastMinute).toBe(10);
    expect(takeAll('a')).toBe(20);
  });
});
