import { describe, expect, it } from 'vitest';
import { furtherDirectories, recogniseNames, recogniseQueues } from '../../../src/locks/recognition/recognise.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';
import { seededRandom } from '../../support/seededRandom.ts';
import { directory, type ChildSpec } from './directory.ts';

function generator(seed: number): (below: number) => number {
  const random = seededRandom(seed);
  return below => random.below(below);
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
  ...[
    'R_',
    'W_',
    'r_',
    'w_',
    'readLock-',
    'writeLock-',
    '0',
    ';sequence=',
    '|',
    'queue-100000005',
    'worker-',
    'running',
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
  '{"id":"a","container":"c"}',
  '{"id":"a","container":null,"position":-1,"address":"tcp://b"}',
  '2026-01-01T00:00:00.000Z',
  '{"simpleFields":{"OWNER":"o","TIMEOUT":"1767225600000"}}',
  'q:1:IMPLICIT:select 1:10.0.0.7',
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

const PATHS = [
  '/',
  '/shedlock',
  '/c/LOCK/RESOURCE',
  '/consumers/g/owners/t',
  '/l',
  '/app/locks',
  '/s/leases',
  '/p-__lock__',
  '/a/leader',
  '/mesos',
  '/x/election/y',
];

/** Only then strangers may lie elsewhere than in the directory that was read. */
function isSpread({ dialect }: LockQueue): boolean {
  return dialect === 'curator-semaphore' || dialect === 'kazoo-semaphore';
}

function resolve(queuePath: string, name: string): string {
  return name.startsWith('../')
    ? `${queuePath.slice(0, queuePath.lastIndexOf('/'))}/${name.slice(3)}`
    : `${queuePath}/${name}`;
}

/** Queues in any order: those of one rank come as they were listed. */
function sorted(queues: unknown): unknown {
  return (queues as unknown[]).map(queue => JSON.stringify(queue)).sort();
}

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

  it('is read whole as half of a semaphore: every child of it is shown once, whatever the other half holds', () => {
    const next = generator(7);
    const parts = ['/s/locks', '/s/leases', '/s-__lock__'];
    let recognised = 0;
    for (let round = 0; round < 1000; round++) {
      for (const path of ['/s', ...parts]) {
        const specs = children(next);
        const others = parts.filter(part => part !== path);
        const further = Object.fromEntries(others.map(part => [part, children(next)]));
        const queues = recogniseQueues(directory(path, specs, { further }));
        if (queues.length === 0 || specs.length === 0) continue;
        recognised++;
        const contenders = queues.flatMap(queue => queue.contenders.map(contender => contender.path));
        const strangers = queues.flatMap(queue =>
          queue.strangers.map(name => resolve(isSpread(queue) ? queue.path : path, name)),
        );
        const shown = [...contenders, ...strangers];
        expect(new Set(shown).size, JSON.stringify([path, shown])).toBe(shown.length);
        for (const { name } of specs) expect(shown, JSON.stringify([path, name])).toContain(`${path}/${name}`);
      }
    }
    expect(recognised).toBeGreaterThan(1000);
  });

  it('gives one order, however the server lists it', () => {
    const next = generator(11);
    for (let round = 0; round < 500; round++) {
      // Created at different moments, as on a server.
      const specs = children(next).map((spec, at) => ({ ...spec, czxid: BigInt(at) }));
      const read = (listed: ChildSpec[]): unknown =>
        recogniseQueues(directory('/l', listed)).map(({ dialect, contenders }) => [
          dialect,
          contenders.map(({ name, role, waitsFor }) => [name, role, waitsFor]),
        ]);
      const shuffled = specs.toSorted((a, b) => (a.name < b.name ? -1 : 1));
      expect(JSON.stringify(sorted(read(shuffled)))).toBe(JSON.stringify(sorted(read(specs))));
    }
  });

  it('has a holder unless something stands in front of the first contender', () => {
    const next = generator(99);
    for (let round = 0; round < 2000; round++) {
      for (const { contenders, dialect } of recogniseQueues(directory('/l', children(next)))) {
        const [head] = contenders;
        const excused = ['zk-ruby-election', 'activemq'].includes(dialect) || dialect.endsWith('net-semaphore');
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
