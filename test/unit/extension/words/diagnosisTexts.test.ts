import { describe, expect, it } from 'vitest';
import { deadlockReport } from '../../../../src/extension/words/deadlockText.ts';
import { mustTypeName, nameToType } from '../../../../src/app/deletes/lookAtContender.ts';
import { deleteQuestion, outcomeText } from '../../../../src/extension/words/deleteText.ts';
import { ownerReport, sourceLine } from '../../../../src/extension/words/ownerText.ts';
import { reportText } from '../../../support/reportLines.ts';
import type { ActReport, PlannedAct } from '../../../../src/app/deletes/deletePipeline.ts';
import { ownersOf, staleChoices, type StaleChoice } from '../../../../src/app/deletes/lookForStale.ts';
import { choiceText, staleList, staleQuestion, staleReport } from '../../../../src/extension/words/staleText.ts';
import { errorSentence } from '../../../../src/extension/words/errorText.ts';
import { deleteConsequences, type DeleteConsequences } from '../../../../src/inspector/deleteConsequences.ts';
import { findDeadlocks } from '../../../../src/inspector/findDeadlocks.ts';
import { findStale } from '../../../../src/inspector/findStale.ts';
import type { OwnerFacts, OwnerStatus } from '../../../../src/inspector/owners/ownerFacts.ts';
import { RefusedDelete } from '../../../../src/inspector/refusedDelete.ts';
import type { Contender, LockQueue } from '../../../../src/locks/lockQueue.ts';
import { semaphoreQueue } from '../../inspector/diagnosisQueues.ts';
import { hostileTexts, linkPattern, unseenPattern } from '../corpus.ts';
import { contender, now, profileNamed, queueOf } from '../fixtures.ts';

const profile = profileNamed('orders');
const actOn = (path: string): PlannedAct => ({
  action: 'force delete',
  target: { path, czxid: 1n },
  recognised: { path, czxid: 1n },
});

function facts(alive: bigint[], listedBy: 'leader' | 'follower' = 'leader'): OwnerFacts {
  return {
    connections: new Map(
      alive.map(id => [
        id,
        { address: '10.0.0.7:4000', server: 'zk1:2181', establishedAt: now - 60_000, timeoutMs: 4_000 },
      ]),
    ),
    live: { ids: new Set(alive), listedBy, server: 'zk1:2181' },
    sources: [
      { server: 'zk1:2181', by: 'four-letter-word', question: 'dump', outcome: 'ok', detail: '' },
      { server: 'zk2:2181', by: 'admin-server', question: 'connections', outcome: 'unreachable', detail: 'refused' },
    ],
    askedAt: now,
  };
}

const curatorName = (index: number): string =>
  `_c_00000000-0000-4000-8000-00000000000${String(index)}-lock-000000000${String(index)}`;

function twoOf(fields: Partial<Contender> = {}): LockQueue {
  return queueOf([
    contender(curatorName(0), { role: 'holder', identifier: 'worker-0', ...fields }),
    contender(curatorName(1), { identifier: 'worker-1', waitsFor: curatorName(0), ownerSession: 0x200n }),
  ]);
}

function consequencesOf(queue: LockQueue, owners?: OwnerFacts): DeleteConsequences {
  const [first] = queue.contenders;
  return deleteConsequences(queue, first!.path, { now, ...(owners === undefined ? {} : { owners }) })!;
}

/** As VS Code draws it in the narrowest dialog: how many lines of how many characters. */
function linesOnScreen(detail: string): number {
  const perLine = 64;
  return detail.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / perLine)), 0);
}

