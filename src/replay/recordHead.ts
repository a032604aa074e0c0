import { adler32 } from './adler32.ts';

/** What stands before a record of a log: long checksum, int length. */
export const headBytes = 12;
/** What stands behind it (FileTxnLog.java). */
export const terminator = 0x42;
/** TxnHeader: no record is shorter. */
const shortestRecord = 32;
/** Bytes of which checksums are taken: some 2 ms. */
const mostSummed = 2_097_152;
/** So many places are passed at once where there are only zeros, which servers fill their files up with. */
const partBytes = 4_096;
const zeros = Buffer.alloc(partBytes + headBytes);

/**
 * Looks for an intact record that may begin anywhere, as there is one behind damage that is no end of a log: a crash leaves nothing behind
 * the record that it interrupts.
 *
 * @param start where it may begin at first
 * @param end behind the last byte that it may have
 * @returns where it begins; also for the last one of very many that only look like one, which no crash leaves either; -1: there is none
 */
export function findRecord(buffer: Buffer, start: number, end: number): number {
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
  let left = mostSummed;
  for (let part = start; part < end; part += partBytes) {
    const partEnd = Math.min(end, part + partBytes);
    if (isZero(buffer, part, Math.min(end, partEnd + headBytes))) continue;
    for (let at = part; at < partEnd; at++) {
      const length = recordLength(view, at, end);
      if (length === 0) continue;
      left -= length;
      const first = at + headBytes;
      if (left < 0 || view.getUint32(at + 4) === adler32(view, first, first + length)) return at;
    }
  }
  return -1;
}

function isZero(buffer: Buffer, start: number, end: number): boolean {
  return buffer.compare(zeros, 0, end - start, start, end) === 0;
}

/** @returns 0 for what does not look like a record */
function recordLength(view: DataView, at: number, end: number): number {
  if (at + headBytes + shortestRecord >= end || view.getInt32(at) !== 0) return 0;
  const length = view.getInt32(at + 8);
  const last = at + headBytes + length;
  return length >= shortestRecord && last < end && view.getUint8(last) === terminator ? length : 0;
}
