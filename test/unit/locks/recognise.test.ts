import { describe, expect, it } from 'vitest';
import type { Hazard, LockQueue } from '../../../src/locks/lockQueue.ts';
import { recogniseQueues } from '../../../src/locks/recognition/recognise.ts';
import { brief, directory, type ChildSpec } from './directory.ts';

const U1 = '_c_1a2b3c4d-0001-4000-8000-00000000000a-';
const U2 = '_c_ffb3c4d0-0002-4000-8000-00000000000b-';
const U3 = '_c_00b3c4d0-0003-4000-8000-00000000000c-';
const G1 = 'f'.repeat(32);
const G2 = '0123456789abcdef'.repeat(2);

function only(queues: LockQueue[]): LockQueue {
  expect(queues).toHaveLength(1);
  return queues[0]!;
}

function read(path: string, children: readonly (ChildSpec | string)[]): LockQueue {
  return only(recogniseQueues(directory(path, children)));
}

function hazards(queue: LockQueue): Partial<Record<Hazard['kind'], string[]>> {
  return Object.fromEntries(queue.hazards.map(({ kind, names }) => [kind, names]));
}

describe('recogniseQueues', () => {
  it.each<[string, (ChildSpec | string)[]]>([
    ['empty', []],
    ['ordinary children', ['config', 'brokers', '__proto__'].map(name => ({ name, owner: 0n }))],
    ['a queue', ['qn-0000000000', 'qn-0000000001'].map(name => ({ name, owner: 0n }))],
    ['persistent numbers', ['task-0000000001', 'a0000000002', '0000000003'].map(name => ({ name, owner: 0n }))],
    ['DDL work', [{ name: 'query-0000000012' }]],
    ['block numbers', ['block-0000000012']],
    ['a server set', [{ name: 'member_0000000001', data: '{"serviceEndpoint":{}}' }]],
    ['numeric ids', ['72057594037927936', '1700000000000']],
  ])('finds no lock in: %s', (_, children) => {
    expect(recogniseQueues(directory('/app/x', children))).toEqual([]);
  });

  it('finds no lock among members', () => {
    expect(recogniseQueues(directory('/brokers/ids', ['1', '2', '1700000001']))).toEqual([]);
    expect(recogniseQueues(directory('/mesos/log_replicas', ['0000000001']))).toEqual([]);
  });

  it('shows strangers once and does not count them', () => {
    const queue = read('/a/l', [{ name: 'config', owner: 0n }, `${U1}lock-0000000000`, '\u202egpj.exe', '__proto__']);
    expect(queue.contenders).toHaveLength(1);
    expect(queue.strangers).toEqual(['config', '\u202egpj.exe', '__proto__']);
    expect(queue.hazards).toEqual([]);
  });

  it('decides between the two WriteLock notations by the owner', () => {
    const name = 'x-1234567890123456-0000000000';
    expect(read('/l', [{ name, owner: 1234567890123456n }]).dialect).toBe('zookeeper-writelock');
    expect(read('/l', [{ name, owner: 0x1234567890123456n }]).dialect).toBe('zookeeper-writelock-c');
  });

  it('shows both WriteLocks in one queue, for they count each other', () => {
    const queue = read('/l', ['x-01000a3f5e6c0000-0000000000', 'x-72057736222474241-0000000001']);
    expect(brief(queue.contenders)).toEqual([
      'x-01000a3f5e6c0000-0000000000!',
      'x-72057736222474241-0000000001>x-01000a3f5e6c0000-0000000000',
    ]);
    expect(queue.hazards).toEqual([]);
  });

  it('shows Curator, go-zookeeper and renamed kazoo in one queue, for they count each other', () => {
    const queue = read('/l', [`_c_${G1}-lock-0000000000`, `${G2}-lock-0000000001`, `${U1}lock-0000000002`]);
    expect(queue.dialect).toBe('curator');
    expect(brief(queue.contenders)).toEqual([
      `_c_${G1}-lock-0000000000!`,
      `${G2}-lock-0000000001>_c_${G1}-lock-0000000000`,
      `${U1}lock-0000000002>${G2}-lock-0000000001`,
    ]);
  });

  it("does not let a Curator reader with a number of its own hold behind its session's write lock: it may be another thread", () => {
    const queue = read('/l', [
      { name: `${U1}__WRIT__0000000000`, owner: 5n },
      { name: `${U2}__WRIT__0000000001`, owner: 6n },
      { name: `${U1}__READ__0000000002`, owner: 5n },
    ]);
    expect(brief(queue.contenders)).toEqual([
      `${U1}__WRIT__0000000000!`,
      `${U2}__WRIT__0000000001>${U1}__WRIT__0000000000`,
      `${U1}__READ__0000000002>${U1}__WRIT__0000000000`,
    ]);
    expect(queue.contenders.map(({ mayHold }) => mayHold)).toEqual([undefined, undefined, true]);
    expect(hazards(queue)).toEqual({});
  });

  it('takes a downgrade under the same number as what it is (Curator 5.5)', () => {
    const queue = read('/l', [
      { name: `${U1}__READ__0000000000`, owner: 5n, czxid: 90n },
      { name: `${U2}__WRIT__0000000001`, owner: 6n, czxid: 50n },
      { name: `${U3}__WRIT__0000000000`, owner: 5n, czxid: 40n },
    ]);
    expect(brief(queue.contenders)).toEqual([
      `${U3}__WRIT__0000000000!`,
      `${U1}__READ__0000000000!`,
      `${U2}__WRIT__0000000001>${U1}__READ__0000000000`,
    ]);
    expect(queue.hazards).toEqual([]);
  });

  it('lets a stranger that Curator sorts first block its queue', () => {
    const queue = read('/l', [{ name: '!first', owner: 0n }, `${U1}lock-0000000000`, 'zebra']);
    expect(brief(queue.contenders)).toEqual([`${U1}lock-0000000000>!first`]);
    expect(queue.strangers).toEqual(['!first', 'zebra']);
    expect(hazards(queue)).toEqual({ 'strangers-block': ['!first'] });
  });

  it("does not let a foreign child block Curator's readers", () => {
    const queue = read('/l', ['!first', `${U1}__READ__0000000000`]);
    expect(brief(queue.contenders)).toEqual([`${U1}__READ__0000000000!`]);
  });

  it.each([
    ['go-zookeeper', `_c_${G1}-lock-0000000000`, 'config'],
    ['LeaderElectionSupport', 'n_0000000000', 'config'],
    ['Solr', '1-a-n_0000000000', 'config'],
    ['BookKeeper', 'V_0000000000', 'config'],
    ['Ruby, which takes it for number 0', 'ex0000000001', 'config'],
  ])('warns of a stranger that stops %s', (_, contender, stranger) => {
    const queue = read('/l', [contender, { name: stranger, owner: 0n, czxid: 9n }]);
    expect(hazards(queue)).toEqual({ 'strangers-block': ['config'] });
    expect(queue.strangers).toEqual(['config']);
  });

  it('warns of dialects that do not see each other', () => {
    const queues = recogniseQueues(directory('/l', [`${U1}lock-0000000000`, `${G1}__lock__0000000001`, 'README']));
    expect(queues.map(({ dialect, strangers }) => [dialect, strangers])).toEqual([
      ['curator', ['README']],
      ['kazoo', []],
    ]);
    expect(queues.map(hazards)).toEqual([
      { 'mixed-dialects': [`${G1}__lock__0000000001`] },
      { 'mixed-dialects': [`${U1}lock-0000000000`] },
    ]);
  });

  it("takes Spring Integration's connection probe for a stranger", () => {
    const queue = read('/SpringIntegration-LockRegistry/k', [`${U1}lock-0000000000`, `${U2}k0000000001`]);
    expect(queue.strangers).toEqual([`${U2}k0000000001`]);
  });

  it('says who, from data or name', () => {
    const who = (path: string, spec: ChildSpec | string) => read(path, [spec]).contenders[0]!.identifier;
    expect(who('/l', { name: `${U1}lock-0000000000`, data: '10.1.2.3' })).toBe('10.1.2.3');
    expect(who('/l', { name: `${U1}lock-0000000000`, data: '__REVOKE__' })).toBe('');
    expect(who('/l', { name: 'x-72057736222474241-0000000000', data: Uint8Array.of(0x12, 0x34) })).toBe('');
    expect(who('/l', 'db-1-W-0000000000')).toBe('db-1');
    expect(who('/e', '1-10.0.0.1:8983_solr-n_0000000000')).toBe('10.0.0.1:8983_solr');
    expect(who('/m', { name: 'json.info_0000000000', data: '{"hostname":"m1","id":"u"}' })).toBe('m1');
    expect(who('/a', { name: 'V_0000000000', data: 'bookieId: "bk1:3181"\n' })).toBe('bk1:3181');
    const zlock = 'zlock#8c1e2f60-0001-4000-8000-000000000001#0000000000';
    expect(who('/z', { name: zlock, data: '{"descriptors":[{"address":"t1:9997"}]}' })).toBe('t1:9997');
    expect(who('/z', zlock)).toBe('8c1e2f60-0001-4000-8000-000000000001');
  });
});

