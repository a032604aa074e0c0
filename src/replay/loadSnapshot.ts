import { Znode } from '../dataTree/znode.ts';
import type { SnapshotFile } from './logFolder.ts';
import type { RecordedPast } from './recordedPast.ts';
import type { Problem } from './recording.ts';
import { readSnapshot } from './snapshotFile.ts';
import type { SnapshotNode } from './snapshotNodes.ts';

/** A snapshot in memory, not in use yet. */
export interface LoadedSnapshot {
  /** Of its name. */
  zxid: bigint;
  nodes: number;
  tree: ReturnType<RecordedPast['emptyTree']>;
  sessions: Map<bigint, number>;
  dbId: bigint;
  /** Of the last transaction that it shows, as a whole or in part. */
  lastZxid: bigint;
  /** Epoch ms: the latest change that it shows up to the zxid of its name; 0 without any. */
  time: number;
  problem?: Problem;
}

/** ZooKeeper's own node that releases before 3.5 have not; an empty tree has it. */
const configPath = '/zookeeper/config';

/** Reads a snapshot. What stands before damage is there. @throws the reason of the signal */
export async function loadSnapshot(
  past: RecordedPast,
  { path, zxid }: SnapshotFile,
  signal: AbortSignal | undefined,
): Promise<LoadedSnapshot> {
  const tree = past.emptyTree();
  const sessions = new Map<bigint, number>();
  let time = 0;
  const seen = new Set<string>();
  const node = (nodePath: string, facts: SnapshotNode): void => {
    tree.tree.restore(nodePath || '/', nodeOf(facts));
    if (facts.mzxid <= zxid && facts.mtime > time) time = facts.mtime;
    if (nodePath === configPath) seen.add(nodePath);
  };
  const options = { acls: past.acls, ...(signal && { signal }) };
  const session = (id: bigint, timeoutMs: number): void => void sessions.set(id, timeoutMs);
  const { dbId, lastZxid, nodes, problem } = await readSnapshot(path, { session, node }, options);
  if (!seen.has(configPath)) tree.tree.forget(configPath);
  return { zxid, nodes, tree, sessions, dbId, lastZxid, time, ...(problem && { problem }) };
}

function nodeOf(facts: SnapshotNode): Znode<NonNullable<SnapshotNode['data']>> {
  const node = new Znode(facts.data, facts.acl, facts.owner, facts.czxid, facts.ctime);
  node.mzxid = facts.mzxid;
  node.pzxid = facts.pzxid;
  node.mtime = facts.mtime;
  node.version = facts.version;
  node.aversion = facts.aversion;
  node.childrenCreated = facts.cversion;
  return node;
}
