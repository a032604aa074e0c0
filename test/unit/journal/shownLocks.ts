import { SharedTurns } from '../../../src/base/interruptible.ts';
import { findLocks } from '../../../src/inspector/findLocks.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import type { JournalEntry } from '../../../src/journal/entry.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';
import { MomentClient } from '../../../src/replay/momentClient.ts';
import type { Recording } from '../../../src/replay/recording.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { brief, type FollowedTree } from '../replay/followedTree.ts';

/** What a person sees of queues, but for objects without a name, which a journal does not keep. */
function shown(queues: readonly LockQueue[]): string[] {
  const lines = queues.flatMap(({ path, lockName = '', dialect, maxLeases, contenders }) =>
    contenders.map(({ name, role, kind, waitsFor, identifier, czxid, createdAt }) =>
      [path, lockName, dialect, maxLeases, name, role, kind, waitsFor, who(identifier), czxid, createdAt].join(' '),
    ),
  );
  return [...new Set(lines)].sort();
}

function who(identifier: string): string {
  return identifier.startsWith('{') ? '' : identifier;
}

/** What a search finds, and what is read of it. */
export async function shownBy(client: ZooKeeperClient): Promise<string[]> {
  const { locks } = await findLocks(client, '/');
  const queues: LockQueue[] = [];
  for (const path of new Set(locks.map(lock => lock.path))) queues.push(...(await readQueues(client, path)));
  return shown(queues);
}

/** What is read at a path. */
export async function shownAt(client: ZooKeeperClient, path: string): Promise<string[]> {
  return (await client.exists(path)) === undefined ? [] : shown(await readQueues(client, path));
}

/** What is there now. */
export function shownNow({ tree, moment }: FollowedTree): Promise<string[]> {
  return shownBy(
    new MomentClient(
      { isClosed: false, turns: new SharedTurns(), treeAt: () => Promise.resolve(tree), isCurrent: () => true },
      moment,
    ),
  );
}

export async function* inBatches(entries: readonly JournalEntry[]): AsyncGenerator<JournalEntry[]> {
  for (let at = 0; at < entries.length; at += 7) yield await Promise.resolve(entries.slice(at, at + 7));
}

export function holdsOf(recording: Pick<Recording, 'holds' | 'waits'>): string[] {
  return [...recording.holds(), ...recording.waits()].map(brief).sort();
}

/** The ends behind a transaction, up to another one, whose cause is known. */
export function endsOf(of: Recording, from: bigint, to: bigint): string[] {
  return [...of.holds(), ...of.waits()]
    .filter(({ to: end, ended }) => end !== undefined && ended !== 'unknown' && end.zxid > from && end.zxid <= to)
    .map(({ path, name, czxid, to: end, ended, endedBy }) => [path, name, czxid, end?.zxid, ended, endedBy].join(' '))
    .sort();
}
