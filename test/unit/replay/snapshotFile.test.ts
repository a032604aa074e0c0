import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAcl, readOnlyAcl } from '../../../src/dataTree/acl.ts';
import { containerOwner } from '../../../src/dataTree/znode.ts';
import type { ProblemKind } from '../../../src/replay/recording.ts';
import { readSnapshot, type SnapshotResult } from '../../../src/replay/snapshotFile.ts';
import type { SnapshotNode } from '../../../src/replay/snapshotNodes.ts';
import { readStored } from '../../../src/replay/storedData.ts';
import { StoredDataError } from '../../../src/replay/storedDataError.ts';
import type { Compression } from '../../../src/replay/unpacked.ts';
import { packed, snapshotBytes, type SnapshotContent, type Trailer } from '../../support/snapshotWriter.ts';

const compressions: Compression[] = ['none', 'gz', 'snappy'];

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'snapshots-'));
});

afterAll(() => rm(folder, { recursive: true }));

interface Read {
  result: SnapshotResult;
  sessions: Map<bigint, number>;
  nodes: Map<string, SnapshotNode>;
}

async function read(
  bytes: Buffer,
  compression: Compression = 'none',
  options?: { signal: AbortSignal },
): Promise<Read> {
  const path = pathOf(compression);
  await writeFile(path, bytes);
  const sessions = new Map<bigint, number>();
  const nodes = new Map<string, SnapshotNode>();
  const sink = {
    session: (id: bigint, timeoutMs: number) => void sessions.set(id, timeoutMs),
    node: (nodePath: string, node: SnapshotNode) => void nodes.set(nodePath, node),
  };
  return { result: await readSnapshot(path, sink, options), sessions, nodes };
}

function pathOf(compression: Compression): string {
  return join(folder, compression === 'none' ? 'snapshot.5' : `snapshot.5.${compression}`);
}

const lock: SnapshotNode = {
  data: new Uint8Array(Buffer.from('owner')),
  acl: readOnlyAcl,
  czxid: 0x1_0000_0003n,
  mzxid: 0x1_0000_0007n,
  ctime: 1_700_000_000_123,
  mtime: 1_700_000_000_456,
  version: 4,
  cversion: 9,
  aversion: 2,
  owner: -0x7000_0000_0000_0001n,
  pzxid: 0x1_0000_0005n,
};

const content: SnapshotContent = {
  dbId: 77n,
  sessions: new Map([
    [-5n, 4_000],
    [6n, 30_000],
  ]),
  nodes: [
    ['/', { cversion: 3, pzxid: 2n }],
    ['/locks', { owner: containerOwner, acl: [] }],
    ['/locks/a\u0000\u202e', lock],
    ['/locks/b', { ...lock, data: undefined, acl: openAcl }],
  ],
};

