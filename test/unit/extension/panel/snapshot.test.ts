import { describe, expect, it } from 'vitest';
import { noMarks, type LockMarks } from '../../../../src/app/clusters/marks.ts';
import { QueueMarks } from '../../../../src/app/clusters/queueMarks.ts';
import type { SnapshotFacts } from '../../../../src/app/panel/panelWords.ts';
import { buildSnapshot } from '../../../../src/extension/panel/panelSnapshot.ts';
import { HistoryRecorder } from '../../../../src/history/historyRecorder.ts';
import { shownName } from '../../../../src/base/shownName.ts';
import { contenderOf } from '../../../../src/app/panel/shownContender.ts';
import { TableOrder } from '../../../../src/app/panel/tableOrder.ts';
import { FoundOwners } from '../../../../src/app/owners/foundOwners.ts';
import { kindText } from '../../../../src/extension/words/contenderText.ts';
import type { LockQueue } from '../../../../src/locks/lockQueue.ts';
import type { PanelSnapshot, PanelView, TableColumn } from '../../../../src/protocol.ts';
import { contender, lockNode, now, queueOf, queueWith } from '../fixtures.ts';
import { foundOwners } from '../../app/panel/ownerAnswers.ts';

const wholeView: PanelView = { filter: '', tableFrom: 0, pictureCount: 50 };

function snapshot(queue: LockQueue, view: Partial<PanelView> = {}, facts: Partial<SnapshotFacts> = {}): PanelSnapshot {
  return buildSnapshot({
    revision: 1,
    now,
    aheadMs: 0,
    status: { state: 'live' },
    profile: { name: 'orders', environment: 'staging' },
    isRemoved: false,
    name: 'a',
    queue,
    marks: noMarks,
    view: { ...wholeView, ...view },
    history: new HistoryRecorder({ now: () => now, monotonicNow: () => 0 }).history(12),
    order: new TableOrder(kindText),
    owners: new FoundOwners(),
    isOwn: () => false,
    ...facts,
  });
}

function names({ table }: PanelSnapshot): string[] {
  return table.rows.map(({ name }) => name);
}

function deadlocked(...paths: string[]): LockMarks {
  const marks = { stale: [], longHeld: false, deadlock: 'lasting' as const };
  return { ...noMarks, of: ({ path }) => (paths.includes(path) ? marks : undefined), deadlocked: paths.length };
}

describe('a snapshot of 10,000 contenders', () => {
  const long = queueWith(9_999);

  it('holds the head of the queue and one page of the table, and says how much is folded', () => {
    const { picture, table, totals } = snapshot(long);
    expect(totals).toEqual({ contenders: 10_000, holders: 1, waiters: 9_999, strangers: 0 });
    expect(picture.contenders.map(({ position }) => position)).toEqual(Array.from({ length: 50 }, (_, at) => at + 1));
    expect(picture).toMatchObject({ folded: 9_950, canUnfold: true });
    expect(table).toMatchObject({ from: 0, matching: 10_000 });
    expect(table.rows).toHaveLength(50);
    expect(JSON.stringify(snapshot(long)).length).toBeLessThan(50_000);
  });

  it('unfolds by pages up to the limit', () => {
    expect(snapshot(long, { pictureCount: 100 }).picture).toMatchObject({ folded: 9_900, canUnfold: true });
    expect(snapshot(long, { pictureCount: 500 }).picture).toMatchObject({ folded: 9_500, canUnfold: false });
  });

  it('draws those of a deadlock however far back they are', () => {
    const marks = deadlocked('/locks/a/worker-10', '/locks/a/worker-9000');
    const { picture } = snapshot(long, {}, { marks });
    expect(picture.contenders.filter(({ marks: found }) => found.includes('deadlocked'))).toMatchObject([
      { name: 'worker-10', position: 11, waitsFor: 'worker-9' },
      { name: 'worker-9000', position: 9_001, waitsFor: 'worker-8999' },
    ]);
    expect(picture.folded).toBe(9_949);
  });

  it('shows any page of the table, and the last one where there is none', () => {
    expect(names(snapshot(long, { tableFrom: 9_950 }))[49]).toBe('worker-9999');
    expect(snapshot(long, { tableFrom: 50_000 }).table.from).toBe(9_950);
    expect(snapshot(queueOf([]), { tableFrom: 50 }).table).toEqual({ from: 0, rows: [], matching: 0 });
  });

  it('filters and sorts before it cuts the page', () => {
    const { table } = snapshot(long, { filter: 'WORKER-99', sort: { column: 'position', descending: true } });
    expect(table.matching).toBe(113);
    expect(table.rows.slice(0, 2).map(({ cells }) => cells.who)).toEqual(['worker-9999', 'worker-9998']);
  });
});

