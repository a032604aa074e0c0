import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Life of an ephemeral node as the servers' transactions have it. */
export interface NodeLife {
  czxid: bigint;
  owner: bigint;
  /** When the leader prepared the transaction that ended it, epoch ms: never later than the node was gone. `undefined`: it lives. */
  deletedAt?: number;
}

const types = { create: 1, delete: 2, create2: 15, closeSession: -11 } as const;

/** Reads jute: numbers are big-endian, strings have their length in front. */
class Reader {
  private readonly bytes: Buffer;
  private at = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  int(): number {
    this.at += 4;
    return this.bytes.readInt32BE(this.at - 4);
  }

  long(): bigint {
    this.at += 8;
    return this.bytes.readBigInt64BE(this.at - 8);
  }

  text(): string {
    const length = this.int();
    this.at += length;
    return this.bytes.toString('utf8', this.at - length, this.at);
  }
}

interface Transaction {
  session: bigint;
  zxid: bigint;
  time: number;
  type: number;
  body: Reader;
}

/** Transactions of one file; what follows the last whole one is space that was set aside. */
function* transactions(file: Buffer): Generator<Transaction> {
  const headerLength = 16;
  for (let at = headerLength; at + 12 <= file.length;) {
    const length = file.readInt32BE(at + 8);
    const end = at + 12 + length;
    if (length <= 0 || end >= file.length || file[end] !== 0x42) return;
    const body = new Reader(file.subarray(at + 12, end));
    const session = body.long();
    body.int();
    const zxid = body.long();
    const time = Number(body.long());
    yield { session, zxid, time, type: body.int(), body };
    at = end + 1;
  }
}

/**
 * Reads what became of every ephemeral node, from the transaction logs of the members. ZooKeeper writes a log entry before it
 * acknowledges a proposal; what a leader proposed without a quorum is cut off again when it joins its successor, so read it
 * after the ensemble has healed. Format: `FileTxnLog` and `zookeeper.jute` of ZooKeeper 3.6 and later.
 *
 * @param dataFolders each with `version-2`
 */
export async function nodeLives(dataFolders: readonly string[]): Promise<Map<string, NodeLife>> {
  const all = new Map<bigint, Transaction>();
  for (const folder of dataFolders) {
    const logs = join(folder, 'version-2');
    for (const name of await readdir(logs)) {
      if (!name.startsWith('log.')) continue;
      for (const transaction of transactions(await readFile(join(logs, name)))) all.set(transaction.zxid, transaction);
    }
  }
  const lives = new Map<string, NodeLife>();
  for (const [, transaction] of [...all].sort(([a], [b]) => (a < b ? -1 : 1))) apply(transaction, lives);
  return lives;
}

function apply({ session, zxid, time, type, body }: Transaction, lives: Map<string, NodeLife>): void {
  if (type === types.create || type === types.create2) lives.set(body.text(), { czxid: zxid, owner: session });
  if (type === types.delete) end(lives.get(body.text()), time);
  if (type !== types.closeSession) return;
  for (const life of lives.values()) if (life.owner === session) end(life, time);
}

function end(life: NodeLife | undefined, time: number): void {
  if (life !== undefined) life.deletedAt ??= time;
}
