import { describe, expect, it } from 'vitest';
import { openAcl, readOnlyAcl } from '../../../src/dataTree/acl.ts';
import type { Change } from '../../../src/dataTree/transaction.ts';
import { containerOwner, ttlOwner } from '../../../src/dataTree/znode.ts';
import { LogRecordReader } from '../../../src/replay/logRecord.ts';
import { keptBytes, type StoredData } from '../../../src/replay/storedData.ts';
import { JuteWriter, MalformedReplyError } from '../../../src/zookeeper/wire/jute.ts';
import { writeAclBits } from '../../../src/zookeeper/wire/records.ts';
import { RecordType } from '../../support/logWriter.ts';

const session = -0x7000_0000_0000_0001n;
const digest = { version: 2, sum: 0x1122_3344_5566_7788n };

/** Where the record begins in its file, and in the buffer. */
const offset = 5_000;
const start = 10;

function parse(type: number, write: (writer: JuteWriter) => void, { hasDigest = false } = {}): Change<StoredData> {
  const writer = new JuteWriter();
  writer.long(session).int(7).long(0x1_0000_0002n).time(1_700_000_000_123).int(type);
  write(writer);
  if (hasDigest) writer.int(digest.version).long(digest.sum);
  const bytes = writer.toFrame().subarray(4);
  // What stands beside the record must not be read.
  const buffer = Buffer.alloc(start + bytes.length + 100, 0x2f);
  bytes.copy(buffer, start);
  const transaction = new LogRecordReader('/logs/log.1').read(buffer, start, start + bytes.length, offset);
  expect(transaction).toMatchObject({ sessionId: session, cxid: 7, zxid: 0x1_0000_0002n, time: 1_700_000_000_123 });
  return transaction.change;
}

function writeNode(writer: JuteWriter, path: string, data: string | undefined, acl = openAcl): JuteWriter {
  writer.string(path).optionalBytes(data === undefined ? undefined : Buffer.from(data));
  writeAclBits(writer, acl);
  return writer;
}

const data = new Uint8Array(Buffer.from('abc'));
const common = { type: 'create' as const, path: '/a/b', data, acl: openAcl, owner: 0n, parentChildrenCreated: 9 };

const records: [string, number, (writer: JuteWriter) => unknown, Change<StoredData>][] = [
  ['createSession', RecordType.createSession, w => w.int(30_000), { type: 'createSession', timeoutMs: 30_000 }],
  [
    'closeSession with paths',
    RecordType.closeSession,
    w => w.strings(['/a/b', '/c']),
    { type: 'closeSession', paths: ['/a/b', '/c'] },
  ],
  ['closeSession without a node', RecordType.closeSession, w => w.strings([]), { type: 'closeSession', paths: [] }],
  ['create', RecordType.create, w => writeNode(w, '/a/b', 'abc').bool(false).int(9), common],
  [
    'create of an ephemeral',
    RecordType.create,
    w => writeNode(w, '/a/b', 'abc').bool(true).int(9),
    { ...common, owner: session },
  ],
  [
    'create with another ACL',
    RecordType.create,
    w => writeNode(w, '/a/b', 'abc', readOnlyAcl).bool(false).int(9),
    { ...common, acl: readOnlyAcl },
  ],
  [
    'create without data',
    RecordType.create,
    w => writeNode(w, '/a/b', undefined).bool(false).int(9),
    { ...common, data: undefined },
  ],
  ['create2', RecordType.create2, w => writeNode(w, '/a/b', 'abc').bool(true).int(9), { ...common, owner: session }],
  [
    'createContainer',
    RecordType.createContainer,
    w => writeNode(w, '/a/b', 'abc').int(9),
    { ...common, owner: containerOwner },
  ],
  [
    'createTtl',
    RecordType.createTtl,
    w => writeNode(w, '/a/b', 'abc').int(9).long(60_000n),
    { ...common, owner: ttlOwner(60_000n) },
  ],
  ['delete', RecordType.delete, w => w.string('/a/b'), { type: 'delete', path: '/a/b' }],
  ['deleteContainer', RecordType.deleteContainer, w => w.string('/a/b'), { type: 'delete', path: '/a/b' }],
  [
    'setData',
    RecordType.setData,
    w => w.string('/a').bytes(data).int(3),
    { type: 'setData', path: '/a', data, version: 3 },
  ],
  [
    'setData to null',
    RecordType.setData,
    w => w.string('/').optionalBytes(undefined).int(3),
    { type: 'setData', path: '/', data: undefined, version: 3 },
  ],
  [
    'reconfig',
    RecordType.reconfig,
    w => w.string('/zookeeper/config').bytes(data).int(4),
    { type: 'setData', path: '/zookeeper/config', data, version: 4 },
  ],
  [
    'setACL',
    RecordType.setAcl,
    w => {
      writeAclBits(w.string('/a'), readOnlyAcl);
      w.int(2);
    },
    { type: 'setAcl', path: '/a', acl: readOnlyAcl, version: 2 },
  ],
  ['check', RecordType.check, w => w.string('/a').int(5), { type: 'check', path: '/a', version: 5 }],
  ['error', RecordType.error, w => w.int(-101), { type: 'error', code: -101 }],
  ['multi without parts', RecordType.multi, w => w.int(0), { type: 'multi', parts: [] }],
];

