import { describe, expect, it } from 'vitest';
import { furtherDirectories, recogniseNames, recogniseQueues } from '../../../src/locks/recognition/recognise.ts';
import { directory, type ChildSpec } from './directory.ts';

/** mulberry32: small, seeded, so that a failure can be repeated. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) % below;
  };
}

const PIECES = [
  '_c_1a2b3c4d-0001-4000-8000-00000000000a-',
  `_c_${'0f'.repeat(16)}-`,
  'f'.repeat(32),
  ...[
    'lock-',
    'latch-',
    'lease-',
    '__READ__',
    '__WRIT__',
    '__lock__',
    '__rlock__',
    '_lock_',
    'x-',
    '-',
    '--',
    'n_',
    '-n_',
  ],
  ...['read-', 'write-', 'ex', 'sh', 'sem', 'ballot', 'V_', 'json.info_', 'info_', 'LOCK-SHARED-', 'LOCK-EXCLUSIVE-'],
  ...[
    'R-',
    'W-',
    'host-1-',
    '72057736222474241',
    '1234567890123456',
    'semaphore-',
    'member_',
    'flock#',
    'zlock#',
    'READ~',
    '#',
  ],
  ...['0000000000', '0000000001', '2147483647', '2147483648', '-2147483648', '-000000005', '9999999999', '7'],
  ...[
    '__proto__',
    'constructor',
    '\u202e',
    '<b>',
    '[x](command:y)',
    '😀',
    '\ud800',
    '\n',
    ' ',
    '',
    'lock',
    'leader',
    'lease_holder',
    'leader_ack',
  ],
];
const DATA = [
  '',
  '{}',
  '{"holder":"h","end":"e"}',
  '[',
  'ACQUIRED',
  "b'x'",
  'READ:1',
  '{"descriptors":[null]}',
  '\u0000\u0001',
];

function children(next: (below: number) => number): ChildSpec[] {
  const specs = new Map<string, ChildSpec>();
  const count = next(12);
  for (let at = 0; at < count; at++) {
    const name = Array.from({ length: 1 + next(4) }, () => PIECES[next(PIECES.length)]).join('');
    const owner = BigInt(next(5)) - 1n;
    specs.set(name, { name, owner, data: DATA[next(DATA.length)]!, czxid: BigInt(next(20)) });
  }
  return Array.from(specs.values());
}

const PATHS = ['/', '/l', '/app/locks', '/s/leases', '/p-__lock__', '/a/leader', '/mesos', '/x/election/y'];

describe('any directory', () => {
  it('is read without a throw, and every child is in exactly one place', () => {
    const next = generator(20260801);
    let recognised = 0;
    for (let round = 0; round < 4000; round++) {
      const specs = children(next);
      const path = PATHS[next(PATHS.length)]!;
      const names = specs.map(({ name }) => name);
      furtherDirectories(path, names);
      recogniseNames(path, names);
      const self = { ephemeralOwner: specs.length === 0 ? BigInt(next(2)) : 0n };
      const queues = recogniseQueues(directory(path, specs, { self }));
      if (queues.length === 0 || specs.length === 0) continue;
      recognised++;
      const shown = queues.flatMap(({ contenders, strangers }) => [
        ...contenders.map(({ name }) => name),
        ...strangers,
      ]);
      expect(shown.toSorted(), JSON.stringify([path, names])).toEqual(names.toSorted());
    }
    expect(recognised).toBeGreaterThan(1000);
  });

  it('is read without a throw as half of a semaphore', () => {
    const next = generator(7);
    for (let round = 0; round < 1000; round++) {
      const further = { '/s/locks': children(next), '/s/leases': children(next), '/s-__lock__': children(next) };
      for (const path of ['/s', '/s/locks', '/s/leases', '/s-__lock__']) {
        recogniseQueues(directory(path, children(next), { further }));
      }
    }
  });

  it('has a holder unless something stands in front of the first contender', () => {
    const next = generator(99);
    for (let round = 0; round < 2000; round++) {
      for (const { contenders, dialect } of recogniseQueues(directory('/l', children(next)))) {
        const [head] = contenders;
        const excused = dialect === 'zk-ruby-election' || dialect.endsWith('net-semaphore');
        if (head === undefined || excused) continue;
        const blockedByStranger = head.waitsFor !== undefined && !contenders.some(({ name }) => name === head.waitsFor);
        expect(head.role === 'holder' || blockedByStranger, JSON.stringify(contenders.map(({ name }) => name))).toBe(
          true,
        );
      }
    }
  });

  it('keeps hundreds of contenders in order, each waiting for the one in front', () => {
    const names = Array.from({ length: 500 }, (_, at) =>
      `${(at * 7919) % 500}-R-`.replace('R', at % 3 === 0 ? 'W' : 'R'),
    );
    const specs = names.map((prefix, at) => `${prefix}${String(at).padStart(10, '0')}`);
    const shuffled = specs.toSorted();
    const czxid = new Map(specs.map((name, at) => [name, BigInt(at)]));
    const [queue] = recogniseQueues(
      directory(
        '/l',
        shuffled.map(name => ({ name, czxid: czxid.get(name)! })),
      ),
    );
    expect(queue!.contenders.map(({ name }) => name)).toEqual(specs);
    expect(queue!.contenders.slice(1, 7).map(({ waitsFor }) => waitsFor)).toEqual([
      specs[0],
      specs[0],
      specs[2],
      specs[3],
      specs[3],
      specs[5],
    ]);
    expect(queue!.hazards).toEqual([]);
  });
});