describe('the question before a force delete', () => {
  it('has what is at stake as its title, then what it means, then few facts', () => {
    const { question, detail } = deleteQuestion(profile, consequencesOf(twoOf(), facts([0x100n])));
    expect(question).toBe('Delete a LIVE holder of a?');
    expect(detail.split('\n')).toEqual([
      '⚠ It is NOT notified and works on as if it still held the lock: two holders at the same time are possible.',
      'Gets the lock next: worker-1',
      '',
      'Cluster: orders (development)',
      'Lock: /locks/a',
      `Node: ${curatorName(0)}`,
      'Who: worker-0 · holds · queued 12 s ago, hand-over not seen',
      'Owner session: 0x100 from 10.0.0.7:4000',
    ]);
  });

  const cases: [string, bigint, OwnerFacts | undefined, RegExp, boolean][] = [
    ['alive', 0x100n, facts([0x100n]), /a LIVE holder/, true],
    ['over', 0x100n, facts([]), /a holder of a whose session has ended/, false],
    ['unknown, as a follower may lag', 0x100n, facts([], 'follower'), /a holder of a that may be alive/, true],
    ['unknown, as no server was asked', 0x100n, undefined, /a holder of a that may be alive/, true],
    ['none', 0n, facts([]), /a holder of a that may be alive/, true],
  ];
  it.each(cases)(
    'says in the title what is known of a session that is %s',
    (_name, ownerSession, owners, title, isTyped) => {
      const consequences = consequencesOf(twoOf({ ownerSession }), owners);
      const { question, detail } = deleteQuestion(profile, consequences);
      expect(question).toMatch(title);
      expect(/^⚠ .*not notified/i.test(detail)).toBe(isTyped);
      expect(mustTypeName(profile, [consequences.owner])).toBe(isTyped);
      expect(mustTypeName({ environment: 'production' }, [consequences.owner])).toBe(true);
    },
  );

  it.each<[string, OwnerFacts, RegExp]>([
    ['alive', facts([0x200n]), /a LIVE waiter/],
    ['over', facts([]), /a waiter of a whose session has ended/],
    ['unknown', facts([], 'follower'), /a waiter of a that may be alive/],
  ])('says the same of a waiter: %s', (_name, owners, title) => {
    const queue = twoOf();
    const waiter = deleteConsequences(queue, queue.contenders[1]!.path, { now, owners })!;
    expect(deleteQuestion(profile, waiter).question).toMatch(title);
  });

  it('stays short, however long names are and however many get the lock next', () => {
    const long = 'x'.repeat(300);
    const readers = Array.from({ length: 6 }, (_, index) =>
      contender(`${long}${String(index)}`, { identifier: `${long}${String(index)}`, ownerSession: 0x200n }),
    );
    const queue = twoOf({ identifier: long, path: `/locks/${long}/${long}` });
    const consequences: DeleteConsequences = {
      ...consequencesOf({ ...queue, path: `/locks/${long}`, lockName: long }, facts([], 'follower')),
      nextHolders: readers,
      remainingHolders: readers,
    };
    const { question, detail } = deleteQuestion(profileNamed(long), consequences);
    expect(question.length).toBeLessThan(100);
    expect(linesOnScreen(detail)).toBeLessThanOrEqual(15);
    expect(detail).toMatch(/Gets the lock next: .*and 3 more/);
    // Paths differ at their ends.
    expect(detail).toMatch(/\nNode: ….*x\n/);
  });

  it('asks for the name of the lock, which can be typed whatever it holds', () => {
    expect(nameToType('a ')).toEqual({ text: 'a', part: 'whole' });
    expect(nameToType('\u202Eb')).toEqual({ text: '\\u202Eb', part: 'whole' });
    expect(nameToType(`${'x'.repeat(200)}-0123456789`)).toEqual({ text: '0123456789', part: 'end' });
    expect(nameToType('😀'.repeat(150))).toEqual({ text: '😀'.repeat(10), part: 'end' });
  });

  it.each(hostileTexts)('shows %j as text', text => {
    const queue = { ...twoOf({ identifier: text, path: `/locks/a/${text}` }), path: `/x/${text}`, lockName: text };
    const { question, detail } = deleteQuestion(profileNamed(text), consequencesOf(queue, facts([0x100n])));
    for (const shown of [question, detail.replaceAll('\n', ' ')]) {
      expect(shown).not.toMatch(linkPattern);
      expect(shown).not.toMatch(unseenPattern);
    }
    expect(detail.split('\n')).toHaveLength(8);
  });
});

