import { describe, expect, it } from 'vitest';
import { unpackSnappy } from '../../../src/replay/snappy.ts';

function block(...parts: (number | string)[]): Buffer {
  return Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))));
}

describe('unpacks', () => {
  it.each([
    ['nothing', block(0), ''],
    ['a literal', block(5, (5 - 1) << 2, 'hello'), 'hello'],
    ['a literal with a length of one byte', block(70, 60 << 2, 69, 'x'.repeat(70)), 'x'.repeat(70)],
    ['a literal with a length of two bytes', block(0x80 | 44, 2, 61 << 2, 43, 1, 'y'.repeat(300)), 'y'.repeat(300)],
    ['a copy with an offset of 11 bits', block(8, 3 << 2, 'abcd', 1, 4), 'abcdabcd'],
    ['a copy with an offset of two bytes', block(8, 3 << 2, 'abcd', (3 << 2) | 2, 4, 0), 'abcdabcd'],
    ['a copy with an offset of four bytes', block(8, 3 << 2, 'abcd', (3 << 2) | 3, 4, 0, 0, 0), 'abcdabcd'],
    ['a copy of what it adds itself', block(12, 1 << 2, 'ab', (9 << 2) | 2, 2, 0), 'abababababab'],
  ])('%s', (_, packed, expected) => {
    expect(unpackSnappy(packed).toString()).toBe(expected);
  });
});

describe('refuses', () => {
  it.each([
    ['no byte at all', block()],
    ['a length without an end', block(0x80, 0x80, 0x80, 0x80, 0x80, 0)],
    ['a length that no block of its size can have', block(0xff, 0xff, 0xff, 0x7f, 0, 'a')],
    ['a literal beyond its end', block(5, 4 << 2, 'hell')],
    ['a literal that is longer than the block says', block(4, 4 << 2, 'hello')],
    ['a copy from before its start', block(8, 3 << 2, 'abcd', 1, 5)],
    ['a copy from nowhere', block(8, 3 << 2, 'abcd', 1, 0)],
    ['a copy that is longer than the block says', block(5, 3 << 2, 'abcd', 1, 4)],
    ['a copy without its offset', block(8, 3 << 2, 'abcd', 2, 4)],
    ['fewer bytes than it says', block(9, 3 << 2, 'abcd', 1, 4)],
  ])('%s', (_, packed) => {
    expect(() => unpackSnappy(packed)).toThrow(RangeError);
  });
});
