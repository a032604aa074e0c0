import { describe, expect, it } from 'vitest';
import { recogniseName, recogniseNames, recogniseQueues } from '../../../src/locks/recognition/recognise.ts';
import { directory, type ChildSpec } from './directory.ts';

// Whatever stands in names and data of the products' shapes, reading it gives a name at most, at once.

const encoder = new TextEncoder();
const MEGABYTE = 1_000_000;
const OWNER = 0x1000_0000_0000_0001n;

const bytesOf = (text: string): Uint8Array => encoder.encode(text);
const field = (value: string): string => {
  const names = ['id', 'container', 'position', 'address', 'admin_addr', 'host', 'nativeUrl', 'hostname', 'brokerid'];
  const fields = names.map(name => `${JSON.stringify(name)}:${value}`).join(',');
  return `{${fields},"simpleFields":{"OWNER":${value},"TIMEOUT":${value},"LIVE_INSTANCE":${value}}}`;
};

const hostile: [string, Uint8Array][] = [
  ['nothing', new Uint8Array()],
  ['a megabyte of a letter', bytesOf('x'.repeat(MEGABYTE))],
  ['a megabyte of zeros', bytesOf('0'.repeat(MEGABYTE))],
  ['a megabyte of colons', bytesOf(':'.repeat(MEGABYTE))],
  ['no UTF-8', Uint8Array.of(0xff, 0xfe, 0x80, 0x31, 0x3a)],
  ['half a character', Uint8Array.of(0x71, 0xe2, 0x82)],
  ['JSON without an end', bytesOf('{"id":"a","container":')],
  ['JSON of 30,000 levels', bytesOf('['.repeat(30_000) + ']'.repeat(30_000))],
  ['an object of 8,000 levels', bytesOf('{"simpleFields":'.repeat(8_000) + '1' + '}'.repeat(8_000))],
  ['a deep field', bytesOf(field('['.repeat(5_000) + ']'.repeat(5_000)))],
  ['an array of 30,000', bytesOf(`[${'0,'.repeat(30_000)}0]`)],
  ['10,000 fields', bytesOf(`{${Array.from({ length: 5_000 }, (_, at) => `"k${String(at)}":1`).join(',')}}`)],
  ['a megabyte of JSON', bytesOf(`{"id":"${'x'.repeat(MEGABYTE)}"}`)],
  ...[
    '1e999',
    '-1e999',
    'null',
    'true',
    '{}',
    '[]',
    '""',
    '" "',
    '"\\u001b[2J"',
    '"\\u0000"',
    '{"__proto__":{"OWNER":"x"}}',
    '9223372036854775807',
    '"NaN"',
    '"-1"',
  ].map((value): [string, Uint8Array] => [`fields of ${value}`, bytesOf(field(value))]),
  ['__proto__', bytesOf('{"__proto__":{"id":"x","container":"y"},"constructor":{"name":"z"}}')],
  ["Hive's colons alone", bytesOf('::::')],
  ['ESC in Hive', bytesOf('q\u001b:1:IMPLICIT:\u001b[31m:10.0.0.7')],
  ['a long query of Hive', bytesOf(`q:1:IMPLICIT:${'x'.repeat(MEGABYTE)}:10.0.0.7`)],
  ['a date of no calendar', bytesOf('9999-99-99T99:99:99.999Z')],
  ['a date of year 275760', bytesOf('+275760-09-13T00:00:00.000Z')],
];

const paths = [
  '/shedlock/job',
  '/c/LOCK/RESOURCE/db',
  '/c/CONTROLLER/LEADER',
  '/namespace/public/default/0x00000000_0x40000000',
  '/codis3/demo/topom',
  '/consumers/g/owners/t/0',
  '/schema_registry/schema_registry_master',
  '/ns/job/sharding/0/running',
  '/ns/job/leader/election/instance',
  '/otter/canal/destinations/d/running',
  '/controller',
  '/hbase/master',
  '/hadoop-ha/ns/ActiveStandbyElectorLock',
  '/overseer_elect/leader',
  '/service/s/leader',
  '/loadbalance/leader',
  '/app/lock',
];

