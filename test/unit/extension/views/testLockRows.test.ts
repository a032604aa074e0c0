import { describe, expect, it } from 'vitest';
import type { TestLock, TestLockState } from '../../../../src/app/testLocks/testLock.ts';
import { testLockLabels, testLockRow } from '../../../../src/extension/views/testLockRow.ts';
import type { Row } from '../../../../src/extension/views/row.ts';
import { lossText, silenceText } from '../../../../src/extension/words/lossText.ts';
import { standingText } from '../../../../src/extension/words/testLockText.ts';
import { hostileTexts, iconPattern, linkPattern, unseenPattern } from '../corpus.ts';
import { clusterNode, now, profileNamed } from '../fixtures.ts';
import { hold, testLock } from '../../app/testLocks/testLockFixtures.ts';

const clocks = { now: 12_000, epoch: now };

/** The row of the only test lock, or of one among others. */
function rowOf(lock: TestLock, others: readonly TestLock[] = []): Row {
  return testLockRow(lock, testLockLabels([lock, ...others]).get(lock)!, clocks);
}

function described(state: TestLockState): string {
  const { label, description } = rowOf(testLock(state));
  return `${label} | ${description}`;
}

describe('rows of test locks', () => {
  it.each<[TestLockState, string]>([
    [{ kind: 'connecting' }, 'a | connecting… · mutex · orders · /locks'],
    [
      {
        kind: 'waiting',
        standing: { position: 3, waitsFor: 'b', holder: 'a', path: '/locks/a' },
        uncertain: false,
      },
      'a | waits · position 3 · b is in front · held by a · mutex · orders · /locks',
    ],
    [{ kind: 'waiting', standing: undefined, uncertain: true }, 'a | uncertain, no contact · mutex · orders · /locks'],
    [{ kind: 'held', hold }, 'a | held · 0:50 left · mutex · token 0x1f · for 10 s · orders · /locks'],
    [
      { kind: 'held', hold: { ...hold, releasesAt: undefined } },
      'a | held · until released · mutex · token 0x1f · for 10 s · orders · /locks',
    ],
    [
      { kind: 'uncertain', hold, cause: { kind: 'session', cause: { kind: 'late' } } },
      'a | uncertain: The server answers late. · 0:50 left · mutex · token 0x1f · for 10 s · orders · /locks',
    ],
    [
      { kind: 'lost', hold, cause: { kind: 'session', cause: undefined }, at: now },
      'a | lost: The session is over. · mutex · token 0x1f · for 10 s · orders · /locks',
    ],
  ])('say what and why (%#)', (state, text) => {
    expect(described(state)).toBe(text);
  });

  it('give the state in words to a screen reader, and mark production', () => {
    const production = clusterNode({ profile: profileNamed('live', { environment: 'production' }) });
    const row = rowOf(testLock({ kind: 'held', hold }, { cluster: production }));
    expect(row.accessibleLabel).toMatch(/^Test lock \/locks\/a, held · 0:50 left, mutex/);
    expect(row.decoration).toBe('production');
  });

  it('are called by what distinguishes their locks, as in the Clusters view', () => {
    const at = (...paths: string[]): TestLock => testLock({ kind: 'held', hold }, { paths });
    const [pay, other] = [
      at('/platform/production/eu-central-1/pay/lock'),
      at('/platform/production/eu-central-1/tax/lock'),
    ];
    expect(rowOf(pay, [other]).label).toBe('pay/lock');
    expect(rowOf(pay, [other]).description).toMatch(/ · \/platform\/production\/eu-central-1$/);
    // Two readers of one lock.
    expect(rowOf(pay, [at(...pay.request.paths), other]).label).toBe('pay/lock');
    expect(rowOf(at('/eu/pay'), [at('/us/pay')]).label).toBe('eu/pay');
  });

  it('name the first of several locks and how many there are', () => {
    const lock = testLock({ kind: 'held', hold }, { recipe: 'several', paths: ['/a', '/b', '/c'] });
    const row = rowOf(lock);
    expect(row.label).toBe('a and 2 more');
    expect(row.tooltip).toMatch(/^\/a\n\/b\n\/c\n/);
  });

  it('offer to keep it longer only if it is released by itself', () => {
    const contextValue = (releasesAt: number | undefined): string =>
      rowOf(testLock({ kind: 'held', hold: { ...hold, releasesAt } })).contextValue;
    expect([contextValue(60_000), contextValue(undefined)]).toEqual(['testLock.held.timed', 'testLock.held']);
  });

  it('distinguish what can be released again from what is lost', () => {
    const contextValue = (state: TestLockState): string => rowOf(testLock(state)).contextValue;
    expect(contextValue({ kind: 'stuck', hold, error: new Error('no') })).toBe('testLock.stuck');
    expect(contextValue({ kind: 'lost', hold, cause: undefined, at: now })).toBe('testLock.lost');
  });
});

