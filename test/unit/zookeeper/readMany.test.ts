import { expect, it } from 'vitest';
import { Abilities, type ClientRequest } from '../../../src/zookeeper/requests.ts';
import type { ReadRequest } from '../../../src/zookeeper/client.ts';
import { CancelledError, NotConnectedError, ReplyTooLargeError } from '../../../src/zookeeper/errors.ts';
import { readMany, type ReadPort } from '../../../src/zookeeper/readMany.ts';
import { JuteReader, JuteWriter } from '../../../src/zookeeper/wire/jute.ts';
import { Op } from '../../../src/zookeeper/wire/records.ts';
import { collectGarbage } from '../../support/memoryInUse.ts';
import { seededRandom } from '../../support/seededRandom.ts';

const statBytes = Buffer.alloc(68);
const end = -1;

/** The paths that a multiRead asks for. */
function pathsOf(request: ClientRequest): string[] {
  const writer = new JuteWriter();
  request.write(writer, path => path);
  const reader = new JuteReader(writer.toFrame(), 4);
  const paths: string[] = [];
  while (reader.int() !== end) {
    reader.bool();
    reader.int();
    paths.push(reader.string());
    reader.bool();
  }
  return paths;
}

function replyOf(sizes: readonly number[]): JuteReader {
  const writer = new JuteWriter();
  for (const size of sizes) {
    writer.int(Op.getData).bool(false).int(0).bytes(Buffer.alloc(size));
    for (const word of new Int32Array(statBytes.length / 4)) writer.int(word);
  }
  return new JuteReader(writer.toFrame(), 4);
}

/** A server whose nodes have the sizes that `sizeOf` says; keeps how many nodes each request asked for. */
class SizedServer implements ReadPort {
  readonly asked: number[] = [];
  /** Of all replies together, those that were refused included. */
  bytes = 0;
  readonly abilities = new Abilities(() => Promise.resolve());
  private readonly sizeOf: (at: number) => number;
  private readonly replyLimit: number;

  constructor(sizeOf: (at: number) => number, replyLimit = Infinity) {
    this.sizeOf = sizeOf;
    this.replyLimit = replyLimit;
  }

  send(request: ClientRequest): Promise<JuteReader> {
    const sizes = pathsOf(request).map(path => this.sizeOf(Number(path.slice(1))));
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    this.asked.push(sizes.length);
    this.bytes += bytes;
    if (bytes > this.replyLimit) return Promise.reject(new ReplyTooLargeError('readMany', request.path, bytes));
    return Promise.resolve(replyOf(sizes));
  }
}

function readsOf(count: number): ReadRequest[] {
  return Array.from({ length: count }, (_, at) => ({ op: 'getData', path: `/${at}` }));
}

const small = 10;
const large = 1_000_000;

it('asks for so few together that a reply can be taken in, whatever the nodes hold that come next', async () => {
  const server = new SizedServer(() => small);
  await readMany(server, readsOf(5_000));
  // A znode holds 1 MB unless the limit was raised; a reply above 335 MB counts as malformed.
  expect(Math.max(...server.asked) * 1_048_576).toBeLessThan(335_000_000);
  expect(server.asked.length).toBeLessThan(5_000 / 100);
});

it('asks for fewer once the nodes turn out to be large', async () => {
  const server = new SizedServer(at => (at < 300 ? small : large / 10));
  await readMany(server, readsOf(1_000));
  expect(Math.max(...server.asked.slice(-10))).toBeLessThanOrEqual(10);
});

it('a reply that was too large is asked for in parts that fit, and every node is there once', async () => {
  const server = new SizedServer(at => (at < 300 ? small : large), 10 * large);
  const places: number[] = [];
  const keep = (result: { path: string }, at: number): void => {
    expect(result).toMatchObject({ op: 'getData', path: `/${at}` });
    places.push(at);
  };
  await readMany(server, readsOf(400), { onResult: keep });
  expect(places.sort((a, b) => a - b)).toEqual(Array.from({ length: 400 }, (_, at) => at));
  // Once in vain, and once each for itself.
  expect(server.bytes).toBeLessThan(2.1 * 100 * large);
});

it('a limit below the usual size of a reply is kept to as well', async () => {
  const server = new SizedServer(() => 1_000, 2_500);
  const results = await readMany(server, readsOf(40));
  expect(results.map(({ op, path }) => `${op} ${path}`)).toEqual(readsOf(40).map(({ path }) => `getData ${path}`));
});

it('reads that belong together are one request, whatever the size of the nodes', async () => {
  const random = seededRandom(24);
  for (let round = 0; round < 20; round += 1) {
    const [size, most] = random.pick([[small, 80] as const, [large / 10, 12] as const, [large, 4] as const]);
    const requests: string[][] = [];
    const server = new SizedServer(() => size);
    const port: ReadPort = {
      abilities: server.abilities,
      send: request => {
        requests.push(pathsOf(request));
        return server.send(request);
      },
    };
    const lengths = Array.from({ length: 1 + random.below(most) }, () => 1 + random.below(16));
    const groupOf = lengths.flatMap((length, group) => Array.from({ length }, () => group));
    const results = await readMany(port, readsOf(groupOf.length), {}, at => groupOf[at] !== groupOf[at - 1]);
    expect(results.map(({ path }) => path)).toEqual(readsOf(groupOf.length).map(({ path }) => path));
    const groupsIn = requests.map(paths => new Set(paths.map(path => groupOf[Number(path.slice(1))])));
    expect(groupsIn.reduce((sum, { size: groups }) => sum + groups, 0)).toBe(lengths.length);
  }
});

