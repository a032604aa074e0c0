import type { ReadManyOptions, ReadRequest, ReadResult } from './client.ts';
import { CancelledError } from './errors.ts';

/** Reads nodes in bulk, as `readMany.ts` does. */
type ReadMany = (
  reads: readonly ReadRequest[],
  options: ReadManyOptions,
  mayBegin?: (at: number) => boolean,
) => Promise<ReadResult[]>;

/** One caller's reads, with what becomes of them. */
interface ShortRead {
  reads: readonly ReadRequest[];
  options: ReadManyOptions;
  results: ReadResult[];
  /** How many answers are still to come. */
  left: number;
  resolve: (results: ReadResult[]) => void;
  reject: (error: unknown) => void;
}

/** More reads than this are not joined: their first answers say how large the nodes are. */
const shortReads = 16;

/**
 * Sends the short bulk reads of one turn of the event loop together: 1,000 locks of ten contenders are a few requests instead of
 * 2,000. A turn ends when no promise of it has anything left to do, so a read that is alone does not wait.
 *
 * The reads of one caller stay in one request, so that they show one moment as before. Each caller gets its answers as soon as they
 * are there. A lost connection fails all of them, as it fails requests that are sent one by one.
 */
export class JoinedReads {
  private readonly readMany: ReadMany;
  private waiting: ShortRead[] = [];

  /** @param readMany reads as many nodes as it is given */
  constructor(readMany: ReadMany) {
    this.readMany = readMany;
  }

  /** As `ZooKeeperClient.readMany`. @throws as that */
  read(reads: readonly ReadRequest[], options: ReadManyOptions = {}): Promise<ReadResult[]> {
    if (reads.length === 0 || reads.length > shortReads) return this.readMany(reads, options);
    return new Promise((resolve, reject) => {
      this.waiting.push({ reads, options, results: [], left: reads.length, resolve, reject });
      // Called after all promises of this turn, where a microtask would come before those that follow from them.
      if (this.waiting.length === 1) process.nextTick(() => this.flush());
    });
  }

  private flush(): void {
    const waiting = this.waiting.filter(each => !rejectIfCancelled(each));
    this.waiting = [];
    const [first] = waiting;
    if (first === undefined) return;
    if (waiting.length === 1) this.readMany(first.reads, first.options).then(first.resolve, first.reject);
    else void this.readTogether(waiting);
  }

  private async readTogether(all: readonly ShortRead[]): Promise<void> {
    const owners = all.flatMap(each => each.reads.map((_, at) => ({ each, at })));
    const onResult = (result: ReadResult, place: number): void => {
      const owner = owners[place];
      if (owner !== undefined) take(owner.each, result, owner.at);
    };
    try {
      const reads = all.flatMap(each => each.reads);
      await this.readMany(reads, { onResult }, place => owners[place]?.at === 0);
    } catch (error) {
      for (const each of all) each.reject(error);
    }
  }
}

function rejectIfCancelled({ options, reject }: ShortRead): boolean {
  const isCancelled = options.signal?.aborted === true;
  if (isCancelled) reject(new CancelledError('Reading'));
  return isCancelled;
}

function take(read: ShortRead, result: ReadResult, at: number): void {
  try {
    if (read.options.onResult === undefined) read.results[at] = result;
    else read.options.onResult(result, at);
  } catch (error) {
    // Of this caller alone.
    read.reject(error);
  }
  read.left--;
  if (read.left === 0) read.resolve(read.results);
}