describe.each(compressions)('a snapshot (%s)', compression => {
  it('has its sessions and its nodes', async () => {
    const { result, sessions, nodes } = await read(packed(snapshotBytes(content), compression), compression);
    expect(result).toEqual({ dbId: 77n, lastZxid: 0x1_0000_0007n, nodes: 7 });
    expect(sessions).toEqual(content.sessions);
    expect([...nodes.keys()]).toEqual([
      ...['/', '/zookeeper', '/zookeeper/quota', '/zookeeper/config'],
      ...['/locks', '/locks/a\u0000\u202e', '/locks/b'],
    ]);
    expect(nodes.get('/')).toMatchObject({ cversion: 3, pzxid: 2n, acl: openAcl });
    expect(nodes.get('/locks')).toMatchObject({ owner: containerOwner, acl: [] });
    expect(nodes.get('/locks/a\u0000\u202e')).toEqual(lock);
    expect(nodes.get('/locks/b')).toEqual({ ...lock, data: undefined, acl: openAcl });
  });

  it('leaves long data where they are, to be read later', async () => {
    const long = Buffer.from(Array.from({ length: 700_001 }, (_, at) => (at * 31) & 0xff));
    const nodes = new Map([
      ['/before', { data: long.subarray(3, 200_000) }],
      ['/long', { data: long }],
      ['/behind', { data: Buffer.from('short') }],
    ]);
    const { nodes: found } = await read(packed(snapshotBytes({ nodes }), compression), compression);
    const { data } = found.get('/long') ?? {};
    expect(data).toMatchObject({ file: pathOf(compression), length: long.length });
    expect(long.equals(await readStored(data))).toBe(true);
    expect(found.get('/behind')).toMatchObject({ data: new Uint8Array(Buffer.from('short')) });
  });

  it('that ends early shows what was there', async () => {
    const whole = snapshotBytes(content);
    const cut = packed(whole.subarray(0, whole.length - 30), compression);
    const { result, nodes } = await read(cut, compression);
    expect(result.problem?.what).toBe('truncated snapshot');
    expect(result.nodes).toBe(6);
    expect(nodes.has('/locks/a\u0000\u202e')).toBe(true);
  });

  it('is read wherever it was cut', { timeout: 60_000 }, async () => {
    const whole = packed(snapshotBytes({ ...content, trailers: ['digest', 'zxid'], zxid: 9n }), compression);
    for (let length = 1; length < whole.length; length += 3) {
      const { result } = await read(whole.subarray(0, length), compression);
      // A file that was cut behind its nodes and their seal is whole for a server that knows no trailers.
      if (result.problem === undefined) expect(result.nodes).toBe(7);
    }
  });
});

describe('trailers', () => {
  it.each<Trailer[][]>([[[]], [['digest']], [['zxid']], [['digest', 'zxid']]])('%j are checked', async trailers => {
    const bytes = snapshotBytes({ ...content, trailers, zxid: 0x1_0000_0099n });
    const { result } = await read(bytes);
    expect(result).toEqual({
      dbId: 77n,
      lastZxid: trailers.length === 0 ? 0x1_0000_0007n : 0x1_0000_0099n,
      nodes: 7,
    });
    bytes[bytes.length - 10]! ^= 1;
    expect((await read(bytes)).result.problem?.what).toBe('wrong checksum');
  });

  it('of later releases are not looked at', async () => {
    const bytes = snapshotBytes({ ...content, trailers: ['digest', 'zxid'] });
    expect((await read(Buffer.concat([bytes, Buffer.from('more')]))).result.problem).toBeUndefined();
  });
});

