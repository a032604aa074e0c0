import type { JournalEntry, JournalNode } from '../../../src/journal/entry.ts';

export const lock = '/locks/orders';

export function at(zxid: number): { zxid: bigint; time: number } {
  return { zxid: BigInt(zxid), time: zxid * 1_000 };
}

/** A contender of the lock. */
export function contender(number: number, owner: bigint, fields: Partial<JournalNode> = {}): JournalNode {
  const path = `${lock}/lock-${String(number).padStart(10, '0')}`;
  const czxid = fields.czxid ?? BigInt(number);
  const time = Number(czxid) * 1_000;
  const data = new TextEncoder().encode(`client ${number}`);
  return { path, czxid, mzxid: czxid, ctime: time, mtime: time, version: 0, owner, data, ...fields };
}

export function pathOf(number: number): string {
  return contender(number, 0n).path;
}

/** Of every type one or more: two clients take a lock one after the other. */
export const someEntries: readonly JournalEntry[] = [
  { type: 'begin', at: at(9) },
  { type: 'node', at: at(9), node: contender(1, 0x10n) },
  { type: 'complete', at: at(9) },
  { type: 'session', session: { id: 0x10n, address: '10.0.0.1:4711', host: 'h1', process: 'p1', timeoutMs: 30_000 } },
  { type: 'node', at: at(12), node: contender(12, -0x20n) },
  { type: 'gone', at: at(13), path: pathOf(1), czxid: 1n },
  { type: 'cause', path: pathOf(1), czxid: 1n, ended: 'deleted by another session', endedBy: 0x30n },
  { type: 'session', session: { id: 0x10n, ended: at(13), how: 'expired' } },
  { type: 'node', at: at(14), node: contender(12, -0x20n, { mzxid: 14n, mtime: 14_000, version: 1 }) },
  { type: 'alive', at: at(20) },
  { type: 'gap', at: at(20) },
  { type: 'begin', at: at(30) },
  { type: 'node', at: at(30), node: contender(12, -0x20n, { czxid: 0n, data: new Uint8Array(0), isUnread: true }) },
  { type: 'complete', at: at(31) },
  { type: 'begin', at: at(31), continues: true },
  { type: 'complete', at: at(32) },
];