describe('reads', () => {
  it.each(records)('%s', (_, type, write, expected) => {
    expect(parse(type, writer => void write(writer))).toEqual(expected);
  });

  it.each(records)('%s with a digest behind it', (_, type, write, expected) => {
    expect(parse(type, writer => void write(writer), { hasDigest: true })).toEqual(expected);
  });

  it('closeSession of a server before 3.6', () => {
    expect(parse(RecordType.closeSession, () => undefined)).toEqual({ type: 'closeSession' });
  });

  it('closeSession of a server that is configured to write no paths', () => {
    expect(parse(RecordType.closeSession, () => undefined, { hasDigest: true })).toEqual({ type: 'closeSession' });
  });

  it('create of a server before 3.4', () => {
    const change = parse(RecordType.create, writer => writeNode(writer, '/a/b', 'abc').bool(true));
    expect(change).toEqual({ ...common, owner: session, parentChildrenCreated: -1 });
  });
});

describe('multi', () => {
  function multi(parts: [number, (writer: JuteWriter) => unknown][]): Change<StoredData> {
    return parse(RecordType.multi, writer => {
      writer.int(parts.length);
      for (const [type, write] of parts) {
        const nested = new JuteWriter();
        write(nested);
        writer.int(type).bytes(nested.toFrame().subarray(4));
      }
    });
  }

  it('has its parts in order', () => {
    expect(
      multi([
        [RecordType.check, w => w.string('/a').int(1)],
        [RecordType.create, w => writeNode(w, '/a/b', 'abc').bool(true).int(9)],
        [RecordType.delete, w => w.string('/a/c')],
        [RecordType.setData, w => w.string('/a').bytes(data).int(2)],
      ]),
    ).toEqual({
      type: 'multi',
      parts: [
        { type: 'check', path: '/a', version: 1 },
        { ...common, owner: session },
        { type: 'delete', path: '/a/c' },
        { type: 'setData', path: '/a', data, version: 2 },
      ],
    });
  });

  it('that failed has errors', () => {
    expect(
      multi([
        [RecordType.error, w => w.int(0)],
        [RecordType.error, w => w.int(-110)],
      ]),
    ).toEqual({
      type: 'multi',
      parts: [
        { type: 'error', code: 0 },
        { type: 'error', code: -110 },
      ],
    });
  });

  it('has no part that reads on in the next one', () => {
    expect(() =>
      multi([
        [RecordType.check, w => w.string('/a')],
        [RecordType.check, w => w.string('/a').int(5)],
      ]),
    ).toThrow(MalformedReplyError);
  });

  it.each([RecordType.multi, RecordType.createSession, RecordType.closeSession, 99])('has no part of type %i', type => {
    expect(() => multi([[type, w => w.int(0)]])).toThrow(MalformedReplyError);
  });
});

