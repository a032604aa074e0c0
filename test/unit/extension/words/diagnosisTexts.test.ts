import { describe, expect, it } from 'vitest';
import { deadlockText } from '../../../../src/extension/words/deadlockText.ts';
import { mustTypeName, nameToType } from '../../../../src/app/deletes/lookAtContender.ts';
import { deleteQuestion, outcomeText } from '../../../../src/extension/words/deleteText.ts';
import { ownerDocument, sourceLine } from '../../../../src/extension/words/ownerText.ts';
import { documentText } from '../../../../src/extension/platform/readOnlyTexts.ts';
import type { ActReport, PlannedAct } from '../../../../src/app/deletes/deletePipeline.ts';
import { ownersOf, staleChoices, type StaleChoice } from '../../../../src/app/deletes/lookForStale.ts';
import { choiceText, staleQuestion, staleReport } from '../../../../src/extension/words/staleText.ts';
import { errorSentence } from '../../../../src/extension/words/errorText.ts';
import { deleteConsequences, type DeleteConsequences } from '../../../../src/inspector/deleteConsequences.ts';
import { findDeadlocks } from '../../../../src/inspector/findDeadlocks.ts';
import { findStale } from '../../../../src/inspector/findStale.ts';
import type { OwnerFacts } from '../../../../src/inspector/owners/ownerFacts.ts';
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

