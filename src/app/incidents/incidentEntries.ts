import { parentPath } from '../../base/paths.ts';
import type { Moment } from '../../history/hold.ts';
import type { DirectoryReading } from '../../inspector/readDirectory.ts';
import type { OwnerFacts } from '../../inspector/owners/ownerFacts.ts';
import { asChild } from '../../incident/redactor.ts';
import type { JournalEntry, JournalNode } from '../../journal/entry.ts';
import { present } from '../../incident/lineFields.ts';
import { keptData } from '../../journal/keptData.ts';
import type { ChildNode } from '../../locks/lockDirectory.ts';

/** What the servers said of sessions, as entries. */
export function sessionEntries(owners: OwnerFacts | undefined, wanted: ReadonlySet<bigint>): JournalEntry[] {
  return [...wanted].flatMap((id): JournalEntry[] => {
    const connection = owners?.connections.get(id);
    const recorded = owners?.recorded?.get(id);
    if (connection === undefined)
      return recorded === undefined ? [] : [{ type: 'session', session: { id, ...recorded } }];
    const { address, timeoutMs } = connection;
    return [{ type: 'session', session: { id, address, ...present('timeoutMs', timeoutMs) } }];
  });
}

/** The nodes of some locks at one moment, as a journal of that moment. */
export function* momentEntries(
  readings: readonly DirectoryReading[],
  at: Moment,
  sessions: readonly JournalEntry[],
): Generator<JournalEntry> {
  yield { type: 'begin', at };
  yield* sessions;
  const seen = new Set<string>();
  for (const reading of readings) {
    for (const node of nodesOf(reading)) {
      // The directories of one semaphore may be read for two locks.
      if (seen.has(node.path)) continue;
      seen.add(node.path);
      yield { type: 'node', at, node };
    }
  }
  yield { type: 'complete', at };
}

function* nodesOf({ directory, unreadable }: DirectoryReading): Generator<JournalNode> {
  const { self, children, further } = directory;
  // A node of which nothing is known has no transaction that created it.
  if (self.czxid !== 0n) yield journalNode(self);
  for (const nodes of [children, ...further.values()]) for (const node of nodes) yield journalNode(node);
  const read = new Set([children, ...further.values()].flatMap(nodes => nodes.map(({ path }) => path)));
  for (const path of unreadable) if (!read.has(path)) yield unreadNode(path);
}

/** A node as it was read. When it was written last is known as a time only. */
function journalNode(node: ChildNode): JournalNode {
  const { path, czxid, createdAt, modifiedAt, version, ephemeralOwner, isUnread } = node;
  return {
    path,
    czxid,
    mzxid: czxid,
    ctime: createdAt,
    mtime: modifiedAt ?? createdAt,
    version,
    owner: ephemeralOwner,
    data: keptData(parentPath(path), node, false),
    ...(isUnread === true ? { isUnread } : {}),
  };
}

function unreadNode(path: string): JournalNode {
  const data = new Uint8Array(0);
  return { path, czxid: 0n, mzxid: 0n, ctime: 0, mtime: 0, version: 0, owner: 0n, data, isUnread: true };
}

/** Entries without the data that the lock does not need: a recorder may have kept all, an incident file does not. */
export async function* withoutData(entries: AsyncIterable<JournalEntry>): AsyncGenerator<JournalEntry> {
  for await (const entry of entries) {
    if (entry.type !== 'node') yield entry;
    else {
      const { node } = entry;
      yield { ...entry, node: { ...node, data: keptData(parentPath(node.path), asChild(node), false) } };
    }
  }
}

interface PastParts {
  readings: readonly DirectoryReading[];
  /** Paths of the contenders at `at`, with their czxid. */
  contenders: ReadonlyMap<string, bigint>;
  sessions: readonly JournalEntry[];
  /** The moment of the readings. */
  at: Moment;
}

/**
 * A span of the past that ends with what was read: where the past does not lead to it (a recorder writes a second later), a gap is
 * between them, as nothing is known of that time.
 *
 * @param past from a `begin` on, up to `at` at most
 */
export async function* pastEntries(
  past: AsyncIterable<JournalEntry>,
  { readings, contenders, sessions, at }: PastParts,
): AsyncGenerator<JournalEntry> {
  const state = new NodeTracker();
  let isLed = false;
  let isLate = false;
  for await (const entry of past) {
    // The recorder may be ahead of what was read.
    if ('at' in entry && entry.at.zxid > at.zxid) break;
    // Servers before 3.9 do not say which transaction deleted a node: such an entry has the transaction before it, and its time alone is later.
    if (!isLate && 'at' in entry && entry.at.time > at.time) {
      isLate = true;
      isLed = state.leadsTo(readings, contenders);
      if (isLed) break;
    }
    state.apply(entry);
    yield entry;
  }
  if (!isLed && !state.leadsTo(readings, contenders)) {
    yield* momentEntries(readings, at, sessions);
    return;
  }
  yield* sessions;
  yield { type: 'alive', at };
}

/** Which nodes are there after some entries. */
class NodeTracker {
  private nodes = new Map<string, bigint>();
  private isKnown = false;
  private repeated: Map<string, bigint> | undefined;

  apply(entry: JournalEntry): void {
    if (entry.type === 'begin') this.repeated = new Map();
    else if (entry.type === 'node') (this.repeated ?? this.nodes).set(entry.node.path, entry.node.czxid);
    else if (entry.type === 'gone') {
      this.repeated?.delete(entry.path);
      this.nodes.delete(entry.path);
    } else if (entry.type === 'complete') {
      if (this.repeated !== undefined) this.nodes = this.repeated;
      this.repeated = undefined;
      this.isKnown = true;
    } else if (entry.type === 'gap') this.isKnown = false;
  }

  /** Whether these are the nodes that were read: all contenders, and no others in their directories. */
  leadsTo(readings: readonly DirectoryReading[], contenders: ReadonlyMap<string, bigint>): boolean {
    if (!this.isKnown || this.repeated !== undefined) return false;
    for (const [path, czxid] of contenders) if (this.nodes.get(path) !== czxid) return false;
    const read = new Map<string, bigint>();
    for (const { directory } of readings) {
      read.set(directory.path, directory.self.czxid);
      for (const nodes of [directory.children, ...directory.further.values()]) {
        for (const { path, czxid } of nodes) read.set(path, czxid);
      }
    }
    const directories = new Set(readings.flatMap(({ directory }) => [directory.path, ...directory.further.keys()]));
    return [...this.nodes].every(([path, czxid]) => !directories.has(parentPath(path)) || read.get(path) === czxid);
  }
}