describe('refuses', () => {
  const wrong: [string, number, (writer: JuteWriter) => unknown][] = [
    ['an unknown type', 12, w => w.int(0)],
    ['a record that ends early', RecordType.createSession, () => undefined],
    ['an endless string', RecordType.delete, w => w.int(0x7fff_ffff)],
    ['a string of negative length', RecordType.delete, w => w.int(-5)],
    ['a path without its slash', RecordType.delete, w => w.string('a/b')],
    ['an empty path', RecordType.setData, w => w.string('').bytes(data).int(1)],
    ['a root that goes', RecordType.delete, w => w.string('/')],
    ['a path with a name that is empty', RecordType.delete, w => w.string('/a//b')],
    ['a path of two slashes', RecordType.create, w => writeNode(w, '//', '').int(1)],
    ['a path that ends with a slash', RecordType.delete, w => w.string('/a/')],
    ['data of negative length', RecordType.setData, w => w.string('/a').int(-2).int(1)],
    ['data that are longer than the record', RecordType.setData, w => w.string('/a').int(50).int(1)],
    ['an ACL without end', RecordType.create, w => w.string('/a').bytes(data).int(0x7fff_ffff)],
    ['a TTL of no time', RecordType.createTtl, w => writeNode(w, '/a', '').int(1).long(0n)],
    [
      'a TTL of 40 bits and more',
      RecordType.createTtl,
      w =>
        writeNode(w, '/a', '')
          .int(1)
          .long(1n << 40n),
    ],
    ['a multi of 2^31-1 parts', RecordType.multi, w => w.int(0x7fff_ffff)],
    ['a multi whose part is longer than it', RecordType.multi, w => w.int(1).int(1).int(0x7fff_ffff)],
    ['a closed session whose nodes have no paths', RecordType.closeSession, w => w.strings(['/a', '', 'b'])],
  ];

  it.each(wrong)('%s', (_, type, write) => {
    expect(() => parse(type, writer => void write(writer))).toThrow(MalformedReplyError);
  });
});

describe('data', () => {
  function setData(length: number): Change<StoredData> {
    return parse(RecordType.setData, w => w.string('/a').bytes(Buffer.alloc(length, 7)).int(1));
  }

  it.each([1, 64, 65, 512])('are kept up to 512 bytes: %i', length => {
    const change = setData(length);
    expect(change).toMatchObject({ data: { length } });
    expect(change.type === 'setData' && keptBytes(change.data)).toEqual(new Uint8Array(length).fill(7));
  });

  it('stay in their file beyond that', () => {
    // Behind the header of 32 bytes: a path of 4 + 2 bytes, and a length.
    expect(setData(513)).toMatchObject({ data: { file: '/logs/log.1', offset: offset + 32 + 6 + 4, length: 513 } });
  });

  it.each([
    ['an ephemeral', RecordType.create, (w: JuteWriter) => w.bool(true).int(1)],
    ['a container', RecordType.createContainer, (w: JuteWriter) => w.int(1)],
    ['a TTL node', RecordType.createTtl, (w: JuteWriter) => w.int(1).long(5n)],
  ])('of %s are kept up to 64 KB', (_, type, rest) => {
    const create = (length: number) => parse(type, w => void rest(writeNode(w, '/a', 'x'.repeat(length))));
    expect(create(65_536)).toMatchObject({ data: { length: 65_536, text: 'x'.repeat(65_536) } });
    expect(create(65_537)).toMatchObject({ data: { file: '/logs/log.1', offset: offset + 42, length: 65_537 } });
  });

  it('are copies: the buffer is used again', () => {
    const writer = new JuteWriter().long(1n).int(1).long(1n).time(1).int(RecordType.setData);
    const bytes = writer.string('/a').bytes(data).int(1).toFrame().subarray(4);
    const { change } = new LogRecordReader('log.1').read(bytes, 0, bytes.length, 0);
    bytes.fill(0);
    expect(change).toMatchObject({ path: '/a', data });
  });
});

it('makes an ACL once that many nodes have', () => {
  const reader = new LogRecordReader('log.1');
  const read = (acl: typeof openAcl): unknown => {
    const writer = new JuteWriter().long(1n).int(1).long(1n).time(1).int(RecordType.setAcl);
    writeAclBits(writer.string('/a'), acl);
    const bytes = writer.int(1).toFrame().subarray(4);
    const { change } = reader.read(bytes, 0, bytes.length, 0);
    return change.type === 'setAcl' ? change.acl : undefined;
  };
  const first = read(openAcl);
  expect(read(openAcl)).toBe(first);
  expect(read(readOnlyAcl)).toEqual(readOnlyAcl);
  expect(read(openAcl)).toEqual(first);
});
