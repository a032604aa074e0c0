import { firstField, jsonObjectOf } from '../locks/identifier.ts';
import type { LockQueue } from '../locks/lockQueue.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';

/**
 * Reads until when leases hold that say so in their data: kazoo's NonBlockingLease writes `end`, a UTC time without a zone
 * (docs/dialects.md, section 3). Such a node is persistent and stays when its time is over.
 *
 * @returns epoch ms by path; what does not say it is left out
 * @throws NotConnectedError, ReplyLostError or CancelledError if reading fails
 */
export async function readLeaseEnds(
  client: ZooKeeperClient,
  queues: readonly LockQueue[],
  signal?: AbortSignal,
): Promise<Map<string, number>> {
  const leases = queues.filter(({ dialect }) => dialect === 'kazoo-lease').flatMap(({ contenders }) => contenders);
  const ends = new Map<string, number>();
  if (leases.length === 0) return ends;
  const results = await client.readMany(
    leases.map(({ path }) => ({ op: 'getData', path })),
    signal && { signal },
  );
  for (const result of results) {
    const end = result.op === 'getData' ? leaseEnd(result.data) : undefined;
    if (end !== undefined) ends.set(result.path, end);
  }
  return ends;
}

/** @returns epoch ms, `undefined` if the data say no end */
export function leaseEnd(data: Uint8Array): number | undefined {
  const fields = jsonObjectOf(data);
  const text = fields === undefined ? '' : firstField(fields, ['end']);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/.test(text)) return undefined;
  const end = Date.parse(`${text}Z`);
  return Number.isNaN(end) ? undefined : end;
}
