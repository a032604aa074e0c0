import { describe, expect, it } from 'vitest';
import { holdersWithout } from '../../../src/inspector/turnsWithout.ts';
import type { DialectId } from '../../../src/locks/lockQueue.ts';
import { recogniseNames, recogniseQueues } from '../../../src/locks/recognition/recognise.ts';
import { brief, directory, type ChildSpec } from './directory.ts';

// Names and data as the products' own sources write them (docs/dialects.md, 4.1 and 4.2).

const encoder = new TextEncoder();
const OWNER = 0x1000_0000_0000_0001n;
const ID1 = '1a2b3c4d-0001-4000-8000-00000000000a';
const ID2 = 'ffb3c4d0-0002-4000-8000-000123456789';
const HEX = '0f'.repeat(11) + '0123456789';

describe('what is no lock', () => {
  it.each<[string, string, string[]]>([
    [
      'HiveServer2',
      '/hiveserver2',
      [
        'serverUri=hs1.example:10000;version=3.1.3;sequence=0000000000',
        'serverUri=hs2.example:10000;version=3.1.3;sequence=0000000001',
      ],
    ],
    ['Kyuubi', '/kyuubi', ['serverUri=10.0.0.1:10009;version=1.10.0;refId=7c1f;sequence=0000000003']],
    ['Kyuubi until 1.8', '/kyuubi', ['serviceUri=10.0.0.1:10009;version=1.7.0;sequence=0000000003']],
    ['ClickHouse before 22.11', '/clickhouse/tables/t/temp', ['abandonable_lock-0000000000']],
    [
      'LLAP',
      '/llap-unsecure/user-hive/llap0/workers',
      ['worker-0000000000', 'slot-0000000000', 'worker-0000000001', 'slot-0000000001'],
    ],
    ['Ignite', '/apacheIgnite/default/n', [`${ID1}:${ID2}:80|0000000000`, `${ID2}:${ID1}:81|0000000001`]],
    ["Ignite's events", '/apacheIgnite/default/ce', [`${ID1}:${ID2}:0001|0000000000`]],
    [
      "Curator's priority queue",
      '/app/work',
      ['queue-1000000050000000000', 'queue-10000000A0000000001', 'queue-0FFFFFFFF0000000002'],
    ],
    ["Curator's queue with ids or delays", '/app/work', ['queue-|order-1|0000000000', 'queue-|018F2A3B|0000000001']],
    ["Curator's double barrier", '/app/barrier', [ID1, ID2]],
    ["kazoo's double barrier", '/app/barrier', [HEX]],
    ["kazoo's party", '/app/crew', [`${HEX}__party__`]],
    ["kazoo's shallow party", '/app/crew', [`${HEX}-worker-1700000000`, `${HEX}-1700000000`, `${HEX}-4155550123`]],
  ])('%s', (_, path, names) => {
    expect(recogniseNames(path, names)).toEqual([]);
    expect(recogniseQueues(directory(path, names))).toEqual([]);
    for (const name of names)
      expect(recogniseQueues(directory(`${path}/${name}`, [], { self: { name, ephemeralOwner: OWNER } }))).toEqual([]);
  });

  it('is a lock in a directory that is called after locks', () => {
    const names = ['queue-1000000050000000000', ID2];
    const locks = recogniseQueues(directory('/app/locks', names));
    expect(locks.map(({ dialect, contenders }) => [dialect, ...brief(contenders)])).toEqual(
      names.map(name => ['exclusive-node', `${name}!`]),
    );
  });
});

