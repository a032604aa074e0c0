import { describe, expect, it } from 'vitest';
import { isTrue, type Sight } from '../../../src/scenario/claims.ts';
import { Grants } from '../../../src/scenario/grants.ts';
import type { Attempted, Place } from '../../../src/scenario/places.ts';
import { readScenario } from '../../../src/scenario/readScenario.ts';
import type { Claim } from '../../../src/scenario/scenario.ts';
import { sightText } from '../../../src/scenario/sightText.ts';
import type { Lease, LeaseState } from '../../../src/recipes/lock.ts';

const [path, other] = ['/s/orders', '/s/other'];

/** A claim as it is written, about `/s/orders` where it says nothing else. */
function claimOf(text: string): { readonly claim: Claim; readonly paths: readonly string[] } {
  const sessions = ['A', 'B', 'C'].map(name => `${name}: acquire mutex`).join('\n');
  const { scenario, paths, problems } = readScenario(`path: ${path}\n${sessions}\nexpect: ${text}`);
  const step = scenario.steps.at(-1);
  const claim = step?.kind === 'expect' ? step.claims[0] : undefined;
  if (problems.length > 0 || claim === undefined) throw new Error(`${text}: ${JSON.stringify(problems)}`);
  return { claim, paths: paths.get(claim) ?? (claim.kind === 'nothing stale' ? [path, other] : []) };
}

const A: Place = { member: 'A', shown: 'A', role: 'holder', isStale: false };
const B: Place = { member: 'B', shown: 'B', role: 'waiter', waitsFor: A, isStale: false };
const C: Place = { member: 'C', shown: 'C', role: 'waiter', waitsFor: B, isStale: true };
const foreign: Place = { shown: '"pay-7" (0x1)', role: 'holder', isStale: false };

const attempt = (state: Attempted['state'], recipe: Attempted['recipe'] = 'mutex'): Attempted => ({
  recipe,
  paths: [path],
  state,
  ownPaths: [],
});

const sight: Sight = {
  places: new Map([
    [path, [A, B, C]],
    [other, []],
  ]),
  unreadable: new Set(),
  attempts: new Map([
    ['A', [attempt('timed out'), attempt('held')]],
    ['B', [attempt('waiting')]],
    ['C', [attempt('lost')]],
  ]),
  deadlocks: [['B', 'C']],
  grants: new Map([[path, [{ token: 5n, above: 0n }]]]),
  woken: { since: 3, naive: 10 },
};

describe('a claim', () => {
  it.each([
    'A holds',
    'B waits',
    'B waits for A',
    'C waits for B',
    'holders A',
    'holders A and A',
    'waiters B then C',
    '/s/other no holders',
    '/s/other no waiters',
    '/s/other empty',
    'deadlock between B and C',
    'deadlock between C and B',
    'C stale',
    '/s/other nothing stale',
    'tokens grow',
    'C lost',
    'woken at most 3',
    'woken at least 3',
    'naive woken at most 10',
  ])('is true: %s', text => {
    const { claim, paths } = claimOf(text);
    expect(isTrue(claim, paths, sight)).toBe(true);
  });

  it.each([
    ...['B holds', 'A waits', 'C waits for A', 'B waits for C', 'A waits for B', '/s/other A holds'],
    ...[
      'holders A and B',
      'no holders',
      'waiters C then B',
      'waiters B',
      'no waiters',
      'empty',
      'waiters B then C then A',
    ],
    ...['no deadlock', 'deadlock between A and B', 'deadlock between A and B and C', 'deadlock between B'],
    ...['A stale', 'nothing stale', '/s/other tokens grow', 'A times out', 'A lost', 'A uncertain', 'B lost'],
    ...['woken at most 2', 'woken at least 4', 'predecessor woken at most 1000', 'predecessor woken at least 0'],
  ])('is not true: %s', text => {
    const { claim, paths } = claimOf(text);
    expect(isTrue(claim, paths, sight)).toBe(false);
  });

  it('that a session holds needs its recipe, too', () => {
    const { claim, paths } = claimOf('A holds');
    for (const state of ['uncertain', 'lost', 'waiting'] as const) {
      const attempts = new Map([['A', [attempt(state)]]]);
      expect(isTrue(claim, paths, { ...sight, attempts })).toBe(false);
    }
    // Of other programs the queue is all that is known.
    expect(isTrue(claim, paths, { ...sight, attempts: new Map() })).toBe(true);
  });

  it('about all holders counts those that have no name', () => {
    const places = new Map([[path, [foreign]]]);
    for (const text of ['no holders', 'holders A', 'empty']) {
      const { claim, paths } = claimOf(text);
      expect(isTrue(claim, paths, { ...sight, places })).toBe(false);
    }
  });

  it('that a lock is empty is not true while a node cannot be read', () => {
    const { claim, paths } = claimOf('/s/other empty');
    expect(isTrue(claim, paths, { ...sight, unreadable: new Set([other]) })).toBe(false);
  });
});