describe('messages about test locks', () => {
  it('report losses together', () => {
    const lost = testLock({
      kind: 'lost',
      hold,
      cause: { kind: 'session', cause: { kind: 'silent', timeoutMs: 400 } },
      at: 0,
    });
    expect(lossText([lost])).toBe(
      'The test lock /locks/a on orders is lost. There was no confirmed contact for 400 ms. Another client may hold it now.',
    );
    expect(lossText(Array.from({ length: 7 }, () => lost))).toMatch(
      /^7 test locks on orders are lost \(.*\/locks\/a, …\)\. There was no confirmed/,
    );
  });
});

describe('a test lock that was given up with its window', () => {
  it('says so in its row, the end first, and not that its time was up', () => {
    const description = (cause: 'time' | 'silent-window') =>
      rowOf(testLock({ kind: 'auto-released', at: now, cause })).description;
    expect(description('silent-window')).toMatch(/^given up at .*sign of life/);
    expect(description('time')).not.toMatch(/sign of life/);
  });

  it('is named in one message with all others', () => {
    const given = testLock({ kind: 'auto-released', at: now, cause: 'silent-window' });
    expect(silenceText([given])).toMatch(/60 s: \/locks\/a$/);
    expect(silenceText(Array.from({ length: 7 }, () => given))).toMatch(/(\/locks\/a, ){5}…$/);
  });
});

describe('everything that a test lock shows', () => {
  function texts(lock: TestLock): (string | undefined)[] {
    const { label, description, tooltip, accessibleLabel } = rowOf(lock);
    return [label, description, tooltip, accessibleLabel];
  }

  it('keeps foreign text dead', () => {
    for (const text of hostileTexts) {
      const standing = { position: 2, waitsFor: text, holder: `${text} `, path: text };
      const fields = {
        cluster: clusterNode({ profile: profileNamed(text) }),
        paths: [text],
        lockName: text,
        identifier: text,
      };
      const lost = testLock(
        { kind: 'lost', hold, cause: { kind: 'session', cause: { kind: 'expired', server: text } }, at: 0 },
        fields,
      );
      const shown = [
        ...texts(lost),
        ...texts(testLock({ kind: 'waiting', standing, uncertain: false }, fields)),
        ...texts(
          testLock(
            { kind: 'uncertain', hold: { ...hold, paths: [text] }, cause: { kind: 'unread', error: new Error(text) } },
            fields,
          ),
        ),
        ...texts(testLock({ kind: 'stuck', hold, error: new Error(text) }, fields)),
        standingText(standing),
        lossText([lost]),
        lossText([lost, lost]),
        silenceText([lost, lost]),
      ];
      for (const one of shown) {
        expect(String(one)).not.toMatch(linkPattern);
        expect(String(one)).not.toMatch(iconPattern);
        expect(String(one)).not.toMatch(unseenPattern);
      }
    }
  });
});
