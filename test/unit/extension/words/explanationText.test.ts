import { describe, expect, it } from 'vitest';
import { explanationReport } from '../../../../src/extension/words/explanationText.ts';
import { explainLock } from '../../../../src/inspector/explainLock.ts';
import { findDeadlocks } from '../../../../src/inspector/findDeadlocks.ts';
import { curatorName, curatorQueue, onlyQueue } from '../../inspector/diagnosisQueues.ts';
import { reportLines, reportText } from '../../../support/reportLines.ts';
import { contender } from '../fixtures.ts';

const now = 1_700_000_100_000;

it('explains a lock in lines that carry no foreign control characters', () => {
  const name = curatorName('lock-', 0);
  const queue = onlyQueue('/l/a', [
    { name, owner: -1n, data: 'host\u202ea' },
    { name: curatorName('lock-', 1), owner: 2n },
  ]);
  const other = curatorQueue('/l/b', [
    { kind: 'exclusive', owner: 2n },
    { kind: 'exclusive', owner: -1n },
  ]);
  const explanation = explainLock(queue, {
    cluster: 'production',
    readAt: 10,
    now,
    owners: {
      connections: new Map([[-1n, { address: '10.0.0.7:40000', server: 'zk1:2181' }]]),
      live: { ids: new Set([-1n]), listedBy: 'leader', server: 'zk1:2181' },
      sources: [{ server: 'zk2:2181', by: 'four-letter-word', question: 'dump', outcome: 'not-allowed', detail: '' }],
      askedAt: 20,
    },
    deadlocks: findDeadlocks([queue, other]),
    isLasting: () => true,
  });
  const second = queue.contenders[1]!.name;
  expect(reportLines(explanationReport(explanation))).toEqual([
    'Deadlock: Held by host\\u202Ea, 1 waiting',
    'Lock /l/a on production, read at 1970-01-01T00:00:00.010Z',
    'Naming scheme: Curator; 2 in the queue',
    'Deadlocks',
    expect.stringContaining('Threads are not visible'),
    expect.stringMatching(/^Deadlock: .* waits at \/l\/. for .*; .* waits at \/l\/. for /),
    'Keep in mind',
    expect.stringContaining('names of a mutex'),
    "Not reported by zk2:2181, sessions by four-letter word: not allowed by the server's 4lw.commands.whitelist",
    'Holders',
    `Head of the queue: host\\u202Ea [${name}], exclusive, held 1 min, since 2023-11-14T22:13:20.000Z, session 0xffffffffffffffff from 10.0.0.7:40000 by way of zk1:2181`,
    'Waiters',
    `Waiting, position 2: ${second}, exclusive, waits 1 min, queued at 2023-11-14T22:13:20.001Z, session 0x2 is not known to the leader, looks stale: the leader does not know its session`,
    'On release',
    `It goes to: ${second}`,
    'Sessions that the release wakes: 1',
  ]);
});

it('calls a cycle a deadlock only when it has lasted', () => {
  const queues = ['/l/a', '/l/b'].map((path, at) =>
    curatorQueue(
      path,
      [1n, 2n].map((owner, join) => ({ kind: 'exclusive', owner: at === 0 ? owner : 3n - owner, czxid: BigInt(join) })),
    ),
  );
  const explanation = explainLock(queues[0]!, { cluster: 'c', readAt: 10, now, deadlocks: findDeadlocks(queues) });
  const text = reportText(explanationReport(explanation));
  expect(text).toMatch(/^May be deadlocked: Held by /);
  expect(text).toMatch(/^Threads are not.*\nMay be deadlocked: .* waits at \/l\/. for .*; .* waits at \/l\/. for /m);
  expect(text).not.toMatch(/^Deadlock:/m);
});

it.each([
  ['yes', /The holder listens for revoke requests/],
  ['maybe', /The holder may listen .* wchp/],
  ['no', undefined],
] as const)('says whether the holder can be asked to release: %s', (listening, line) => {
  const queue = onlyQueue('/l/a', [{ name: curatorName('lock-', 0), owner: 1n }]);
  const explanation = { ...explainLock(queue, { cluster: 'production', readAt: 10, now }), listening };
  const lines = reportLines(explanationReport(explanation));
  const said = lines.filter(each => each.includes('listen'));
  expect(said).toEqual(line === undefined ? [] : [expect.stringMatching(line)]);
});

