import type { Moment } from '../history/hold.ts';
import type { JournalEntry } from './entry.ts';
import type { JournalNodes } from './journalNodes.ts';
import type { JournalSessions } from './journalSessions.ts';

/** Of sessions that live and own nothing now: they may own something later in the file. */
const mostIdle = 1_000;

/** What is known at a moment, as the entries that begin a file which goes on from another one. */
export function* stateEntries(at: Moment, tree: JournalNodes, book: JournalSessions): Iterable<JournalEntry> {
  yield { type: 'begin', at, continues: true };
  const owners = new Set<bigint>();
  for (const { owner } of tree.nodes()) owners.add(owner);
  const idle: bigint[] = [];
  for (const [id, { ended }] of book.all) if (ended === undefined && !owners.has(id)) idle.push(id);
  const named = new Set([...owners, ...idle.slice(-mostIdle)]);
  for (const id of book.all.keys()) if (named.has(id)) yield { type: 'session', session: book.entryOf(id) };
  for (const node of tree.nodes()) yield { type: 'node', at, node };
  yield { type: 'complete', at };
}
