import { expect, it } from 'vitest';
import { adler32 } from '../../../src/replay/adler32.ts';

/** RFC 1950, section 8.2, step by step. */
function byStep(bytes: Uint8Array): number {
  let low = 1;
  let high = 0;
  for (const byte of bytes) {
    low = (low + byte) % 65_521;
    high = (high + low) % 65_521;
  }
  return high * 0x1_0000 + low;
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

it('knows the checksum of a known text', () => {
  expect(adler32(viewOf(Buffer.from('Wikipedia')))).toBe(0x11e6_0398);
});

it.each([0, 1, 3, 4, 5, 3_791, 3_792, 3_793, 20_000, 100_003])('sums %i bytes of 0xff as step by step', length => {
  const bytes = Buffer.alloc(length, 0xff);
  expect(adler32(viewOf(bytes))).toBe(byStep(bytes));
});

it('sums a part only', () => {
  const bytes = Buffer.from(Array.from({ length: 10_000 }, (_, at) => (at * 7) & 0xff));
  expect(adler32(viewOf(bytes), 13, 9_001)).toBe(byStep(bytes.subarray(13, 9_001)));
});

it('goes on where a sum ended', () => {
  const bytes = Buffer.from(Array.from({ length: 10_000 }, (_, at) => (at * 11) & 0xff));
  const first = adler32(viewOf(bytes), 0, 4_321);
  expect(adler32(viewOf(bytes), 4_321, 10_000, first)).toBe(byStep(bytes));
});

it('refuses to read beyond the bytes', () => {
  expect(() => adler32(viewOf(Buffer.alloc(10)), 0, 11)).toThrow(RangeError);
});
