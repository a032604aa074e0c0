import type { Transaction } from '../../src/dataTree/transaction.ts';
import { readLog } from '../../src/replay/logFile.ts';
import { listLogFolder } from '../../src/replay/logFolder.ts';
import type { StoredData } from '../../src/replay/storedData.ts';

/** Life of an ephemeral node as the servers' transactions have it. */
export interface NodeLife {
  czxid: bigint;
  owner: bigint;
  /** When the leader prepared the transaction that ended it, epoch ms: never later than the node was gone. `undefined`: it lives. */
  deletedAt?: number;
}

/**
 * Reads what became of every ephemeral node, from the transaction logs of the members. ZooKeeper writes a log entry before it
 * acknowledges a proposal; what a leader proposed without a quorum is cut off again when it joins its successor, so read it
 * after the ensemble has healed.
 *
 * @param dataFolders each with `version-2`
 */
export async function nodeLives(dataFolders: readonly string[]): Promise<Map<string, NodeLife>> {
  const all = new Map<bigint, Transaction<StoredData>>();
  for (const folder of dataFolders) {
    for (const { path } of (await listLogFolder(folder)).logs) {
      for await (const { records } of readLog(path)) {
        for (const { transaction } of records) all.set(transaction.zxid, transaction);
      }
    }
  }
  const lives = new Map<string, NodeLife>();
  for (const [, transaction] of [...all].sort(([a], [b]) => (a < b ? -1 : 1))) apply(transaction, lives);
  return lives;
}

function apply({ sessionId, zxid, time, change }: Transaction<StoredData>, lives: Map<string, NodeLife>): void {
  if (change.type === 'create') lives.set(change.path, { czxid: zxid, owner: sessionId });
  if (change.type === 'delete') end(lives.get(change.path), time);
  if (change.type !== 'closeSession') return;
  for (const life of lives.values()) if (life.owner === sessionId) end(life, time);
}

function end(life: NodeLife | undefined, time: number): void {
  if (life !== undefined) life.deletedAt ??= time;
}