it('sends what comes next before it hands out an answer, so that the server need not wait', async () => {
  const server = new SizedServer(() => small);
  const late: number[] = [];
  await readMany(server, readsOf(5_000), {
    onResult: (_, at) => (at % 256 === 0 ? late.push(at - requested(server)) : 0),
  });
  expect(late.length).toBeGreaterThan(10);
  // Of all that have been asked for only the last answers are handed out with nothing more to come.
  for (const distance of late.slice(0, -8)) expect(distance).toBeLessThanOrEqual(-4 * 128);
});

function requested({ asked }: SizedServer): number {
  return asked.reduce((sum, count) => sum + count, 0);
}

it('keeps eight requests under way once it knows the nodes, and no more', async () => {
  const server = new SizedServer(() => small);
  const underWay: number[] = [];
  let now = 0;
  const port: ReadPort = {
    abilities: server.abilities,
    send: async request => {
      underWay.push(++now);
      await new Promise(resolve => setImmediate(resolve));
      now -= 1;
      return server.send(request);
    },
  };
  await readMany(port, readsOf(10_000));
  expect(underWay.slice(0, 5)).toEqual([1, 1, 2, 3, 4]);
  expect(Math.max(...underWay)).toBe(8);
  expect(underWay.filter(count => count === 8).length).toBeGreaterThan(underWay.length / 2);
});

it('a request knows about how long it is, so that its buffer need not grow', async () => {
  const server = new SizedServer(() => small);
  const lengths: { said: number; written: number }[] = [];
  const port: ReadPort = {
    abilities: server.abilities,
    send: request => {
      const writer = new JuteWriter();
      request.write(writer, path => path);
      lengths.push({ said: request.bytes ?? 0, written: writer.toFrame().length });
      return server.send(request);
    },
  };
  await readMany(port, readsOf(5_000));
  await readMany(port, readsOf(1));
  expect(lengths.filter(({ said, written }) => said < written || said > written + 100)).toEqual([]);
});

it('once it is cancelled, nothing more is sent or handed out', async () => {
  const server = new SizedServer(() => small);
  const stop = new AbortController();
  let received = 0;
  const reading = readMany(server, readsOf(5_000), {
    signal: stop.signal,
    onResult: () => {
      received++;
      // In the first of the larger batches.
      if (received === 20) stop.abort();
    },
  });
  await expect(reading).rejects.toBeInstanceOf(CancelledError);
  const requestedThen = requested(server);
  expect(received).toBe(16 + 128);
  await new Promise(resolve => setImmediate(resolve));
  expect([received, requested(server)]).toEqual([16 + 128, requestedThen]);
  expect(requestedThen).toBeLessThan(5_000);
  await expect(readMany(server, readsOf(5_000), { signal: stop.signal })).rejects.toBeInstanceOf(CancelledError);
  expect(requested(server)).toBe(requestedThen);
});

it('hands out nothing once it is cancelled while its only request is under way', async () => {
  const server = new SizedServer(() => small);
  const stop = new AbortController();
  const port: ReadPort = {
    abilities: server.abilities,
    send: request => {
      stop.abort();
      return server.send(request);
    },
  };
  let received = 0;
  const reading = readMany(port, readsOf(2), { signal: stop.signal, onResult: () => received++ });
  await expect(reading).rejects.toBeInstanceOf(CancelledError);
  expect([received, server.asked]).toEqual([0, [2]]);
});

it('a request that fails ends the reading, once, and nothing is left that fails behind it', async () => {
  const server = new SizedServer(() => small);
  const port: ReadPort = {
    abilities: server.abilities,
    send: request =>
      server.asked.length < 7 ? server.send(request) : Promise.reject(new NotConnectedError('readMany', '/', 'test')),
  };
  await expect(readMany(port, readsOf(5_000))).rejects.toBeInstanceOf(NotConnectedError);
  await new Promise(resolve => setImmediate(resolve));
  expect(server.asked).toHaveLength(7);
});

it('keeps no more answers than there are requests under way', async () => {
  const server = new SizedServer(() => small);
  const replies: WeakRef<JuteReader>[] = [];
  const port: ReadPort = {
    abilities: server.abilities,
    send: async request => {
      const reply = await server.send(request);
      replies.push(new WeakRef(reply));
      // What was handed out in an earlier turn may be forgotten.
      await new Promise(resolve => setImmediate(resolve));
      collectGarbage();
      return reply;
    },
  };
  let mostKept = 0;
  await readMany(port, readsOf(10_000), {
    onResult: (_, at) => {
      if (at % 256 === 0) mostKept = Math.max(mostKept, replies.filter(each => each.deref() !== undefined).length);
    },
  });
  expect(replies.length).toBeGreaterThan(30);
  expect(mostKept).toBeLessThanOrEqual(12);
});