describe('outcomes', () => {
  it('are reported as they are, and an unknown one with what to do', () => {
    const text = (outcome: 'deleted' | 'already gone' | 'changed' | 'unknown', stillThere = false): string => {
      const shown = outcomeText({ act: actOn('/l/x'), outcome, stillThere });
      expect(shown.calm).toBe(outcome === 'deleted' || outcome === 'already gone');
      return shown.text;
    };
    expect(text('deleted')).toBe('/l/x was deleted.');
    expect(text('already gone')).toContain('already gone. Nothing was deleted');
    expect(text('changed')).toContain('another node now. Nothing was deleted');
    expect(text('unknown')).toMatch(/may or may not be deleted.*repeat only if the node still exists/);
    expect(text('unknown', true)).toContain('still there');
  });

  it('name the missing right and the ACL of the parent', () => {
    const parentAcl = [{ scheme: 'digest', id: 'ops:hash', permissions: 'cdrwa' }];
    const error = new RefusedDelete('no-permission', '/locks/a/x', { parent: '/locks/a', parentAcl });
    const sentence = errorSentence(error);
    expect(sentence).toMatch(/DELETE is missing on the parent.*ACL of \/locks\/a is: digest:ops:…:cdrwa/);
    expect(sentence).not.toContain('hash');
  });
});