describe('the table', () => {
  const mixed = queueOf([
    contender('n-b', { identifier: 'beta', sequence: 10, czxid: 9n, createdAt: now - 5_000, ownerSession: -1n }),
    contender('n-a', { identifier: 'Alpha', sequence: 9, czxid: 10n, createdAt: now - 90_000, ownerSession: 2n }),
    contender('n-c', { identifier: '', kind: 'read', czxid: 8n, createdAt: now, ownerSession: 0n, waitsFor: 'n-a' }),
  ]);

  it.each<[TableColumn, boolean, string[]]>([
    ['position', false, ['n-b', 'n-a', 'n-c']],
    ['position', true, ['n-c', 'n-a', 'n-b']],
    ['who', false, ['n-a', 'n-b', 'n-c']],
    ['who', true, ['n-b', 'n-a', 'n-c']],
    ['kind', true, ['n-c', 'n-b', 'n-a']],
    ['age', false, ['n-c', 'n-b', 'n-a']],
    ['sequence', false, ['n-a', 'n-b', 'n-c']],
    ['czxid', false, ['n-c', 'n-b', 'n-a']],
    ['session', false, ['n-a', 'n-b', 'n-c']],
    ['waitsFor', true, ['n-c', 'n-b', 'n-a']],
    ['address', false, ['n-a', 'n-b', 'n-c']],
  ])('sorts by %s (descending: %s) by value, what is empty last', (column, descending, expected) => {
    const owners = foundOwners({ address: '10.0.0.2:5', session: 2n });
    expect(names(snapshot(mixed, { sort: { column, descending } }, { owners }))).toEqual(expected);
  });

  it.each([
    ['ALPHA', ['n-a', 'n-c']],
    ['  beta ', ['n-b']],
    ['n-a', ['n-a', 'n-c']],
    ['read', ['n-c']],
    ['0xffffffffffffffff', ['n-b']],
    ['not eph', ['n-c']],
    ['1 min', ['n-a']],
    ['10.0.0.2', ['n-a']],
    ['.*', []],
    ['(', []],
  ])('finds %j in any column', (filter, expected) => {
    const owners = foundOwners({ address: '10.0.0.2:5', session: 2n });
    expect(names(snapshot(mixed, { filter }, { owners }))).toEqual(expected);
  });

  it.each([
    [400, '400 ms', ['400 ms']],
    [12_345, '12 s', ['12 s']],
    [192_000, '3 min 12 s', ['3 min', '12 s', 'MIN 12']],
    [3 * 3_600_000 + 59_000, '3 h', ['3 h']],
    [26 * 3_600_000, '1 d 2 h', ['1 d', '2 h']],
    [86_400_000 * 1_234, '1,234 d', ['1,234 d']],
    [-5_000, '0 ms', ['0 ms']],
  ])('says the age of %i ms as the page does: %s, and finds it so', (age, text, filters) => {
    const queue = queueOf([contender('other', { createdAt: now - 71_000 }), contender('x', { createdAt: now - age })]);
    expect(snapshot(queue).table.rows[1]?.cells.age).toBe(text);
    for (const filter of filters) expect(names(snapshot(queue, { filter }))).toEqual(['x']);
  });

  it.each([
    [64_000, 64_000, '1 min 4 s'],
    [64_000, 63_200, '1 min 4 s'],
    [64_000, 5_900, '5 s to 2 min'],
    [64_000, 200, 'up to 2 min'],
    [64_000, undefined, 'up to 2 min'],
    [59_100, 5_900, '5 s to 1 min'],
    [7_000_000, 3_500_000, '58 min to 2 h'],
    [200_000_000, 90_000_000, '1 d to 3 d'],
  ])('counts a holder that queued %i ms ago from when its turn came (%j ms ago): %s', (most, least, text) => {
    const latest = least === undefined ? {} : { latest: now - least };
    const heldSince = { earliest: now - most, ...latest };
    const queue = queueOf([contender('x', { role: 'holder', createdAt: now - most, heldSince }), contender('y')]);
    expect(snapshot(queue).table.rows[0]?.cells.age).toBe(text);
    expect(names(snapshot(queue, { filter: text }))).toEqual(['x']);
    // The clock of the servers is an hour behind: the page counts by that of this machine.
    const behind = snapshot(queue, {}, { now: now + 3_600_000, aheadMs: 3_600_000 });
    expect(behind.table.rows[0]).toMatchObject({
      cells: { age: text },
      createdAt: now - most + 3_600_000,
      heldSince: { earliest: now - most + 3_600_000 },
    });
  });

  it('says who a contender waits for, and the node where that is none', () => {
    const queue = queueOf([
      contender('n-1', { role: 'holder', identifier: 'pay-worker-1' }),
      contender('n-2', { waitsFor: 'n-1' }),
      contender('n-3', { waitsFor: 'gone' }),
      contender('n-4', { waitsFor: 'n-1', mayHold: true }),
    ]);
    expect(snapshot(queue).table.rows.map(({ cells }) => cells.waitsFor)).toEqual([
      '',
      '#1 pay-worker-1',
      'gone',
      '#1 pay-worker-1, or holds',
    ]);
    expect(snapshot(queue).picture.contenders[1]?.ahead).toBe('#1 pay-worker-1');
  });

  it('writes positions as the page does, and finds them with or without separators', () => {
    const long = queueWith(1_234);
    const [row] = snapshot(long, { tableFrom: 1_200 }).table.rows;
    expect(row?.cells.position).toBe('1,201');
    for (const filter of ['1,201', '1201', '#1201']) expect(names(snapshot(long, { filter }))).toContain('worker-1200');
  });

  it('marks the rows that a warning counts, and its filter finds just those', () => {
    const names = ['n-1', 'n-2'];
    const queue = queueOf(
      [contender('n-0', { role: 'holder' }), ...names.map(name => contender(name, { ownerSession: 0n }))],
      {
        hazards: [{ kind: 'not-ephemeral', names }],
      },
    );
    const marks = new QueueMarks(
      () => ({ longHeldMs: 1_000_000, deadlockMs: 1_000 }),
      () => 0,
    ).of(lockNode(queue), now);
    const { lock, table } = snapshot(queue, {}, { marks });
    expect(table.rows.map(row => row.marks)).toEqual([[], ['maybeStale'], ['maybeStale']]);
    const warning = lock.warnings.find(({ filter }) => filter !== undefined);
    expect(warning?.text).toContain('2 contenders');
    const found = snapshot(queue, { filter: warning?.filter ?? '' }, { marks }).table;
    expect(found.rows.map(({ name }) => name)).toEqual(names);
  });

  it('sorts a queue once for many views', () => {
    const order = new TableOrder(kindText);
    const addresses = new Map<bigint, string>();
    const first = order.of(mixed.contenders, { column: 'who', descending: false }, addresses);
    expect(order.of(mixed.contenders, { column: 'who', descending: false }, addresses)).toBe(first);
    expect(order.of([...mixed.contenders], { column: 'who', descending: false }, addresses)).not.toBe(first);
    expect(order.of(mixed.contenders, { column: 'who', descending: false }, new Map())).not.toBe(first);
  });

  it('fills every column, czxid as decimal and session as hexadecimal', () => {
    expect(snapshot(mixed).table.rows[0]?.cells).toEqual({
      position: '1',
      kind: 'exclusive',
      who: 'beta',
      address: '',
      age: '5 s',
      waitsFor: '',
      session: '0xffffffffffffffff',
      sequence: '10',
      czxid: '9',
    });
  });
});