describe('hazards', () => {
  it('tells what the end of the counter does to Curator: negatives jump the queue, the latest first', () => {
    const queue = read('/l', [
      `${U1}lock-2147483646`,
      `${U2}lock-2147483647`,
      `${U3}lock--2147483648`,
      `${U1}lock--2147483647`,
    ]);
    expect(queue.contenders.map(({ sequence }) => sequence)).toEqual([
      -2147483647, -2147483648, 2147483646, 2147483647,
    ]);
    expect(Object.keys(hazards(queue))).toEqual([
      'negative-sequence',
      'sequence-nearly-exhausted',
      'order-differs-from-creation',
    ]);
  });

  it.each([
    ['kazoo', [`${G1}__lock__2147483647`, `${G2}__lock__2147483647`]],
    ['go-zookeeper', [`_c_${G1}-lock-2147483647`, `_c_${G2}-lock-2147483647`]],
  ])('lets all hold that share the number at which the counter stands still (3.6 and later): %s', (_, names) => {
    const queue = read('/l', names);
    expect(hazards(queue)['duplicate-sequence']).toEqual(names);
    expect(queue.contenders.map(({ role }) => role)).toEqual(['holder', 'holder']);
  });

  it("keeps those that share a number in the server's order where the library does (Curator)", () => {
    const [first, second, before] = [`${U2}lock-2147483647`, `${U1}lock-2147483647`, `${U3}lock-2147483646`];
    const specs = [first, second].map((name, at) => ({ name, czxid: BigInt(9 - at) }));
    expect(brief(read('/l', [...specs, before]).contenders)).toEqual([
      `${before}!`,
      `${first}>${before}`,
      `${second}>${first}`,
    ]);
    expect(hazards(read('/l', specs))['duplicate-sequence']).toEqual([first, second]);
  });

  it("keeps DistributedLock.NET's order right across the wrap", () => {
    const first = read('/l', ['lock-2147483646', 'lock-2147483647', 'lock--2147483648', 'lock--2147483647']);
    expect(first.contenders.map(({ sequence }) => sequence)).toEqual([
      2147483646, 2147483647, -2147483648, -2147483647,
    ]);
    expect(hazards(first)['order-differs-from-creation']).toBeUndefined();
    const second = read('/l', ['lock--000000002', 'lock--000000001', 'lock-0000000000', 'lock-0000000001']);
    expect(second.contenders.map(({ sequence }) => sequence)).toEqual([-2, -1, 0, 1]);
  });

  it.each([
    ['WriteLock 3.7', ['x-1-2147483647', 'x-1--2147483648'], [-2147483648, 2147483647]],
    ['go-zookeeper', [`_c_${G1}-lock-2147483647`, `_c_${G1}-lock--2147483648`], [-2147483648, 2147483647]],
    ['LeaderElectionSupport', ['n_2147483647', 'n_-2147483648'], [-2147483648, 2147483647]],
    ['Ruby loses the sign', ['ex2147483647', 'ex-2147483648'], [2147483647, -2147483648]],
    ['aiozk loses the sign', [`lock-${G1}-2147483647`, `lock-${G1}--2147483648`], [2147483647, -2147483648]],
    ['Curator latch', [`${U1}latch-2147483647`, `${U1}latch--2147483648`], [-2147483648, 2147483647]],
    ['generic', ['p2147483647', 'p-2147483647'], [-2147483647, 2147483647]],
  ])('reads negative numbers as the library does: %s', (_, names, sequences) => {
    const queue = read('/l', names);
    expect(queue.contenders.map(({ sequence }) => sequence)).toEqual(sequences);
  });

  it('does not count what kazoo and Accumulo would not see', () => {
    const queue = read('/l', [`${G1}__lock__0000000001`, `${G2}__lock__-000000005`]);
    expect(queue.strangers).toEqual([`${G2}__lock__-000000005`]);
    const id = '8c1e2f60-0001-4000-8000-000000000001';
    expect(read('/z', [`zlock#${id}#0000000001`, `zlock#${id}#-2147483648`]).strangers).toEqual([
      `zlock#${id}#-2147483648`,
    ]);
  });

  it('warns at two billion, not before', () => {
    expect(hazards(read('/l', ['n_2000000000']))).toEqual({});
    expect(hazards(read('/l', ['n_2000000001']))).toEqual({ 'sequence-nearly-exhausted': ['n_2000000001'] });
  });

  it('names a contender without a session where the library makes only ephemeral ones', () => {
    for (const [first, second] of [
      [`${U1}lock-0000000000`, `${U2}lock-0000000001`],
      [`_c_${G1}-lock-0000000000`, `_c_${G2}-lock-0000000001`],
      ['x-1-0000000000', 'x-2-0000000001'],
    ] as const) {
      expect(hazards(read('/l', [{ name: first, owner: 0n }, second]))).toEqual({ 'not-ephemeral': [first] });
    }
  });

  const onPurpose = ['lock-', 'write-', 'n_', 'a_lock_', 'W-', 'lock-12345678-', 'latch-a-', 'ex', 'V_', 'info_'];
  it.each([...onPurpose, `${G1}__lock__`, `${U1}mine-`])(
    'names no contender without a session where programs make them on purpose: %s',
    stem =>
      expect(Object.keys(hazards(read('/l', [{ name: `${stem}0000000000`, owner: 0n }])))).not.toContain(
        'not-ephemeral',
      ),
  );

  it('has none of a session with several contenders: those are threads', () => {
    for (const stem of ['lock-', `${U1}lock-`, `${U1}latch-`, 'R-', `${G1}__lock__`]) {
      const names = ['0000000000', '0000000001', '0000000002'].map(number => ({ name: `${stem}${number}`, owner: 5n }));
      expect(hazards(read('/l', names))).toEqual({});
    }
  });

  it("has none of a downgraded reader that stays at its writer's place when that has left (Curator from 5.5 on)", () => {
    const after = read('/l', [
      { name: `${U1}__READ__0000000000`, owner: 5n, czxid: 90n },
      { name: `${U2}__WRIT__0000000001`, owner: 6n, czxid: 50n },
      { name: `${U3}__READ__0000000002`, owner: 7n, czxid: 60n },
      { name: `${U3}__WRIT__0000000003`, owner: 7n, czxid: 70n },
    ]);
    expect(hazards(after)).toEqual({});
    const odd = read('/l', [
      { name: `${U2}__WRIT__0000000001`, owner: 6n, czxid: 50n },
      { name: `${U3}__READ__0000000002`, owner: 7n, czxid: 40n },
    ]);
    expect(hazards(odd)).toEqual({ 'order-differs-from-creation': [`${U3}__READ__0000000002`] });
  });

  it('names who was created later but stands in front, except where Solr joins at the head', () => {
    const swapped = read('/l', [
      { name: 'lock-0000000000', czxid: 9n },
      { name: 'lock-0000000001', czxid: 8n },
    ]);
    expect(hazards(swapped)).toEqual({ 'order-differs-from-creation': ['lock-0000000001'] });
    const solr = read('/e', [
      { name: '1-a-n_0000000000', czxid: 1n },
      { name: '2-b-n_0000000001', czxid: 2n },
      { name: '3-c-n_0000000002', czxid: 3n },
      { name: '4-d-n_0000000001', czxid: 9n },
    ]);
    expect(hazards(solr)).toEqual({});
    const headGone = [
      { name: '3-c-n_0000000001', czxid: 9n },
      { name: '4-d-n_0000000002', czxid: 2n },
    ];
    expect(hazards(read('/e', headGone))).toEqual({});
    expect(brief(solr.contenders).slice(1)).toEqual([
      '2-b-n_0000000001>1-a-n_0000000000',
      '4-d-n_0000000001>2-b-n_0000000001',
      '3-c-n_0000000002>4-d-n_0000000001',
    ]);
  });

  it('says that a limit is stored nowhere', () => {
    const queue = read('/_zksemaphore/s', ['sem0000000000', 'sem0000000001']);
    expect(hazards(queue)).toEqual({ 'limit-unknown': ['sem0000000001'] });
    // Here the data says who holds, whatever the limit is.
    const marked = read('/l', [{ name: 'semaphore-0000000000', data: 'ACQUIRED' }, 'semaphore-0000000001']);
    expect(marked.contenders.map(({ role }) => role)).toEqual(['holder', 'waiter']);
    expect(hazards(marked)).toEqual({});
  });
});