describe('the list of stale nodes', () => {
  const queue: LockQueue = {
    ...twoOf({ ownerSession: 0n }),
    hazards: [{ kind: 'not-ephemeral', names: [curatorName(0)] }],
  };
  const choicesWith = (owners: OwnerFacts): StaleChoice[] => {
    const findings = findStale([queue], { queuesReadAt: now, owners, now });
    const empty = { path: '/locks/old', czxid: 3n, createdAt: now - 86_400_000 };
    return staleChoices(profile, findings, [empty]).choices;
  };

  it('gives every reason, and chooses nothing beforehand that may live or be merely idle', () => {
    const choices = choicesWith(facts([]));
    expect(choices.map(({ path, isPicked }) => [path, isPicked])).toEqual([
      [`/locks/a/${curatorName(1)}`, true],
      [`/locks/a/${curatorName(0)}`, false],
      ['/locks/old', false],
    ]);
    expect(choiceText(choices[0]!, now).detail).toBe(
      `the leader does not know its session, session over — ${curatorName(1)}`,
    );
    expect(choiceText(choices[1]!, now)).toMatchObject({
      label: '/locks/a worker-0',
      description: 'possible, not proven · holds · queued 12 s ago, hand-over not seen',
      detail: `not ephemeral, no session — ${curatorName(0)}`,
    });
    expect(choiceText(choices[2]!, now).description).toContain('empty lock directory');
  });

  it('is asked about once, and typed where an owner may be alive', () => {
    const all = choicesWith(facts([]));
    const dead = all.filter(({ isPicked }) => isPicked);
    expect(mustTypeName(profile, ownersOf(dead))).toBe(false);
    expect(mustTypeName(profile, ownersOf(all))).toBe(true);
    expect(mustTypeName({ environment: 'production' }, ownersOf(dead))).toBe(true);
    expect(staleQuestion(profile, dead).question).toBe('Delete 1 node?');
    expect(staleQuestion(profile, dead).detail).not.toContain('NOT notified');
    const { question, detail } = staleQuestion(profile, all);
    expect(question).toBe('Delete 3 nodes, 1 that may still be in use?');
    expect(detail).toMatch(/^⚠ .*NOT notified/);
    for (const who of ['worker-0', 'worker-1', '/locks/old']) expect(detail).toContain(who);
  });

  const withOwners = (alive: readonly OwnerStatus['alive'][]): StaleChoice[] => {
    const [first] = choicesWith(facts([]));
    if (first?.kind !== 'contender') throw new Error('no contender');
    return alive.map((each, index) => {
      const path = `/locks/a/${'x'.repeat(220)}-${String(index)}`;
      const queue = { ...first.finding.queue, path: `/locks/${'x'.repeat(220)}-${String(index)}` };
      return { ...first, path, finding: { ...first.finding, queue, owner: { session: BigInt(index), alive: each } } };
    });
  };

  it.each<[OwnerStatus['alive'][], string]>([
    [['yes'], 'Delete 1 node with a living owner?'],
    [['unknown'], 'Delete 1 node that may still be in use?'],
    [['no', 'no'], 'Delete 2 nodes?'],
    [['yes', 'yes'], 'Delete 2 nodes with a living owner?'],
    [['no-owner', 'unknown'], 'Delete 2 nodes that may still be in use?'],
    [['no', 'yes', 'yes'], 'Delete 3 nodes, 2 with a living owner?'],
    [['no', 'unknown', 'no-owner'], 'Delete 3 nodes, 2 that may still be in use?'],
    [['no', 'yes', 'unknown'], 'Delete 3 nodes, 1 with a living owner, 1 that may still be in use?'],
  ])('has what is at stake as its title: %j', (alive, title) => {
    expect(staleQuestion(profile, withOwners(alive)).question).toBe(title);
  });

  it('warns before it names nodes, names three at most, those at stake first, and has all in a list', () => {
    const chosen = withOwners([...Array<'no'>(54).fill('no'), 'yes', 'unknown', 'no-owner']);
    const { detail } = staleQuestion(profileNamed('x'.repeat(300)), chosen);
    const lines = detail.split('\n');
    expect(lines[0]).toMatch(/^⚠ .*two holders/);
    expect(lines.filter(line => line.includes('x-'))).toEqual([
      expect.stringMatching(/x-54/), expect.stringMatching(/x-55/), expect.stringMatching(/x-56/),
    ]); // prettier-ignore
    expect(lines.at(-1)).toBe('and 54 more');
    expect(linesOnScreen(detail)).toBeLessThanOrEqual(15);
    const list = reportText(staleList(profile, chosen, now));
    for (const { path } of chosen) expect(list).toContain(path);
    expect(list).toContain('the leader does not know its session');
    expect(list.split(curatorName(0))).toHaveLength(1);
  });

  it('leaves nodes of living owners out until they are asked for, but not those that no session owns', () => {
    const findings = withOwners(['yes', 'no', 'unknown', 'no-owner']).flatMap(choice =>
      choice.kind === 'contender'
        ? [{ ...choice.finding, contender: { ...choice.finding.contender, path: choice.path } }]
        : [],
    );
    const { choices, living } = staleChoices(profile, findings, []);
    const aliveOf = (each: StaleChoice): unknown => (each.kind === 'contender' ? each.finding.owner.alive : undefined);
    expect(choices.map(aliveOf)).toEqual(['no', 'no-owner']);
    expect(living.map(aliveOf)).toEqual(['yes', 'unknown']);
    expect(living.some(({ isPicked }) => isPicked)).toBe(false);
    const many = staleChoices(profile, Array(30).fill(findings).flat(), []);
    expect([many.choices.length, many.living.length, many.leftOut]).toEqual([60, 40, 20]);
  });

  it('is reported node by node', () => {
    const text = reportText(
      staleReport({
        cluster: 'orders',
        reports: [
          { act: actOn('/l/a'), outcome: 'deleted' },
          { act: actOn('/l/b\nc'), outcome: 'changed' },
          { act: actOn('/l/d'), outcome: 'refused', error: new RefusedDelete('not-empty', '/l/d') },
          { act: actOn('/l/e'), outcome: 'cancelled', error: undefined },
        ] satisfies ActReport[],
        notes: ['2 more were left out'],
      }),
    );
    // What was not done comes before what was.
    expect(text).toMatch(
      /1 of 4 deleted\n2 more[^]*\/l\/b\\u000Ac\nleft alone[^]*has children now[^]*cancelled before\nDeleted\n\/l\/a$/,
    );
  });
});