it('says of the next one that no event will wake it, if it stayed as it was', () => {
  const queue = curatorQueue(
    '/l/a',
    [1n, 2n].map(owner => ({ kind: 'candidate', owner })),
  );
  const [leader, next] = queue.contenders.map(({ path, name }) => ({ path, name }));
  const connections = new Map([1n, 2n].map(id => [id, { address: '10.0.0.7:40000', server: 'zk1:2181' }]));
  const linesWith = (watchers: [string, Set<bigint>][], later = queue.contenders): string[] => {
    const explanation = explainLock(queue, {
      cluster: 'production',
      readAt: 10,
      now,
      later,
      owners: { connections, live: undefined, sources: [], askedAt: 20 },
      watches: { watchers: new Map(watchers), isComplete: true, sources: [], askedAt: 20 },
    });
    const lines = reportLines(explanationReport(explanation));
    return lines.slice(lines.indexOf('On release') + 1);
  };
  const goesOn = `It goes to: ${next!.name}`;
  expect(linesWith([[leader!.path, new Set([2n])]])[0]).toBe(goesOn);
  expect(linesWith([])).toEqual([
    `Next in the queue, but no event will wake it: ${next!.name}`,
    'Sessions that the release wakes: 1; registered on the servers: 0',
  ]);
  expect(linesWith([], [{ ...queue.contenders[1]!, role: 'holder' }])[0]).toBe(goesOn);
});

describe("readers behind Curator's writers, and sessions with several places", () => {
  const queue = curatorQueue('/l/a', [
    { kind: 'write', owner: 1n },
    { kind: 'read', owner: 2n },
    { kind: 'write', owner: 1n },
  ]);
  const facts = { cluster: 'production', readAt: 10, now };
  const connections = new Map([1n, 2n].map(id => [id, { address: '10.0.0.7:40000', server: 'zk1:2181' }]));
  const known = {
    ...facts,
    owners: { connections, live: undefined, sources: [], askedAt: 20 },
    watches: {
      watchers: new Map([[queue.contenders[1]!.path, new Set([1n])]]),
      isComplete: true,
      sources: [],
      askedAt: 20,
    },
  };
  const textOf = (more: object = {}): string =>
    reportText(explanationReport(explainLock(queue, { ...facts, ...more })));

  it('are named without a judgement', () => {
    expect(textOf()).toContain(
      'Session 0x1 has 2 places in this queue: threads of one program, or a program that waits for itself',
    );
  });

  it('are not known to wait without the watches', () => {
    expect(textOf()).toContain('Readers that wait by their names, or hold: 1.');
    expect(textOf(known)).not.toContain('Readers that wait by their names');
  });

  it('hold if their sessions watch nothing, unless they were just about to move', () => {
    const [, reader] = queue.contenders;
    expect(textOf(known)).toMatch(/^Head of the queue: .*__READ__.*, read, /m);
    expect(textOf(known)).toContain(`${reader!.name} stands behind a writer, but its session watches no node`);
    const later = queue.contenders.filter(each => each !== reader);
    expect(textOf({ ...known, later })).not.toContain('stands behind a writer');
    expect(textOf({ ...known, later: queue.contenders })).toContain('stands behind a writer');
  });
});

it('says that the head is unknown where it may not be read, and nothing of a release', () => {
  const queue = onlyQueue('/l/a', [{ name: curatorName('lock-', 1), owner: 1n }]);
  const waiter = { ...queue.contenders[0]!, role: 'waiter' as const, waitsFor: 'hidden' };
  const hidden = { ...queue, contenders: [waiter], hazards: [{ kind: 'unreadable' as const, names: ['hidden'] }] };
  const text = reportText(explanationReport(explainLock(hidden, { cluster: 'production', readAt: 10, now })));
  expect(text).toContain('Head of the queue: unknown');
  expect(text).not.toMatch(/Head of the queue: none|On release/);
});

it('says of a holder that may not be read neither owner nor age', () => {
  const queue = onlyQueue('/l/a', [{ name: curatorName('lock-', 1), owner: 1n }]);
  const contenders = [contender('h', { role: 'holder', isUnread: true, identifier: '' }), ...queue.contenders];
  const text = reportText(
    explanationReport(explainLock({ ...queue, contenders }, { cluster: 'production', readAt: 10, now })),
  );
  expect(text).toContain('Head of the queue: h, exclusive, may not be read\n');
});
