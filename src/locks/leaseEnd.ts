import { firstField, jsonObjectOf } from './identifier.ts';
import type { Contender } from './lockQueue.ts';

// kazoo's NonBlockingLease writes into its node until when it holds, as a UTC time without a zone (docs/dialects.md, section 3).
// The node is persistent and stays when that time is over; a renewal makes it anew.

/** Clocks of machines differ: a lease is over only when that cannot be the reason. */
const clockToleranceMs = 60_000;

/** @returns epoch ms, `undefined` if the data say no end */
export function leaseEnd(data: Uint8Array): number | undefined {
  const fields = jsonObjectOf(data);
  const text = fields === undefined ? '' : firstField(fields, ['end']);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/.test(text)) return undefined;
  const end = Date.parse(`${text}Z`);
  return Number.isNaN(end) ? undefined : end;
}

/** @param now epoch ms */
export function isLeaseOver({ leaseEndsAt }: Contender, now: number): boolean {
  return leaseEndsAt !== undefined && leaseEndsAt + clockToleranceMs < now;
}
