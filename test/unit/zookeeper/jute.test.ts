import { describe, expect, it } from 'vitest';
import { JuteReader, JuteWriter, MalformedReplyError } from '../../../src/zookeeper/wire/jute.ts';
import {
  createFlags,
  readAcl,
  readEvent,
  readStat,
  StatInReply,
  statBytes,
  writeAcl,
} from '../../../src/zookeeper/wire/records.ts';
import { seededRandom } from '../../support/seededRandom.ts';

function reading(write: (writer: JuteWriter) => unknown): JuteReader {
  const writer = new JuteWriter(1);
  write(writer);
  return new JuteReader(writer.toFrame().subarray(4));
}

describe('primitives', () => {
  it('come back as they were written', () => {
    const reader = reading(writer =>
      writer
        .int(-2_147_483_648)
        .long(-9_223_372_036_854_775_808n)
        .bool(true)
        .bool(false)
        .bytes(Buffer.from([0, 255]))
        .string('grün\u202e🔒')
        .strings(['', 'a', '__proto__']),
    );
    expect(reader.int()).toBe(-2_147_483_648);
    expect(reader.long()).toBe(-9_223_372_036_854_775_808n);
    expect([reader.bool(), reader.bool()]).toEqual([true, false]);
    expect([...reader.bytes()]).toEqual([0, 255]);
    expect(reader.string()).toBe('grün\u202e🔒');
    expect(reader.strings()).toEqual(['', 'a', '__proto__']);
    expect(() => reader.bool()).toThrow(MalformedReplyError);
  });

  it('take null as empty', () => {
    const reader = reading(writer => writer.int(-1).int(-1).int(-1));
    expect([...reader.bytes()]).toEqual([]);
    expect(reader.string()).toBe('');
    expect(reader.strings()).toEqual([]);
  });

  it('reads times before 1970 and after 2038', () => {
    const reader = reading(writer => writer.long(-1n).long(4_102_444_800_000n));
    expect([reader.time(), reader.time()]).toEqual([-1, 4_102_444_800_000]);
  });
});

describe('bounds', () => {
  const reads: [string, (reader: JuteReader) => unknown][] = [
    ['int', reader => reader.int()],
    ['long', reader => reader.long()],
    ['time', reader => reader.time()],
    ['bool', reader => reader.bool()],
    ['bytes', reader => reader.bytes()],
    ['string', reader => reader.string()],
    ['strings', reader => reader.strings()],
    ['stat', readStat],
    ['acl', readAcl],
    ['event', readEvent],
  ];

  it.each(reads)('%s refuses an empty frame', (_, read) => {
    expect(() => read(new JuteReader(Buffer.alloc(0)))).toThrow(MalformedReplyError);
  });

  it.each(reads.slice(4, 7).concat([reads[8]!]))('%s refuses lengths beyond the frame', (_, read) => {
    for (const length of [2_147_483_647, 1_000, 9]) {
      expect(() => read(reading(writer => writer.int(length).long(0n)))).toThrow(MalformedReplyError);
    }
  });

  it.each(reads.slice(4, 6))('%s refuses a negative length other than null', (_, read) => {
    expect(() => read(reading(writer => writer.int(-2).long(0n)))).toThrow(MalformedReplyError);
  });

  it('reads a stat of exactly 68 bytes and refuses one byte less', () => {
    const bytes = Buffer.alloc(68);
    bytes.writeBigInt64BE(-5n, 44);
    expect(readStat(new JuteReader(bytes)).ephemeralOwner).toBe(-5n);
    expect(() => readStat(new JuteReader(bytes.subarray(1)))).toThrow(MalformedReplyError);
  });
});

describe('records', () => {
  it('translates the five rights both ways', () => {
    const acl = [
      { scheme: 'world', id: 'anyone', permissions: 'r' },
      { scheme: 'digest', id: 'u:hash', permissions: 'cdrwa' },
      { scheme: 'ip', id: '127.0.0.1', permissions: '' },
    ];
    expect(readAcl(reading(writer => writeAcl(writer, acl)))).toEqual(acl);
    const bits = 'rwcda'.split('').map(permissions => {
      const reader = reading(writer => writeAcl(writer, [{ scheme: '', id: '', permissions }]));
      reader.int();
      return reader.int();
    });
    expect(bits).toEqual([1, 2, 4, 8, 16]);
  });

  it('has the flags of CreateMode.java', () => {
    expect(createFlags).toEqual({
      persistent: 0,
      ephemeral: 1,
      persistent_sequential: 2,
      ephemeral_sequential: 3,
      container: 4,
    });
  });

  it.each([
    [1, '/a', { type: 'created', path: '/a' }],
    [2, '/a', { type: 'deleted', path: '/a' }],
    [3, '/a', { type: 'dataChanged', path: '/a' }],
    [4, '/a', { type: 'childrenChanged', path: '/a' }],
    [-1, '', undefined],
    [0, '/a', undefined],
    [5, '/a', undefined],
    [7, '/a', undefined],
    [2_000_000, '/a', undefined],
    // Only a hostile server names a path without a slash (D21).
    [1, '__proto__', undefined],
    [3, 'constructor', undefined],
    [3, '', undefined],
  ])('event %s of %j', (type, path, event) => {
    expect(readEvent(reading(writer => writer.int(type).int(3).string(path)))).toEqual(event);
  });
});

it('a stat that stays in its reply has the fields of one that is read at once', () => {
  const random = seededRandom(24);
  for (let round = 0; round < 200; round += 1) {
    const at = random.below(40);
    const reader = new JuteReader(random.bytes(at + statBytes), at);
    const inReply = new StatInReply(reader.view, at);
    const stat = readStat(reader);
    const fields = Object.keys(stat) as (keyof typeof stat)[];
    expect(fields.map(field => inReply[field])).toEqual(fields.map(field => stat[field]));
  }
});