describe('the cards', () => {
  it('are of the first holders and of who is next, with what the servers said of their owners', () => {
    const holders = ['a', 'b', 'c', 'd', 'e'].map((name, at) =>
      contender(`${name}-__READ__000000000${at}`, {
        kind: 'read',
        role: 'holder',
        ownerSession: BigInt(at + 1),
        identifier: name,
      }),
    );
    const next = contender('f-__WRIT__0000000005', { kind: 'write', ownerSession: 0x9n, identifier: 'f' });
    const owners = foundOwners({ session: 1n, address: '10.0.0.7:1' });
    const { answer, totals } = snapshot(queueOf([...holders, next]), {}, { owners });
    expect(answer.holders.map(({ who, position }) => `${position} ${who}`)).toEqual(['1 a', '2 b', '3 c', '4 d']);
    expect(answer.holders[0]).toMatchObject({ address: '10.0.0.7:1', seen: { isAlive: true }, hasOwner: true });
    expect(answer.holders[1]).not.toHaveProperty('seen');
    expect(answer).toMatchObject({ kind: 'read', next: { card: { who: 'f', position: 6 }, others: 0 } });
    expect(totals).toMatchObject({ holders: 5, waiters: 1 });
  });

  it('count by the clock of this machine', () => {
    const queue = queueOf([
      contender('a', { role: 'holder', createdAt: now - 5_000 }),
      contender('b', { createdAt: now - 4_000 }),
    ]);
    const { answer } = snapshot(queue, {}, { now: now + 60_000, aheadMs: 60_000 });
    expect(answer).toMatchObject({ holders: [{ createdAt: now + 55_000 }], waitingSince: now + 56_000 });
  });
});