describe('readers and writers', () => {
  const pairs = [
    ['r_', 'w_'],
    ['r-', 'w-'],
    ['r-lock-', 'w-lock-'],
    ['read_', 'write_'],
    ['read-lock-', 'write-lock-'],
    ['readLock-', 'writeLock-'],
    ['readlock-', 'writelock-'],
  ] as const;

  it.each(pairs)('%s and %s: readers hold together, a writer waits for all of them', (read, write) => {
    const names = [`${read}0000000000`, `${read}0000000001`, `${write}0000000002`, `${read}0000000003`];
    const [queue, ...others] = recogniseQueues(directory('/app/table', names));
    expect(others).toEqual([]);
    expect(queue).toMatchObject({ dialect: 'generic', hazards: [] });
    expect(brief(queue!.contenders)).toEqual([
      `${names[0]!}!`,
      `${names[1]!}!`,
      `${names[2]!}>${names[1]!}`,
      `${names[3]!}>${names[2]!}`,
    ]);
    expect(queue!.contenders.map(({ kind }) => kind)).toEqual(['read', 'read', 'write', 'read']);
    expect(recogniseNames('/app/table', names)).toEqual([{ dialect: 'generic', contenders: 4, certain: false }]);
  });

  it.each(['R_', ...pairs.flat()])('%s on persistent nodes is no lock', stem => {
    expect(recogniseQueues(directory('/app/records', [{ name: `${stem}0000000000`, owner: 0n }]))).toEqual([]);
  });

  it("shows menagerie's reader below its own write lock as a holder", () => {
    const [queue] = recogniseQueues(
      directory('/app/table', [
        { name: 'writeLock-0000000004', owner: OWNER },
        { name: 'readLock-0000000004', owner: OWNER },
        { name: 'readLock-0000000005' },
      ]),
    );
    expect(brief(queue!.contenders)).toEqual([
      'writeLock-0000000004!',
      'readLock-0000000004!',
      'readLock-0000000005>writeLock-0000000004',
    ]);
    expect(queue!.hazards.filter(({ kind }) => kind === 'duplicate-sequence')).toEqual([]);
  });

  it.each<[string, string[], string[]]>([
    ['two readers hold', ['R_0000000000', 'R_0000000001'], ['R_0000000000!', 'R_0000000001!']],
    ['the first writer holds', ['W_0000000000', 'R_0000000001'], ['W_0000000000!', 'R_0000000001>']],
    [
      'a writer behind readers waits, watching any of them',
      ['R_0000000002', 'W_0000000003', 'R_0000000004'],
      ['R_0000000002!', 'W_0000000003>', 'R_0000000004>'],
    ],
  ])('Solr 9: %s', (_, names, expected) => {
    for (const path of ['/locks/collections/films/Locks', '/locks/collections/films/_shard1/_core_node2']) {
      const [queue, ...others] = recogniseQueues(directory(path, names));
      expect(others).toEqual([]);
      expect(queue).toMatchObject({ dialect: 'solr', path, hazards: [] });
      expect(brief(queue!.contenders)).toEqual(expected);
      expect(recogniseNames(path, names)).toEqual([{ dialect: 'solr', contenders: names.length, certain: false }]);
    }
  });
});

const bundle = '{"nativeUrl":"pulsar://b1.example:6650","httpUrl":"http://b1.example:8080","disabled":false}';
const topom = '{"token":"ab12","start_time":"2026-01-01","admin_addr":"10.0.0.4:18080","product_name":"demo","pid":7}';
const record = (id: string, fields: Record<string, string>): string =>
  JSON.stringify({ id, simpleFields: fields, mapFields: {}, listFields: {} });
const helixLock = (fields: Record<string, string>): string =>
  record('LOCK', { OWNER: 'admin-7', MESSAGE: 'upgrade', TIMEOUT: '1767225600000', PRIORITY: '0', ...fields });

