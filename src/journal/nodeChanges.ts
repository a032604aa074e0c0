import type { JournalNode } from './entry.ts';

/** Whether a node was written in between, too, or its data were not known before. */
export function isWriteMissing(known: JournalNode, { czxid, version }: JournalNode): boolean {
  return known.czxid === czxid && (known.isUnread === true || version - known.version > 1);
}

/** Whether a node has not changed. */
export function isSame(one: JournalNode | undefined, { czxid, mzxid, version, isUnread, data }: JournalNode): boolean {
  if (one?.czxid !== czxid || one.mzxid !== mzxid || one.version !== version) return false;
  return one.isUnread === isUnread && Buffer.compare(one.data, data) === 0;
}

/** The last transaction that created or wrote one of the nodes; 0n: there are none. */
export function newestOf(nodes: Iterable<JournalNode>): bigint {
  let newest = 0n;
  for (const { czxid, mzxid } of nodes) {
    if (czxid > newest) newest = czxid;
    if (mzxid > newest) newest = mzxid;
  }
  return newest;
}
