import { expect, it } from 'vitest';
import { explanationText } from '../../../../src/extension/words/explanationText.ts';
import { explainLock } from '../../../../src/inspector/explainLock.ts';
import { findDeadlocks } from '../../../../src/inspector/findDeadlocks.ts';
import { curatorName, curatorQueue, onlyQueue } from '../../inspector/diagnosisQueues.ts';
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
  });
  const second = queue.contenders[1]!.name;
  expect(explanationText(explanation, foreign => foreign.replaceAll('\u202e', '?')).split('\n')).toEqual([
    'Lock /l/a on production, read at 1970-01-01T00:00:00.010Z',
    'Naming scheme: Curator; 2 in the queue',
    `Head of the queue: host?a [${name}], exclusive, held 1 min, since 2023-11-14T22:13:20.000Z, session 0xffffffffffffffff from 10.0.0.7:40000 by way of zk1:2181`,
    `Waiting, position 2: ${second}, exclusive, waits 1 min, queued at 2023-11-14T22:13:20.001Z, session 0x2 is not known to the leader, looks stale: the leader does not know its session`,
    `On release it goes to: ${second}`,
    'Sessions that the release wakes: 1',
    expect.stringMatching(/^Deadlock: .* waits at \/l\/. for .*; .* waits at \/l\/. for /),
    expect.stringContaining('Threads are not visible'),
    "Not reported by zk2:2181, sessions by four-letter word: not allowed by the server's 4lw.commands.whitelist",
  ]);
});

it.each([
  ['yes', /The holder listens for revoke requests/],
  ['maybe', /The holder may listen .* wchp/],
  ['no', undefined],
] as const)('says whether the holder can be asked to release: %s', (listening, line) => {
  const queue = onlyQueue('/l/a', [{ name: curatorName('lock-', 0), owner: 1n }]);
  const explanation = { ...explainLock(queue, { cluster: 'production', readAt: 10, now }), listening };
  const lines = explanationText(explanation, foreign => foreign).split('\n');
  const said = lines.filter(each => each.includes('listen'));
  expect(said).toEqual(line === undefined ? [] : [expect.stringMatching(line)]);
});

it('says that the head is unknown where it may not be read, and nothing of a release', () => {
  const queue = onlyQueue('/l/a', [{ name: curatorName('lock-', 1), owner: 1n }]);
  const waiter = { ...queue.contenders[0]!, role: 'waiter' as const, waitsFor: 'hidden' };
  const hidden = { ...queue, contenders: [waiter], hazards: [{ kind: 'unreadable' as const, names: ['hidden'] }] };
  const text = explanationText(explainLock(hidden, { cluster: 'production', readAt: 10, now }), foreign => foreign);
  expect(text).toContain('Head of the queue: unknown');
  expect(text).not.toMatch(/Head of the queue: none|On release/);
});

it('says of a holder that may not be read neither owner nor age', () => {
  const queue = onlyQueue('/l/a', [{ name: curatorName('lock-', 1), owner: 1n }]);
  const contenders = [contender('h', { role: 'holder', isUnread: true, identifier: '' }), ...queue.contenders];
  const text = explanationText(
    explainLock({ ...queue, contenders }, { cluster: 'production', readAt: 10, now }),
    foreign => foreign,
  );
  expect(text).toContain('Head of the queue: h, exclusive, may not be read\n');
});
