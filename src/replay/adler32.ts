const modulus = 65_521;
/** So many bytes keep both sums below 2^31, where V8 computes with machine integers: modulo is taken once for all of them. */
const bytesPerModulo = 3_792;

/**
 * The Adler-32 checksum of some bytes (RFC 1950, section 8), as ZooKeeper has it in its logs and snapshots.
 *
 * @param start where they begin
 * @param end behind the last one
 * @param before checksum of what stands before them, where all of it comes in pieces
 * @returns an unsigned 32-bit number
 * @throws RangeError when they are not within the view
 */
export function adler32(view: DataView, start = 0, end = view.byteLength, before = 1): number {
  let low = before & 0xffff;
  let high = before >>> 16;
  let at = start;
  while (at < end) {
    const partEnd = Math.min(end, at + bytesPerModulo);
    for (; at + 4 <= partEnd; at += 4) {
      const word = view.getInt32(at);
      const first = word >>> 24;
      const second = (word >>> 16) & 0xff;
      const third = (word >>> 8) & 0xff;
      const fourth = word & 0xff;
      // What four single steps add, without each of them waiting for the one before.
      high += 4 * (low + first) + 3 * second + 2 * third + fourth;
      low += first + second + third + fourth;
    }
    for (; at < partEnd; at++) {
      low += view.getUint8(at);
      high += low;
    }
    low %= modulus;
    high %= modulus;
  }
  return high * 0x1_0000 + low;
}
