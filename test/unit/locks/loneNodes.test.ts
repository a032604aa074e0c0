import { describe, expect, it } from 'vitest';
import type { DialectId } from '../../../src/locks/lockQueue.ts';
import { recogniseQueues } from '../../../src/locks/recognition/recognise.ts';
import { brief, directory } from './directory.ts';

const encoder = new TextEncoder();
const OWNER = 0x1000_0000_0000_0001n;

function field(number: number, value: Uint8Array): number[] {
  return [(number << 3) | 2, value.length, ...value];
}

const activeNode = Uint8Array.from([
  ...field(1, encoder.encode('ns1')),
  ...field(2, encoder.encode('nn1')),
  ...field(3, encoder.encode('nn1.example')),
  0x20,
  0xd4,
  0x3e,
]);
const serverName = Uint8Array.from(field(1, encoder.encode('hm1.example')));
const hbaseMaster = Uint8Array.from([0xff, 0, 0, 0, 3, 1, 2, 3, ...encoder.encode('PBUF'), ...field(1, serverName)]);

describe('locks that are one node', () => {
  it.each<[string, DialectId, Uint8Array, string]>([
    ['/hadoop-ha/ns1/ActiveStandbyElectorLock', 'hadoop-elector', activeNode, 'nn1.example'],
    ['/hbase-unsecure/master', 'hbase-master', hbaseMaster, 'hm1.example'],
    ['/controller', 'kafka-controller', encoder.encode('{"version":2,"brokerid":3}'), 'broker 3'],
    ['/kafka/controller', 'kafka-controller', encoder.encode('{"version":2,"brokerid":3}'), 'broker 3'],
    ['/service/batman/leader', 'patroni', encoder.encode('pg-1'), 'pg-1'],
    ['/service/citus/0/leader', 'patroni', encoder.encode('pg-1'), 'pg-1'],
    ['/overseer_elect/leader', 'solr', encoder.encode('{"id":"1-a-n_0000000001"}'), '1-a-n_0000000001'],
    ['/exclusive_lock/lock', 'exclusive-node', encoder.encode('web-7'), 'web-7'],
    ['/c/CONTROLLER/LEADER', 'helix-controller', encoder.encode('{"id":"host_1"}'), 'host_1'],
    ['/loadbalance/leader', 'pulsar', encoder.encode('{"serviceUrl":"http://b"}'), 'http://b'],
    ['/jobs/nightly-report', 'exclusive-node', new Uint8Array(), ''],
    ['/ledgers/underreplication/locks/urL0000000012', 'exclusive-node', new Uint8Array(), ''],
  ])('%s', (path, dialect, data, identifier) => {
    const queues = recogniseQueues(directory(path, [], { self: { ephemeralOwner: OWNER, data } }));
    expect(queues).toMatchObject([
      {
        path,
        dialect,
        strangers: [],
        hazards: [],
        contenders: [{ path, role: 'holder', identifier, ownerSession: OWNER }],
      },
    ]);
    expect(queues[0]!.contenders[0]).not.toHaveProperty('sequence');
  });

  it.each([
    '/brokers/ids/1',
    '/app/members/m1',
    '/l/_c_1a2b3c4d-0001-4000-8000-00000000000a-lock-0000000000',
    `/p/${'a'.repeat(32)}`,
  ])('does not take %s for a lock of its own', path => {
    expect(recogniseQueues(directory(path, [], { self: { ephemeralOwner: OWNER } }))).toEqual([]);
  });

  it.each(['/app/lock', '/controller', '/anything'])('needs an owner: %s', path => {
    expect(recogniseQueues(directory(path, []))).toEqual([]);
  });

  it('shows a controller that KRaft took over: it holds without a session, on purpose', () => {
    const data = encoder.encode('{"version":2,"brokerid":3000,"kraftControllerEpoch":4}');
    const queues = recogniseQueues(directory('/controller', [], { self: { data } }));
    expect(queues).toMatchObject([{ dialect: 'kafka-controller', contenders: [{ ownerSession: 0n }], hazards: [] }]);
  });

  it('finds them among other children', () => {
    const children = [
      { name: 'ActiveBreadCrumb', owner: 0n, data: 'nn1' },
      { name: 'ActiveStandbyElectorLock', data: activeNode },
    ];
    expect(recogniseQueues(directory('/hadoop-ha/ns1', children))).toMatchObject([
      { path: '/hadoop-ha/ns1/ActiveStandbyElectorLock', dialect: 'hadoop-elector', strangers: ['ActiveBreadCrumb'] },
    ]);
  });

  it('knows Patroni by its other nodes', () => {
    const children = ['config', 'initialize', 'members'].map(name => ({ name, owner: 0n }));
    const queues = recogniseQueues(directory('/db/main', [...children, { name: 'leader', data: 'pg-2' }]));
    expect(queues).toMatchObject([
      { path: '/db/main/leader', dialect: 'patroni', contenders: [{ identifier: 'pg-2' }] },
    ]);
  });

  it('takes ephemeral children of a directory of locks for locks', () => {
    const queues = recogniseQueues(directory('/app/locks', ['report', 'mail', { name: 'config', owner: 0n }]));
    expect(queues.map(({ path, dialect, contenders }) => [path, dialect, ...brief(contenders)])).toEqual([
      ['/app/locks/report', 'exclusive-node', 'report!'],
      ['/app/locks/mail', 'exclusive-node', 'mail!'],
    ]);
    expect(queues.map(({ strangers }) => strangers)).toEqual([['config'], []]);
  });

  it("reads kazoo's lease next to its transient lock", () => {
    const data = '{"version":1,"holder":"host-1","end":"2026-01-01T00:00:00"}';
    const queues = recogniseQueues(
      directory('/lease', [{ name: 'lease_holder', owner: 0n, data }, `${'a'.repeat(32)}__lock__0000000000`]),
    );
    expect(
      queues.map(({ path, dialect, contenders, hazards }) => [path, dialect, contenders[0]!.identifier, hazards]),
    ).toEqual([
      ['/lease', 'kazoo', '', []],
      ['/lease', 'kazoo-lease', 'host-1', []],
    ]);
  });

  it.each<[string, number | undefined]>([
    ['2026-01-01T00:00:00', Date.UTC(2026, 0, 1)],
    ['2026-12-31T23:59:58.123456', Date.UTC(2026, 11, 31, 23, 59, 58, 123)],
    ['2026-01-01T00:00:00Z', undefined],
    ['2026-01-01T00:00:00.', undefined],
    ['2026-01-01', undefined],
    ['at 2026-01-01T00:00:00', undefined],
    ['2026-13-01T00:00:00', undefined],
    ['tomorrow', undefined],
  ])('reads the end of a lease as UTC, and nothing else: %s', (end, expected) => {
    const data = JSON.stringify({ version: 1, holder: 'host-1', end });
    const [queue] = recogniseQueues(directory('/lease', [{ name: 'lease_holder', owner: 0n, data }]));
    expect(queue?.contenders).toHaveLength(1);
    expect(queue?.contenders[0]).toHaveProperty('identifier', 'host-1');
    expect(queue?.contenders[0]?.leaseEndsAt).toBe(expected);
    expect('leaseEndsAt' in queue!.contenders[0]!).toBe(expected !== undefined);
  });

  it('does not believe a lease without its fields', () => {
    expect(recogniseQueues(directory('/lease', [{ name: 'lease_holder', owner: 0n, data: '{}' }]))).toEqual([]);
  });
});