describe('the question before a force delete', () => {
  it('names everything, and for a living owner what that means', () => {
    const { question, detail } = deleteQuestion(profile, consequencesOf(twoOf(), facts([0x100n])));
    expect(question).toBe('Force delete the node that holds /locks/a?');
    expect(detail.split('\n')).toEqual([
      'Cluster: orders (development)',
      'Lock: /locks/a',
      `Node: /locks/a/${curatorName(0)}`,
      'Who: worker-0',
      'Kind: exclusive, holds, position 1, naming scheme: Curator',
      'Owner session: 0x100 from 10.0.0.7:4000, connected to zk1:2181',
      'The session is alive.',
      'Queued: 12 s ago. The hand-over was not seen, so it may hold for less.',
      'Gets the lock next: worker-1',
      '',
      '⚠ The owner is NOT notified. It continues to work as if it still held the lock.',
      '⚠ Two holders at the same time are possible.',
    ]);
  });

  const cases: [string, bigint, OwnerFacts | undefined, string, boolean][] = [
    ['alive', 0x100n, facts([0x100n]), 'The session is alive.', true],
    ['over', 0x100n, facts([]), 'The session is over', false],
    ['unknown, as a follower may lag', 0x100n, facts([], 'follower'), 'It is not known', true],
    ['unknown, as no server was asked', 0x100n, undefined, 'It is not known', true],
    ['none', 0n, facts([]), 'it stays until it is deleted', true],
  ];
  it.each(cases)('wants the name typed for a session that is %s', (_name, ownerSession, owners, text, isTyped) => {
    const consequences = consequencesOf(twoOf({ ownerSession }), owners);
    const { detail } = deleteQuestion(profile, consequences);
    expect(detail).toContain(text);
    expect(/not notified/i.test(detail)).toBe(isTyped);
    expect(mustTypeName(profile, [consequences.owner])).toBe(isTyped);
    expect(mustTypeName({ environment: 'production' }, [consequences.owner])).toBe(true);
  });

  it('asks for the name of the lock, which can be typed whatever it holds', () => {
    expect(nameToType({ path: '/locks/a', dialect: 'kazoo' })).toBe('a');
    expect(nameToType({ path: '/locks/a', lockName: 'b', dialect: 'kazoo' })).toBe('b');
    expect(nameToType({ path: '/locks/\u202Eb', dialect: 'kazoo' })).toBe('\\u202Eb');
  });

  it.each(hostileTexts)('shows %j as text', text => {
    const queue = { ...twoOf({ identifier: text, path: `/locks/a/${text}` }), path: `/x/${text}`, lockName: text };
    const { question, detail } = deleteQuestion(profileNamed(text), consequencesOf(queue, facts([0x100n])));
    for (const shown of [question, detail.replaceAll('\n', ' ')]) {
      expect(shown).not.toMatch(linkPattern);
      expect(shown).not.toMatch(unseenPattern);
    }
    expect(detail.split('\n')).toHaveLength(12);
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

  it('is asked about once, with every node, and typed where an owner may be alive', () => {
    const all = choicesWith(facts([]));
    const dead = all.filter(({ isPicked }) => isPicked);
    expect(mustTypeName(profile, ownersOf(dead))).toBe(false);
    expect(mustTypeName(profile, ownersOf(all))).toBe(true);
    expect(mustTypeName({ environment: 'production' }, ownersOf(dead))).toBe(true);
    const { question, detail } = staleQuestion(profile, all);
    expect(question).toBe('Delete 3 nodes?');
    for (const { path } of all) expect(detail).toContain(path);
    expect(staleQuestion(profile, dead).detail).not.toContain('may be alive');
    expect(detail).toContain('1 of the owners may be alive');
    const living = all.map(choice => {
      if (choice.kind !== 'contender') return choice;
      return { ...choice, finding: { ...choice.finding, owner: { session: 1n, alive: 'unknown' as const } } };
    });
    expect(mustTypeName(profile, ownersOf(living))).toBe(true);
    expect(staleQuestion(profile, living).detail).toContain('2 of the owners may be alive');
  });

  it('is reported node by node', () => {
    const text = staleReport(
      {
        cluster: 'orders',
        reports: [
          { act: actOn('/l/a'), outcome: 'deleted' },
          { act: actOn('/l/b\nc'), outcome: 'changed' },
          { act: actOn('/l/d'), outcome: 'refused', error: new RefusedDelete('not-empty', '/l/d') },
          { act: actOn('/l/e'), outcome: 'cancelled', error: undefined },
        ] satisfies ActReport[],
        notes: ['2 more were left out'],
      },
      documentText,
    );
    expect(text).toMatch(/1 of 4 deleted[^]*\/l\/a\n {4}deleted\n\/l\/b\\u000Ac\n {4}left alone[^]*has children now/);
    expect(text).toMatch(/cancelled before\n\n2 more/);
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
    deadlockText(
      {
        cluster: 'orders',
        readAt: now,
        queues,
        report: findDeadlocks(queues),
        cycleOf: edges => ({ edges, key: '', ageMs, isLasting: ageMs >= 30_000 }),
        mutualWaits: [],
        behindWriters: [],
        gaps,
      },
      documentText,
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
    expect(text).toMatch(/may end by itself: look again later[^]*Threads are not visible/);
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
      /No deadlock found among 1 lock\.[^]*Not seen:\n {2}Locks not read: 3/,
    );
  });

  it('name the sources that answered and those that did not', () => {
    const status = { session: 0x100n, alive: 'yes' as const, connection: facts([0x100n]).connections.get(0x100n)! };
    const text = ownerDocument(
      { cluster: 'orders', contender: contender('x'), status, sources: facts([]).sources, now },
      documentText,
    );
    expect(text).toContain('Owner session: 0x100 from 10.0.0.7:4000, connected to zk1:2181');
    expect(text).toMatch(/Connected since .* \(1 min\)\nSession timeout: 4000 ms/);
    expect(text).toContain('zk2:2181, connections by AdminServer: cannot be reached (refused)');
  });

  it('say which sources were not counted, and which not even asked', () => {
    const line = (outcome: 'foreign' | 'own-machine') =>
      sourceLine({ server: 'zk2:2181', by: 'four-letter-word', question: 'dump', outcome, detail: '' });
    expect(line('foreign')).toMatch(/^zk2:2181, sessions by four-letter word: it does not know .* another cluster$/);
    expect(line('own-machine')).toMatch(/: not asked: .* this machine/);
  });
});
