import { matchStems, type Dialect } from '../dialect.ts';
import type { ChildNode } from '../lockDirectory.ts';
import { partOf, shorten, textOf } from '../nodeData.ts';

// Hive's ZooKeeper lock manager (docs/dialects.md, section 4): no queue and no watch, a loser deletes its node and
// tries again later. Semi-shared nodes are never checked as blockers. Explicit LOCK TABLE makes nodes that outlive the
// session. Data: `queryId:lockTime:lockMode:queryStr:clientIp`; Hive takes the colons out of all but the address, and cuts the
// query at a million characters.

/** What the data of a lock says; '' for what it does not. Foreign text. */
interface LockData {
  queryId: string;
  mode: string;
  query: string;
  address: string;
}

const HEAD = /^([^:]{1,200}):\d{1,19}:(EXPLICIT|IMPLICIT):/;
const ADDRESS = /^[\w.:%-]{1,100}$/;
/** Read of each of many nodes, so little of a long query: the fields before it and a part to show, and the address behind it. */
const HEAD_BYTES = 1024;
const TAIL_BYTES = 128;

/** @returns undefined for data of another form */
function readLockData(data: Uint8Array): LockData | undefined {
  const head = partOf(data, 0, HEAD_BYTES);
  const [fields, queryId, mode] = HEAD.exec(head) ?? [];
  if (fields === undefined || queryId === undefined || mode === undefined) return undefined;
  const rest = head.slice(fields.length);
  const tail = data.length <= HEAD_BYTES ? rest : partOf(data, data.length - TAIL_BYTES, data.length);
  const [query = ''] = rest.split(':', 1);
  const address = tail.slice(tail.indexOf(':') + 1 || tail.length);
  return { queryId: given(queryId), mode, query: given(query), address: ADDRESS.test(address) ? given(address) : '' };
}

/** Java writes what it does not know as `null`. */
function given(text: string): string {
  return text === 'null' ? '' : text;
}

function identify({ data }: ChildNode): string {
  const lock = readLockData(data);
  if (lock === undefined) return textOf(data);
  return [lock.queryId, lock.mode, lock.address].filter(part => part !== '').join(', ');
}

export const hive: Dialect = {
  id: 'hive',
  match: matchStems({
    'LOCK-SHARED-': { kind: 'read' },
    'LOCK-SEMI_SHARED-': { kind: 'read', isNeverWaitedFor: true },
    'LOCK-EXCLUSIVE-': { kind: 'write' },
  }),
  rule: { type: 'read-write', readerWatches: 'nothing' },
  makesPersistent: 'by-design',
  identify,
  // Queries have lines; the details are one.
  detailsOf: ({ data }) => shorten((readLockData(data)?.query ?? '').replace(/\s+/g, ' ')),
};