describe('what comes from the tree', () => {
  const hostile = [
    '<img src=x onerror=alert(1)>',
    'a\u202Eb',
    'a\nb',
    '[x](command:x)',
    '$(zap)',
    '__proto__',
    '\uD800',
  ];

  it('is free of unseen characters and of what VS Code would bring to life', () => {
    const contenders = hostile.map((name, at) =>
      contender(name, { czxid: BigInt(at), identifier: name, waitsFor: name }),
    );
    const queue = queueOf(contenders, { path: '/locks/\u202Ea' });
    const shot = snapshot(queue, {}, { name: 'a\u0000b', profile: { name: '\u200B', environment: 'production' } });
    const text = JSON.stringify(shot);
    expect(text).not.toMatch(/(?!\u2060)[\p{Cc}\p{Cf}\p{Cs}]/u);
    expect(text).not.toMatch(/\]\(|\$\(|\\u202e|\\ud800/u);
    expect(shot.picture.contenders[0]?.name).toBe(hostile[0]);
    expect(shot.lock).toMatchObject({ path: '/locks/\\u202Ea', name: 'a\\u0000b', isProduction: true });
  });

  it('is cut, and what is cut stays apart', () => {
    const [one, other] = [`${'x'.repeat(5_000)}1`, `${'x'.repeat(5_000)}2`];
    expect(shownName(one).length).toBeLessThan(200);
    expect(shownName(one)).not.toBe(shownName(other));
  });

  it('is found again by what the page was told, which no other name looks like', () => {
    const cutOff = 'x'.repeat(5_000);
    const marked = `a…${shownName('a…').slice(2)}`;
    const names = [`${cutOff}1`, `${cutOff}2`, '\u202E', '\\u202E', '\\\u202E', 'a…', marked];
    const contenders = names.map(name => contender(name));
    const { table, picture } = snapshot(queueOf(contenders));
    for (const shown of [table.rows, picture.contenders]) {
      expect(new Set(shown.map(({ name }) => name)).size).toBe(names.length);
      expect(shown.map(node => contenderOf(contenders, node)?.name)).toEqual(names);
    }
  });

  it('is not found when its node was deleted and created again', () => {
    const { table, picture } = snapshot(queueOf([contender('leader', { czxid: 1n })]));
    for (const node of [table.rows[0]!, picture.contenders[0]!]) {
      expect(contenderOf([contender('leader', { czxid: 1n })], node)?.name).toBe('leader');
      expect(contenderOf([contender('leader', { czxid: 2n })], node)).toBeUndefined();
    }
  });

  it('draws slots only for a limit that is none of an attacker', () => {
    expect(snapshot(queueOf([], { maxLeases: 3 })).picture.slots).toBe(3);
    for (const maxLeases of [2_000_000_000, 0, -5]) {
      expect(snapshot(queueOf([], { maxLeases })).picture).not.toHaveProperty('slots');
    }
  });

  it('gives one sentence for each hazard and each mark', () => {
    const hazards = [
      { kind: 'mixed-dialects' as const, names: ['a'] },
      { kind: 'mixed-dialects' as const, names: ['b'] },
    ];
    const marks = { ...deadlocked('/locks/a/a'), stale: 2, longHeld: 1 };
    expect(snapshot(queueOf([], { hazards }), {}, { marks }).lock.warnings).toHaveLength(4);
  });
});
