import { describe, expect, it } from 'vitest';
import { readSequence } from '../../../src/locks/sequence.ts';

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