describe('fencing tokens', () => {
  const lease = (fencingToken: bigint, state: LeaseState): Lease => ({ fencingToken, state }) as Lease;
  const grows = (grants: Grants) =>
    isTrue(claimOf('tokens grow').claim, [path], { ...sight, grants: new Map([[path, grants.at(path)]]) });

  it('of exclusive locks grow from each grant to the next', () => {
    const grants = new Grants();
    expect(grows(grants)).toBe(false);
    grants.note(path, lease(5n, 'held'), { name: 'mutex' });
    grants.note(path, lease(5n, 'held'), { name: 'mutex' });
    grants.note(path, lease(9n, 'held'), { name: 'write' });
    expect(grows(grants)).toBe(true);
    grants.note(path, lease(7n, 'held'), { name: 'mutex' });
    expect(grows(grants)).toBe(false);
  });

  it('of readers and leases are above those that had ended before', () => {
    const grants = new Grants();
    grants.note(path, lease(5n, 'released'), { name: 'write' });
    grants.note(path, lease(9n, 'held'), { name: 'read' });
    grants.note(path, lease(7n, 'held'), { name: 'read' });
    expect(grows(grants)).toBe(true);
    grants.note(path, lease(4n, 'held'), { name: 'semaphore', maxLeases: 2 });
    expect(grows(grants)).toBe(false);
  });
});

describe('what was seen', () => {
  const seen = (text: string, at: Sight = sight) => sightText([claimOf(text)], at).split('\n');

  it('is the queue in the words of the language, with what the recipes know', () => {
    expect(seen('B holds')).toEqual([path, '  A holds', '  B waits for A', '  C waits for B (lost, stale)']);
    expect(seen('/s/other A holds')).toEqual([other, '  empty', 'A: -']);
  });

  it('says what no queue shows', () => {
    expect(seen('woken at most 2').at(-1)).toBe('woken 3');
    expect(seen('predecessor woken at most 2')).toEqual(['predecessor woken -']);
    expect(seen('no deadlock').at(-1)).toBe('deadlock between B and C');
    expect(seen('deadlock between A and B', { ...sight, deadlocks: [] }).at(-1)).toBe('no deadlock');
    expect(seen('tokens grow').at(-1)).toBe('tokens 5');
    expect(seen('/s/other tokens grow').at(-1)).toBe('tokens -');
    expect(seen('B times out').at(-1)).toBe('B: waiting');
  });

  it('is all queues where the claim is about all', () => {
    expect(seen('no deadlock').slice(0, -1)).toEqual([...seen('A lost').slice(0, -1), other, '  empty']);
  });

  it('of a long queue is cut', () => {
    const places = new Map([[path, Array.from({ length: 500 }, () => B)]]);
    const lines = seen('no waiters', { ...sight, places });
    expect(lines).toHaveLength(52);
    expect(lines.at(-1)).toBe('  … 450');
  });
});