const names = [
  '00000000001',
  'LOCK-SHARED-0000000000',
  'R_0000000001',
  'readLock-0000000002',
  'json.info_0000000003',
  'V_0000000004',
  'zlock#1a2b3c4d-0001-4000-8000-00000000000a#0000000005',
  'flock#0000000006',
  'leader_election-0000000007',
  'lease_holder',
];

/** Control characters say that data is no text; a date beyond the calendar is none. */
function expectPlain(queues: ReturnType<typeof recogniseQueues>): void {
  for (const { contenders } of queues)
    for (const { identifier, details = '', leaseEndsAt = 0 } of contenders) {
      for (const text of [identifier, details]) {
        expect(text.length).toBeLessThanOrEqual(420);
        expect(text).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|Infinity|\[object/);
      }
      expect(Number.isNaN(new Date(leaseEndsAt).getTime())).toBe(false);
    }
}

function elapsed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

describe('hostile data', () => {
  it.each(hostile)('%s', (_, data) => {
    const spent = elapsed(() => {
      for (const path of paths)
        for (const ephemeralOwner of [0n, OWNER])
          expectPlain(recogniseQueues(directory(path, [], { self: { ephemeralOwner, data } })));
      for (const owner of [0n, OWNER]) {
        const children = names.map((name): ChildSpec => ({ name, owner, data }));
        for (const path of ['/app/locks', '/activemq/stores', '/c/LOCK/RESOURCE'])
          expectPlain(recogniseQueues(directory(path, children)));
      }
    });
    // Some 90 readings; a megabyte takes less than a millisecond each, an endless one never ends.
    expect(spent).toBeLessThan(1_000);
  });
});

describe('hostile names', () => {
  const long = 300_000;
  const stems = [
    '-'.repeat(long),
    `${'-'.repeat(long)}a`,
    `${'_'.repeat(long)}x`,
    '|'.repeat(long),
    '0'.repeat(long),
    `${'0'.repeat(long)}a`,
    `x${'0'.repeat(long)}`,
    ';sequence='.repeat(long / 10),
    'abandonable_lock-'.repeat(long / 20),
    `${'f'.repeat(32)}-${'-'.repeat(long)}`,
    `flock#READ~${'~#'.repeat(long)}`,
    `1-${'-n_'.repeat(long / 3)}`,
    `latch-${'-'.repeat(long)}`,
    `member_${'_'.repeat(long)}`,
    `serverUri=${'"'.repeat(long)};sequence=`,
    '\u001b[2J',
    '<img src=x onerror=alert(1)>',
    '[x](command:y)',
    '__proto__',
    'constructor',
  ];

  it.each(stems.map(stem => [stem.slice(0, 20), stem] as const))('%s…', (_, stem) => {
    const spent = elapsed(() => {
      for (const name of [stem, `${stem}0000000001`, `${stem}-0000000001`, `${stem}-2147483647`]) {
        for (const path of ['/app/work', '/app/locks', '/_zklocking/a']) {
          recogniseName(path, name);
          recogniseNames(path, [name]);
          expectPlain(recogniseQueues(directory(path, [name, 'ex0000000000', 'lock-0000000002'])));
        }
        recogniseNames(`/${name}`, []);
        recogniseQueues(directory(`/shedlock/${name}`, [], { self: { name, ephemeralOwner: OWNER } }));
      }
    });
    expect(spent).toBeLessThan(1_000);
  });

  it('of paths with many segments are looked through once', () => {
    for (const segment of [
      '/owners',
      '/namespace',
      '/LOCK',
      '/shedlock',
      '/consumers/g/owners/t',
      '/leaders/x',
      '/sharding/1',
    ])
      expect(
        elapsed(() => {
          for (const end of ['/leader', '/running', '/0', '/x']) recogniseNames(segment.repeat(50_000) + end, []);
        }),
      ).toBeLessThan(500);
  });
});
