import { describe, expect, it } from 'vitest';
import type { ReadManyOptions, ReadRequest, ReadResult } from '../../../src/zookeeper/client.ts';
import { CancelledError } from '../../../src/zookeeper/errors.ts';
import { JoinedReads } from '../../../src/zookeeper/joinedReads.ts';
import { seededRandom } from '../../support/seededRandom.ts';

function read(path: string): ReadRequest {
  return { op: 'getChildren', path };
}

function answerTo({ path }: ReadRequest): ReadResult {
  return { op: 'getChildren', path, children: [`${path}-child`] };
}

/** Reads in bulk; keeps what was asked for together. */
class Server {
  readonly asked: string[][] = [];
  failure: Error | undefined;

  /** Where a request may begin. */
  readonly starts: string[] = [];

  readonly readMany = async (
    reads: readonly ReadRequest[],
    { onResult }: ReadManyOptions = {},
    mayBegin: (at: number) => boolean = () => true,
  ): Promise<ReadResult[]> => {
    this.asked.push(reads.map(({ path }) => path));
    this.starts.push(...reads.filter((_, at) => mayBegin(at)).map(({ path }) => path));
    await Promise.resolve();
    const results: ReadResult[] = [];
    // Batches that are under way at the same time are answered in any order.
    for (const [at, each] of [...reads.entries()].reverse()) {
      if (this.failure !== undefined && at === 0) throw this.failure;
      if (onResult === undefined) results[at] = answerTo(each);
      else onResult(answerTo(each), at);
    }
    return results;
  };
}

function paths(results: readonly ReadResult[]): string[] {
  return results.map(({ path }) => path);
}

it('reads of one turn go out as one, also those that follow from promises of the turn', async () => {
  const server = new Server();
  const joined = new JoinedReads(server.readMany);
  const later = Promise.resolve()
    .then(() => undefined)
    .then(() => joined.read([read('/c')]));
  const [first, second, third] = await Promise.all([
    joined.read([read('/a'), read('/a2')]),
    joined.read([read('/b')]),
    later,
  ]);
  expect([paths(first), paths(second), paths(third)]).toEqual([['/a', '/a2'], ['/b'], ['/c']]);
  expect(server.asked).toEqual([['/a', '/a2', '/b', '/c']]);
  // What one caller asks for shows one moment.
  expect(server.starts).toEqual(['/a', '/b', '/c']);
});

it('gives the same as reads that go out one by one', async () => {
  const random = seededRandom(24);
  for (let round = 0; round < 50; round += 1) {
    const server = new Server();
    const joined = new JoinedReads(server.readMany);
    const lists = Array.from({ length: 1 + random.below(20) }, (_, list) =>
      Array.from({ length: random.below(24) }, (__, at) => read(`/${list}/${at}`)),
    );
    const kept = lists.map(() => [] as ReadResult[]);
    const results = await Promise.all(
      lists.map((reads, list) =>
        list % 2 === 0
          ? joined.read(reads)
          : joined.read(reads, { onResult: (result, at) => (kept[list]![at] = result) }).then(() => kept[list]!),
      ),
    );
    expect(results).toEqual(lists.map(reads => reads.map(answerTo)));
  }
});

it('a long read is a request of its own', async () => {
  const server = new Server();
  const joined = new JoinedReads(server.readMany);
  const long = Array.from({ length: 17 }, (_, at) => read(`/long/${at}`));
  await Promise.all([joined.read(long), joined.read([read('/a')]), joined.read([read('/b')])]);
  expect(server.asked.map(each => each.length).sort()).toEqual([17, 2]);
});

describe('of several reads', () => {
  it('one that is cancelled before it goes out is not sent', async () => {
    const server = new Server();
    const joined = new JoinedReads(server.readMany);
    const abort = new AbortController();
    const cancelled = joined.read([read('/a')], { signal: abort.signal });
    const other = joined.read([read('/b')]);
    abort.abort();
    await expect(cancelled).rejects.toThrow(CancelledError);
    expect(paths(await other)).toEqual(['/b']);
    expect(server.asked).toEqual([['/b']]);
  });

  it('one whose receiver throws fails alone', async () => {
    const joined = new JoinedReads(new Server().readMany);
    const onResult = (): void => {
      throw new Error('a receiver');
    };
    const [failed, other] = await Promise.allSettled([
      joined.read([read('/a')], { onResult }),
      joined.read([read('/b')]),
    ]);
    expect(failed).toMatchObject({ status: 'rejected', reason: { message: 'a receiver' } });
    expect(other.status).toBe('fulfilled');
  });

  it('all that are not answered fail with the connection', async () => {
    const server = new Server();
    server.failure = new Error('the connection');
    const joined = new JoinedReads(server.readMany);
    const [first, second] = await Promise.allSettled([joined.read([read('/a')]), joined.read([read('/b')])]);
    expect(first).toMatchObject({ status: 'rejected', reason: { message: 'the connection' } });
    expect(second.status).toBe('fulfilled');
  });
});