describe('locks of one node', () => {
  it.each<[string, string, DialectId, bigint, string, object]>([
    [
      'Pulsar',
      '/namespace/public/default/0x00000000_0x40000000',
      'pulsar',
      OWNER,
      bundle,
      { identifier: 'pulsar://b1.example:6650' },
    ],
    [
      'Pulsar, namespaces with a cluster',
      '/namespace/p/use/ns/0x00000000_0xffffffff',
      'pulsar',
      OWNER,
      bundle,
      { kind: 'exclusive' },
    ],
    [
      "Kafka's old consumer",
      '/consumers/g1/owners/orders/12',
      'kafka-consumer',
      OWNER,
      'g1_host-1700000000000-1a2b3c4d-0',
      { identifier: 'g1_host-1700000000000-1a2b3c4d-0' },
    ],
    [
      'Schema Registry',
      '/schema_registry/schema_registry_master',
      'schema-registry',
      OWNER,
      '{"host":"sr1.example","port":8081,"master_eligibility":true,"scheme":"http","version":1}',
      { identifier: 'sr1.example:8081', kind: 'candidate' },
    ],
    ['ElasticJob', '/ns/job-1/sharding/0/running', 'elasticjob', OWNER, '', { identifier: '' }],
    [
      'ElasticJob with failover',
      '/ns/job-1/sharding/3/running',
      'elasticjob',
      0n,
      '10.0.0.7@-@4711',
      { identifier: '10.0.0.7@-@4711' },
    ],
    [
      "ElasticJob's leader",
      '/ns/job-1/leader/election/instance',
      'elasticjob',
      OWNER,
      '10.0.0.7@-@4711',
      { identifier: '10.0.0.7@-@4711' },
    ],
    ['Codis', '/codis3/demo/topom', 'codis', 0n, topom, { identifier: '10.0.0.4:18080' }],
    [
      'Canal server',
      '/otter/canal/destinations/d1/running',
      'canal',
      OWNER,
      '{"active":true,"address":"10.0.0.2:11111"}',
      { identifier: '10.0.0.2:11111' },
    ],
    [
      'Canal client',
      '/otter/canal/destinations/d1/1001/running',
      'canal',
      OWNER,
      '{"active":true,"address":"10.0.0.9:54012","clientId":1001}',
      { identifier: '10.0.0.9:54012' },
    ],
    [
      'Helix controller',
      '/c1/CONTROLLER/LEADER',
      'helix-controller',
      OWNER,
      record('controller_0', { HELIX_VERSION: '2.0.1', LIVE_INSTANCE: '4711@h1', SESSION_ID: '1000' }),
      { identifier: 'controller_0, 4711@h1' },
    ],
    [
      'Helix lock',
      '/c1/LOCK/RESOURCE/db',
      'helix-lock',
      0n,
      helixLock({}),
      { identifier: 'admin-7', leaseEndsAt: 1767225600000 },
    ],
    [
      'Helix lock without an end',
      '/c1/LOCK/CLUSTER/c1',
      'helix-lock',
      0n,
      helixLock({ TIMEOUT: '9223372036854775807' }),
      { identifier: 'admin-7' },
    ],
    [
      'ShedLock',
      '/shedlock/nightly',
      'shedlock',
      0n,
      '2026-01-01T00:00:00.000Z',
      { identifier: '', leaseEndsAt: 1767225600000 },
    ],
    ['ShedLock before 2.5', '/shedlock/nightly', 'shedlock', OWNER, '10.0.0.7', { identifier: '' }],
  ])('%s', (_, path, dialect, ephemeralOwner, text, holder) => {
    const data = encoder.encode(text);
    const name = path.slice(path.lastIndexOf('/') + 1);
    const parent = path.slice(0, path.lastIndexOf('/'));
    const own = recogniseQueues(directory(path, [], { self: { name, ephemeralOwner, data } }));
    const asChild = recogniseQueues(directory(parent, [{ name, owner: ephemeralOwner, data }]));
    for (const [queue, ...others] of [own, asChild]) {
      expect(others).toEqual([]);
      expect(queue).toMatchObject({ path, dialect, strangers: [], hazards: [] });
      expect(queue!.contenders).toMatchObject([
        { path, name, role: 'holder', ownerSession: ephemeralOwner, ...holder },
      ]);
      expect('leaseEndsAt' in queue!.contenders[0]!).toBe('leaseEndsAt' in holder);
    }
    expect(recogniseNames(path, [])).toEqual([{ dialect, contenders: 1, certain: false }]);
  });

  it.each<[string, string, string]>([
    ['Helix, free', '/c1/LOCK/RESOURCE/db', helixLock({ OWNER: 'NONE', TIMEOUT: '-1' })],
    ['Helix, without an end', '/c1/LOCK/RESOURCE/db', helixLock({ TIMEOUT: '-1' })],
    ['no record of Helix', '/c1/LOCK/RESOURCE/db', '{"simpleFields":["OWNER"]}'],
    ['a directory of Helix', '/c1/LOCK/RESOURCE', ''],
    ['a directory below ShedLock', '/shedlock/prod', '10.0.0.7'],
    ['a date that is none', '/shedlock/nightly', '2026-13-45T00:00:00.000Z'],
    ['a topology of another product', '/codis3/demo/topom', '{"name":"x"}'],
    ['a persistent bundle', '/namespace/public/default/0x00000000_0x40000000', bundle],
    ['a persistent item', '/ns/job-1/sharding/0/running', 'yes'],
    ['a partition of a topic', '/brokers/topics/orders/partitions/12', ''],
  ])('a persistent node that holds nothing: %s', (_, path, text) => {
    const data = encoder.encode(text);
    expect(recogniseQueues(directory(path, [], { self: { data } }))).toEqual([]);
  });
});

