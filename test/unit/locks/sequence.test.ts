import { describe, expect, it } from 'vitest';
import { atOnce } from '../../../src/base/interruptible.ts';
import type { LockDirectory } from '../../../src/locks/lockDirectory.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';
import { recogniseQueues } from '../../../src/locks/recognition/recognise.ts';
import { inNumberOrder, readSequence } from '../../../src/locks/sequence.ts';
import { seededRandom } from '../../support/seededRandom.ts';
import { directory } from './directory.ts';

describe('readSequence', () => {
  it.each<[string, [string, number][]]>([
    ['lock-0000000000', [['lock-', 0]]],
    ['0000000007', [['', 7]]],
    ['x-72057736222474241-0000000012', [['x-72057736222474241-', 12]]],
    // Past the end of the counter, written by the server as %010d.
    ['p--2147483648', [['p-', -2147483648]]],
    ['n_-2147483648', [['n_', -2147483648]]],
    ['p-000000005', [['p', -5]]],
    ['p--000000005', [['p-', -5]]],
    // The dash is a sign or the end of the prefix.
    [
      'p-2147483647',
      [
        ['p-', 2147483647],
        ['p', -2147483647],
      ],
    ],
    [
      'p--2147483647',
      [
        ['p-', -2147483647],
        ['p--', 2147483647],
      ],
    ],
    // A counter below a billion is never written with a minus and ten digits.
    ['p-0000000005', [['p-', 5]]],
    ['p9999999999', []],
    ['p-9999999999', []],
    ['p-000000000', []],
    ['123456789', []],
    ['lock-', []],
    ['', []],
    ['__proto__', []],
    ['lock-00000000٣٤', []],
  ])('%s', (name, expected) => {
    expect(readSequence(name).map(({ stem, sequence }) => [stem, sequence])).toEqual(expected);
  });

  it('gives a stem and a suffix that make up the name', () => {
    for (const name of ['a-0000000001', 'a--2147483648', 'a-000000009', 'a-2147483647']) {
      for (const { stem, suffix } of readSequence(name)) expect(stem + suffix).toBe(name);
    }
  });
});

/** The queues, with the names of strangers and hazards in no order: nothing depends on it. */
function queuesOf(of: LockDirectory): LockQueue[] {
  return recogniseQueues(of).map(queue => ({
    ...queue,
    strangers: queue.strangers.toSorted(),
    hazards: queue.hazards.map(({ kind, names }) => ({ kind, names: names.toSorted() })),
  }));
}

describe('inNumberOrder', () => {
  it('goes by the ten digits at the end, and keeps the order of those that have the same', () => {
    const names = ['b-0000000002', 'a-2147483647', 'd-0000000001', 'c-0000000002', '0000000000'];
    const sorted = ['0000000000', 'd-0000000001', 'b-0000000002', 'c-0000000002', 'a-2147483647'];
    expect(atOnce(inNumberOrder(names))).toEqual(sorted);
  });

  it.each(['p-000000005', 'p9999999999', 'config', '123', '', 'lock-00000000٣٤'])(
    'leaves a list with %j as it is',
    name => {
      const names = ['b-0000000002', name, 'a-0000000001'];
      expect(atOnce(inNumberOrder(names))).toBe(names);
    },
  );

  const guid = (at: number): string => `${String(at).padStart(8, '0')}-89ab-cdef-0123-456789abcdef`;

  /** Curator keeps the server's order of those that have the same number. */
  it.each<[string, (at: number) => string]>([
    ["Curator's mutex", at => `_c_${guid(at)}-lock-`],
    [
      "Curator's mutex among children of others that it counts",
      at => (at % 2 === 0 ? `_c_${guid(at)}-lock-` : `${at}lock-`),
    ],
    ["Curator's readers and writers", at => `_c_${guid(at)}-${at % 2 === 0 ? '__READ__' : '__WRIT__'}`],
    ["Curator's latch", at => `_c_${guid(at)}-latch-`],
    ['one text before the number', () => 'read-'],
    ['an unknown library', at => `client${at}_`],
    ['numbers alone', () => ''],
  ])('changes no queue of a random listing: %s', (_, stemOf) => {
    const random = seededRandom(11);
    for (let round = 0; round < 50; round++) {
      // Of few numbers most are there several times.
      const numbers = random.pick([20, 2_147_483_648]);
      const names = Array.from(
        { length: 30 },
        (_value, at) => stemOf(at) + String(random.below(numbers)).padStart(10, '0'),
      );
      const listed = directory('/lock', [...new Set(names)]);
      const byName = new Map(listed.children.map(node => [node.name, node]));
      const children = atOnce(inNumberOrder([...byName.keys()])).map(name => ({ ...byName.get(name)! }));
      expect(queuesOf({ ...listed, children })).toEqual(queuesOf(listed));
    }
  });
});
