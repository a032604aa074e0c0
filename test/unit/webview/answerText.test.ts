import { describe, expect, it } from 'vitest';
import { pageTexts } from '../../../src/panelTexts.ts';
import type { Answer, PanelSnapshot, PanelStatus } from '../../../src/protocol.ts';
import { answerText } from '../../../webview/answerText.ts';
import { PageTexts } from '../../../webview/pageTexts.ts';
import { answerOf, cardOf, contenderOf, noon, snapshotOf, type Sketch } from './snapshots.ts';
import { testTexts } from './testTexts.ts';

const texts = new PageTexts({ ...testTexts(), page: pageTexts }, 'en');
const second = 1_000;

function snapshot(
  sketches: Sketch[],
  change: Partial<Answer> = {},
  status: PanelStatus = { state: 'live' },
): PanelSnapshot {
  const shown = snapshotOf(sketches, { status });
  return { ...shown, answer: { ...shown.answer, ...change } };
}

/** A holder whose turn came between `most` and `least` ms ago. */
function heldFor(most: number, least = most, more: Partial<Answer['holders'][number]> = {}): Answer['holders'] {
  const heldSince = { earliest: noon - most, latest: noon - least };
  return [cardOf(contenderOf({ who: 'pay-worker-1' }, 0, undefined), { createdAt: noon - most, heldSince, ...more })];
}

const waiter: Sketch = { who: 'pay-worker-2' };
const reader: Sketch = { kind: 'read', isHolder: true };
const lease: Sketch = { kind: 'lease', isHolder: true, who: 'pay-worker-1' };

describe('the first sentence of the panel', () => {
  it.each<[string, PanelSnapshot, string]>([
    [
      'who, where, how long, who waits, who is next',
      snapshot([{}, waiter, {}, {}], { holders: heldFor(252 * second, 252 * second, { address: '10.1.2.3:42210' }) }),
      'Held by pay-worker-1 (10.1.2.3:42210) for 4 min 12 s; 3 wait, the longest for 6 min; next: pay-worker-2.',
    ],
    [
      'an unknown address is left out, and of an unknown hand-over both bounds are said',
      snapshot([{}], { holders: heldFor(64 * second, 5 * second) }),
      'Held by pay-worker-1 for 5 s to 1 min 4 s; none waits.',
    ],
    [
      'a hand-over that may have been just now',
      snapshot([{}, waiter], { holders: heldFor(64 * second, 0) }),
      'Held by pay-worker-1 for up to 1 min 4 s; 1 waits, for 6 min; next: pay-worker-2.',
    ],
    [
      'several readers, and who is next when the last one leaves',
      snapshot([reader, reader, reader, { ...waiter, kind: 'write' }]),
      'Held by 3 readers; 1 waits, for 6 min; next, when all have left: pay-worker-2.',
    ],
    [
      'readers that are let in together',
      snapshot([{}, waiter], { holders: heldFor(second), next: { ...nextOf(waiter), others: 3 } }),
      'Held by pay-worker-1 for 1 s; 1 waits, for 6 min; next: pay-worker-2 and 3 more.',
    ],
    ['leases', snapshot([lease, lease], { limit: 5 }), '2 of 5 leases held; none waits.'],
    [
      'a single lease',
      snapshot([lease], { limit: 5, holders: heldFor(second, second, { kind: 'lease' }) }),
      'Held by pay-worker-1 for 1 s; 1 of 5 leases held; none waits.',
    ],
    [
      'leases without a known limit',
      snapshot([lease, lease, waiter], { next: { ...nextOf(waiter), succession: 'limit-unknown' }, mayHold: 1 }),
      'Leases held: 2, the limit is not known; 1 waits, for 6 min; of those, 1 may hold, too; probably next: pay-worker-2.',
    ],
    [
      'a leader',
      snapshot([{ kind: 'candidate' }, waiter], {
        holders: heldFor(61 * second, 61 * second, { kind: 'candidate' }),
        next: { succession: 'election' },
      }),
      'Led by pay-worker-1 for 1 min 1 s; 1 waits, for 6 min; next: the one that the waiters elect.',
    ],
    [
      'a lock that is one node: those that wait are not seen',
      snapshot([{}], { holders: heldFor(second), next: { succession: 'race' } }),
      'Held by pay-worker-1 for 1 s; next: the first client that creates the node.',
    ],
    [
      'a node that may not be read has no age',
      snapshot([{}], { holders: heldFor(noon, noon, { isUnread: true }) }),
      'Held by pay-worker-1; none waits.',
    ],
    [
      'an unknown holder',
      snapshot([{ isHolder: false }], { isHolderUnknown: true, next: undefined }),
      'It is not known who holds it; 1 waits, for 6 min.',
    ],
    ['no holder', snapshot([{ isHolder: false }], { next: undefined }), 'No contender holds it; 1 waits, for 6 min.'],
    [
      'a lease that has ended',
      snapshot([{}], { holders: heldFor(second), isLeaseOver: true }),
      'The lease of pay-worker-1 has ended; none waits.',
    ],
    [
      'what is not current says so first, and counts to the last contact',
      snapshot([{}, waiter], { holders: heldFor(20 * second) }, lostAt(noon - 5 * second)),
      `Not current, as of ${texts.time(noon - 5 * second, noon)}. Held by pay-worker-1 for 15 s; 1 waits, for 5 min 55 s; next: pay-worker-2.`,
    ],
    [
      'and has no ages where no moment is known',
      snapshot([{}, waiter], { holders: heldFor(20 * second) }, { state: 'failed', text: 'no' }),
      'Not current. Held by pay-worker-1; 1 waits; next: pay-worker-2.',
    ],
  ])('says %s', (_, shown, expected) => {
    expect(answerText(shown, texts, noon)).toBe(expected);
  });

  it('has no ages when it is announced: they change every second', () => {
    const shown = snapshot([{}, waiter], { holders: heldFor(20 * second) });
    expect(answerText(shown, texts)).toBe('Held by pay-worker-1; 1 waits; next: pay-worker-2.');
  });
});

function nextOf(sketch: Sketch): NonNullable<Answer['next']> {
  const { next } = answerOf([contenderOf(sketch, 1, undefined)]);
  if (next === undefined) throw new Error('The sketch is no waiter.');
  return next;
}

function lostAt(lastContact: number): PanelStatus {
  return { state: 'disconnected', text: 'lost', lastContact };
}