describe('reports', () => {
  const cross = ([
    ['/locks/a', 1n, 2n],
    ['/locks/b', 2n, 1n],
  ] as const).map(([path, holder, waiter]) =>
    queueOf(
      [
        contender('h', { path: `${path}/h`, role: 'holder', ownerSession: holder, identifier: `app-${String(holder)}`, czxid: 1n }),
        contender('w', { path: `${path}/w`, ownerSession: waiter, waitsFor: 'h', identifier: `app-${String(waiter)}`, czxid: 2n }),
      ],
      { path },
    ),
  ); // prettier-ignore
  const report = (queues: LockQueue[], { gaps = [] as string[], ageMs = 45_000 } = {}): string =>
    reportText(
      deadlockReport({
        cluster: 'orders',
        readAt: now,
        queues,
        report: findDeadlocks(queues),
        cycleOf: edges => ({ edges, key: '', ageMs, isLasting: ageMs >= 30_000 }),
        mutualWaits: [],
        behindWriters: [],
        gaps,
      }),
    );

  it('name every cycle with its locks and sessions', () => {
    const text = report(cross);
    expect(text).toContain('1 deadlock found among 2 locks.');
    expect(text).toContain('Locks: /locks/a, /locks/b');
    expect(text).toMatch(/app-2 \(session 0x2\) waits at \/locks\/a for app-1 \(session 0x1\)/);
    expect(text).toMatch(/app-1 \(session 0x1\) waits at \/locks\/b for app-2 \(session 0x2\)/);
    expect(text).toContain('Cycle, seen for 45 s:');
    expect(text).toContain('or is force deleted');
    expect(text).toContain('Threads are not visible');
  });

  it('call a deadlock possible until it has lasted, and advise to look again', () => {
    const text = report(cross, { ageMs: 0 });
    expect(text).toContain('1 possible deadlock found among 2 locks.');
    expect(text).toMatch(/Possible deadlock 1: 2 sessions, 2 locks[^]*Cycle, seen for the first time:/);
    expect(text).toMatch(/Threads are not visible[^]*may end by itself: look again later/);
    expect(text).not.toMatch(/^Deadlock 1|force delete/m);
  });

  it('list holders of leases that all want another one as possible, whatever their age', () => {
    const text = report([semaphoreQueue('/locks/s', [1n, 2n, 1n, 2n], 2)]);
    expect(text).toContain('1 possible deadlock found in 1 lock.');
    expect(text).toMatch(/Possible deadlock within one lock 1: 2 sessions[^]*Sessions: session 0x1, session 0x2/);
    expect(text).toMatch(/Programs with several threads look the same and go on/);
    expect(text).not.toContain('force delete');
  });

  it('say so when there is none, and what was not seen', () => {
    expect(report(cross.slice(0, 1), { gaps: ['Locks not read: 3'] })).toMatch(
      /^No deadlock found among 1 lock\.[^]*Not seen\nLocks not read: 3/,
    );
  });

  it('name the sources that answered and those that did not', () => {
    const status = { session: 0x100n, alive: 'yes' as const, connection: facts([0x100n]).connections.get(0x100n)! };
    const text = reportText(
      ownerReport({ cluster: 'orders', contender: contender('x'), status, sources: facts([]).sources, now }),
    );
    expect(text).toMatch(/^The session is alive\.\n/);
    expect(text).toContain('Owner session: 0x100 from 10.0.0.7:4000, connected to zk1:2181');
    expect(text).toMatch(/Connected since .* \(1 min\)\nSession timeout: 4 s/);
    expect(text).toContain('zk2:2181, connections by AdminServer: cannot be reached (refused)');
  });

  it('say which sources were not counted, and which not even asked', () => {
    const line = (outcome: 'foreign' | 'own-machine' | 'local-network', detail = '') =>
      sourceLine({ server: 'zk2:2181', by: 'four-letter-word', question: 'dump', outcome, detail });
    expect(line('local-network', '169.254.169.254')).toMatch(/: not asked: .* link-local.* \(169\.254\.169\.254\)$/);
    expect(line('foreign')).toMatch(/^zk2:2181, sessions by four-letter word: it does not know .* another cluster$/);
    expect(line('own-machine')).toMatch(/: not asked: .* this machine/);
  });
});