describe('damage', () => {
  const header = Buffer.from('ZKSN\0\0\0\x02\0\0\0\0\0\0\0\x07', 'latin1');
  const otherVersion = Buffer.from('ZKSN\0\0\0\x03\0\0\0\0\0\0\0\x07', 'latin1');
  const log = Buffer.from('ZKLG\0\0\0\x02\0\0\0\0\0\0\0\x07', 'latin1');

  function ints(...values: number[]): Buffer {
    const bytes = Buffer.alloc(values.length * 4);
    values.forEach((value, at) => bytes.writeInt32BE(value, at * 4));
    return bytes;
  }

  it.each<[string, Buffer, ProblemKind, number]>([
    ['an empty file', Buffer.alloc(0), 'empty file', 0],
    ['a file of two bytes', Buffer.from('ZK'), 'not a snapshot', 0],
    ['a transaction log', log, 'not a snapshot', 0],
    ['half a header', header.subarray(0, 9), 'truncated snapshot', 0],
    ['another version', otherVersion, 'unknown version', 0],
    ['a negative number of sessions', Buffer.concat([header, ints(-1)]), 'bad length', 20],
    ['2^31-1 sessions', Buffer.concat([header, ints(0x7fff_ffff, 0, 1, 2)]), 'truncated snapshot', 32],
    ['2^31-1 ACLs', Buffer.concat([header, ints(0, 0x7fff_ffff)]), 'truncated snapshot', 24],
    ['a path of 2^31-1 bytes', Buffer.concat([header, ints(0, 0, 0x7fff_ffff, 0)]), 'bad length', 24],
    ['a path of negative length', Buffer.concat([header, ints(0, 0, -3, 0)]), 'bad length', 24],
    ['data of 2^31-1 bytes', Buffer.concat([header, ints(0, 0, 0, 0x7fff_ffff)]), 'bad length', 24],
    [
      'nodes without a root',
      Buffer.concat([header, ints(0, 0, 4), Buffer.from('/abc'), ints(0), Buffer.alloc(68)]),
      'bad record',
      24,
    ],
    [
      'a node without a name',
      Buffer.concat([
        header,
        ints(0, 0, 0, 0),
        Buffer.alloc(68),
        ints(2),
        Buffer.from('//'),
        ints(0),
        Buffer.alloc(68),
      ]),
      'bad record',
      100,
    ],
    ['an end that is none', Buffer.concat([header, ints(0, 0, 1), Buffer.from('x')]), 'bad record', 24],
  ])('%s', async (_, bytes, what, offset) => {
    const { result } = await read(bytes);
    expect(result.problem).toEqual({ file: 'snapshot.5', offset, what });
  });

  it('an ACL list of more than 1 MB', async () => {
    const { result } = await read(Buffer.concat([header, ints(0, 1, 0, 1, 0x7000_0000), Buffer.alloc(3_000_000)]));
    expect(result.problem?.what).toBe('bad record');
  });

  it('a changed byte shows at the end, and everything before is there', async () => {
    const bytes = snapshotBytes(content);
    bytes[bytes.length - 25]! ^= 1;
    const { result } = await read(bytes);
    expect(result).toMatchObject({ nodes: 7, problem: { offset: bytes.length - 13, what: 'wrong checksum' } });
  });

  it.each<Compression>(['gz', 'snappy'])(
    'a plain snapshot with the name of one that is packed: %s',
    async compression => {
      expect((await read(snapshotBytes(content), compression)).result.problem?.what).toBe('not a snapshot');
    },
  );

  it('a block of Snappy of 2^31-1 bytes', async () => {
    const bytes = packed(snapshotBytes(content), 'snappy');
    bytes.writeInt32BE(0x7fff_ffff, 16);
    expect((await read(bytes, 'snappy')).result.problem?.what).toBe('bad length');
  });

  it('a file that is not there', async () => {
    const sink = { session: () => undefined, node: () => undefined };
    for (const name of ['snapshot.6', 'snapshot.6.gz', 'snapshot.6.snappy']) {
      const { problem } = await readSnapshot(join(folder, name), sink);
      expect(problem).toEqual({ file: name, offset: 0, what: 'unreadable' });
    }
  });
});

it('two packed streams may follow each other', async () => {
  const bytes = snapshotBytes(content);
  const two = Buffer.concat([packed(bytes.subarray(0, 200), 'snappy'), packed(bytes.subarray(200), 'snappy')]);
  expect((await read(two, 'snappy')).result).toEqual({ dbId: 77n, lastZxid: 0x1_0000_0007n, nodes: 7 });
});

it('100,000 nodes and sessions are read in turns, and can be broken off', { timeout: 60_000 }, async () => {
  const nodes = Array.from({ length: 100_000 }, (_, at) => [`/node-${at}`, { data: Buffer.from('data') }] as const);
  const sessions = new Map(nodes.map((_, at) => [BigInt(at), at]));
  const bytes = snapshotBytes({ nodes, sessions });
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  const whole = await read(bytes);
  clearInterval(timer);
  expect(whole.result.nodes).toBe(100_004);
  expect(whole.sessions).toEqual(sessions);
  expect(turns).toBeGreaterThan(3);
  const reason = new Error('enough');
  await expect(read(bytes, 'none', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

it('data of a file that has gone, or is shorter now, cannot be read', async () => {
  await writeFile(pathOf('none'), 'short');
  await writeFile(pathOf('gz'), packed(Buffer.from('short'), 'gz'));
  for (const compression of ['none', 'gz'] as const) {
    await expect(readStored({ file: pathOf(compression), offset: 3, length: 9 })).rejects.toThrow(StoredDataError);
  }
  await expect(readStored({ file: join(folder, 'log.99'), offset: 0, length: 1 })).rejects.toThrow(StoredDataError);
  expect(await readStored(undefined)).toHaveLength(0);
});
