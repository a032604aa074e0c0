import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { journalFileName } from '../../src/app/recorder/journalFolder.ts';
import type { Moment } from '../../src/history/hold.ts';
import type { JournalEntry } from '../../src/journal/entry.ts';
import { journalHeader, journalLine } from '../../src/journal/journalLines.ts';
import { seededRandom, type SeededRandom } from '../support/seededRandom.ts';

const noData = new Uint8Array(0);
const begunAt = Date.UTC(2026, 0, 1);
/** Contenders of a lock: one of them comes for each one that goes. */
const queueLength = 10;

interface Contender {
  path: string;
  czxid: bigint;
  owner: bigint;
}

/** Mutexes of Curator, whose heads release one after the other, as a recorder writes that down. */
class Service {
  private readonly random: SeededRandom;
  private readonly queues: Contender[][];
  private zxid = 0n;
  private sessions = 0n;

  constructor(locks: number, seed: number) {
    this.random = seededRandom(seed);
    this.queues = Array.from({ length: locks }, () => []);
  }

  *begin(): Iterable<JournalEntry> {
    yield { type: 'begin', at: this.next() };
    for (let index = 0; index < this.queues.length * queueLength; index++) yield* this.join(index % this.queues.length);
    yield { type: 'complete', at: this.next() };
  }

  *handOver(): Iterable<JournalEntry> {
    const lock = this.random.below(this.queues.length);
    const head = this.queues[lock]?.shift();
    if (head !== undefined) {
      const { path, czxid } = head;
      yield { type: 'gone', at: this.next(), path, czxid };
      yield { type: 'cause', path, czxid, ended: 'released' };
    }
    yield* this.join(lock);
  }

  private *join(lock: number): Iterable<JournalEntry> {
    const queue = this.queues[lock];
    if (queue === undefined) return;
    const at = this.next();
    const owner = 0x1000_0000n + (this.sessions++ % 5_000n);
    if (this.sessions <= 5_000n) yield { type: 'session', session: { id: owner, address: '10.1.2.3:40000' } };
    const id = this.random.bytes(16).toString('hex');
    const path = `/locks/service-${lock}/_c_${id}-lock-${String(at.zxid).padStart(10, '0')}`;
    queue.push({ path, czxid: at.zxid, owner });
    const { zxid, time } = at;
    const node = { path, czxid: zxid, mzxid: zxid, ctime: time, mtime: time, version: 0, owner, data: noData };
    yield { type: 'node', at, node };
  }

  private next(): Moment {
    this.zxid++;
    return { zxid: this.zxid, time: begunAt + Number(this.zxid) };
  }
}

function* lines(entries: number, locks: number): Iterable<string> {
  const service = new Service(locks, 1);
  yield journalHeader();
  let count = 0;
  for (const entry of service.begin()) {
    yield journalLine(entry);
    count++;
  }
  while (count < entries) {
    let text = '';
    for (const entry of service.handOver()) {
      text += journalLine(entry);
      count++;
    }
    yield text;
  }
}

/** Writes a packed journal, as a recorder leaves it. @param folder that is there */
export async function writeJournal(
  folder: string,
  { entries, locks }: { entries: number; locks: number },
): Promise<void> {
  const path = `${join(folder, journalFileName(begunAt, '0123456789ab'))}.gz`;
  await pipeline(Readable.from(lines(entries, locks)), createGzip(), createWriteStream(path));
}