describe('groups that elect by `0<seq>`', () => {
  const broker = (fields: object): string =>
    JSON.stringify({
      id: 'localhost',
      container: null,
      address: null,
      position: -1,
      weight: 1,
      elected: null,
      ...fields,
    });
  const path = '/activemq/leveldb-stores';

  it('ActiveMQ: the node that has started as the master leads, wherever it stands', () => {
    const [queue, ...others] = recogniseQueues(
      directory(path, [
        { name: '00000000004', data: broker({ elected: '0000000006' }) },
        { name: '00000000005', data: broker({}) },
        { name: '00000000006', data: broker({ address: 'tcp://b3.example:61619' }) },
      ]),
    );
    expect(others).toEqual([]);
    expect(queue).toMatchObject({ dialect: 'activemq', hazards: [] });
    expect(brief(queue!.contenders)).toEqual(['00000000004>', '00000000005>', '00000000006!']);
    expect(queue!.contenders[2]).toMatchObject({ identifier: 'tcp://b3.example:61619', sequence: 6 });
  });

  it('ActiveMQ: none leads before one has started', () => {
    const specs = ['00000000004', '00000000005'].map(name => ({ name, data: broker({ position: 12 }) }));
    expect(brief(recogniseQueues(directory(path, specs))[0]!.contenders)).toEqual(['00000000004>', '00000000005>']);
  });

  it('ActiveMQ: none can say which node is elected after the master', () => {
    const [queue] = recogniseQueues(
      directory(path, [
        { name: '00000000004', data: broker({ elected: '0000000005' }) },
        { name: '00000000005', data: broker({ address: 'tcp://b2.example:61619' }) },
        { name: '00000000006', data: broker({}) },
      ]),
    );
    const [waiter, master] = queue!.contenders;
    expect(holdersWithout(queue!, master!)).toEqual({ succession: 'election', holders: [] });
    expect(holdersWithout(queue!, waiter!)).toEqual({ succession: 'known', holders: [master] });
  });

  it('fabric8: the first of each id leads', () => {
    const node = (name: string, id: string, container: string): ChildSpec => ({
      name,
      data: JSON.stringify({ id, container, services: [] }),
    });
    const queues = recogniseQueues(
      directory('/fabric/registry/clusters/amq/default', [
        node('00000000003', 'broker-a', 'root3'),
        node('00000000001', 'broker-a', 'root1'),
        node('00000000002', 'broker-b', 'root2'),
      ]),
    );
    expect(queues.map(({ dialect, lockName, contenders }) => [dialect, lockName, ...brief(contenders)])).toEqual([
      ['fabric8', 'broker-a', '00000000001!', '00000000003>'],
      ['fabric8', 'broker-b', '00000000002!'],
    ]);
    expect(queues[0]!.contenders.map(({ identifier }) => identifier)).toEqual(['root1', 'root3']);
  });

  it('is no group without its data, or on persistent nodes', () => {
    const data = JSON.stringify({ id: 'a', container: 'c' });
    expect(recogniseNames('/d/segments', ['00000000001'])).toEqual([
      { dialect: 'fabric8', contenders: 1, certain: false },
    ]);
    expect(recogniseQueues(directory('/d/segments', ['00000000001', { name: '00000000002', data: '{}' }]))).toEqual([]);
    expect(recogniseQueues(directory('/d/segments', [{ name: '00000000001', owner: 0n, data }]))).toEqual([]);
  });
});

describe("Hive's locks", () => {
  const path = '/hive_zookeeper_namespace/default/t1';
  const read = (data: string | Uint8Array) =>
    recogniseQueues(directory(path, [{ name: 'LOCK-SHARED-0000000000', data }]))[0]!.contenders[0]!;

  it.each<[string, string, string, string | undefined]>([
    [
      'five fields',
      'hive_20260801_1a2b:1767225600000:IMPLICIT:select count(*) from t1:10.0.0.7',
      'hive_20260801_1a2b, IMPLICIT, 10.0.0.7',
      'select count(*) from t1',
    ],
    [
      'an IPv6 address',
      'q1:1:EXPLICIT:LOCK TABLE t1 SHARED:0:0:0:0:0:0:0:1',
      'q1, EXPLICIT, 0:0:0:0:0:0:0:1',
      'LOCK TABLE t1 SHARED',
    ],
    ['no address', 'q1:1:IMPLICIT:select 1:null', 'q1, IMPLICIT', 'select 1'],
    ['four fields, before the address came', 'q1:1:IMPLICIT:select 1', 'q1, IMPLICIT', 'select 1'],
    ['no query', 'q1:1:EXPLICIT:null:10.0.0.7', 'q1, EXPLICIT, 10.0.0.7', undefined],
    [
      'a query of 5,000 characters',
      `q1:1:IMPLICIT:${'é'.repeat(5000)}:10.0.0.7`,
      'q1, IMPLICIT, 10.0.0.7',
      'é'.repeat(200),
    ],
    [
      'a query of two lines',
      'q1:1:IMPLICIT:select 1\n\t  from t1:10.0.0.7',
      'q1, IMPLICIT, 10.0.0.7',
      'select 1 from t1',
    ],
    ['another form', 'host-1', 'host-1', undefined],
    ['markup', 'q1:1:IMPLICIT:<b>"x"</b>:[a](command:b)', 'q1, IMPLICIT', '<b>"x"</b>'],
  ])('%s', (_, data, identifier, details) => {
    const contender = read(data);
    expect(contender.identifier).toBe(identifier);
    expect(contender.details).toBe(details);
  });

  it.each<[string, Uint8Array]>([
    ['ESC', encoder.encode('q1:1:IMPLICIT:\u001b[2J:10.0.0.7')],
    ['not UTF-8', Uint8Array.of(0x71, 0x3a, 0x31, 0x3a, 0xff, 0xfe)],
    ['nothing', new Uint8Array()],
  ])('say nothing that is no text: %s', (_, data) => {
    expect(read(data)).toMatchObject({ identifier: '' });
    expect(read(data)).not.toHaveProperty('details');
  });
});
