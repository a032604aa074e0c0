import type { NodePlan } from '../../support/observer.ts';

// The layouts of products (docs/dialects.md, section 4) in one tree, with names and data as the products' sources write them.

export const hour = 3_600_000;
const ID1 = '1a2b3c4d-0001-4000-8000-00000000000a';
const ID2 = 'ffb3c4d0-0002-4000-8000-000123456789';
const HEX = `${'0f'.repeat(11)}0123456789`;

export function inQueue(path: string, data = ''): NodePlan {
  return { path, data, ephemeral: true, sequence: true };
}

export function alone(path: string, data = ''): NodePlan {
  return { path, data, ephemeral: true };
}

export function kept(path: string, data = ''): NodePlan {
  return { path, data };
}

export function record(id: string, fields: Record<string, string>): string {
  return JSON.stringify({ id, simpleFields: fields, mapFields: {}, listFields: {} });
}

function broker(fields: object): string {
  return JSON.stringify({ id: 'localhost', container: null, address: null, position: -1, weight: 1, ...fields });
}

export const ahead = Date.now() + hour;
export const instant = (at: number): string => new Date(at).toISOString();

/** The lock's path, its library, and each contender as `+who` (holds) or `-who` (waits); the name where the node does not say. */
export type ExpectedLock = [path: string, dialect: string, ...contenders: string[]];

/** Nodes, and the lock that they are. */
export const productLocks: [NodePlan[], ExpectedLock][] = [
  [
    [inQueue('/locks/collections/films/Locks/R_'), inQueue('/locks/collections/films/Locks/R_')],
    ['/locks/collections/films/Locks', 'solr', '+R_0000000000', '+R_0000000001'],
  ],
  [
    [inQueue('/locks/collections/films/_s1/_r1/W_'), inQueue('/locks/collections/films/_s1/_r1/R_')],
    ['/locks/collections/films/_s1/_r1', 'solr', '+W_0000000000', '-R_0000000001'],
  ],
  ...(['r_ w_', 'read_ write_', 'read-lock- write-lock-', 'readLock- writeLock-'] as const).map(
    (words, at): [NodePlan[], ExpectedLock] => {
      const [read, write] = words.split(' ') as [string, string];
      const path = `/app/table${String(at)}`;
      return [
        [read, read, write].map(word => inQueue(`${path}/${word}`)),
        [path, 'generic', `+${read}0000000000`, `+${read}0000000001`, `-${write}0000000002`],
      ];
    },
  ),
  [
    [
      inQueue('/hive_zookeeper_namespace/default/t1/LOCK-SHARED-', 'hive_1:1767225600000:IMPLICIT:select 1:10.0.0.7'),
      inQueue(
        '/hive_zookeeper_namespace/default/t1/LOCK-EXCLUSIVE-',
        'hive_2:1767225600001:EXPLICIT:lock table t1:null',
      ),
    ],
    ['/hive_zookeeper_namespace/default/t1', 'hive', '+hive_1, IMPLICIT, 10.0.0.7', '-hive_2, EXPLICIT'],
  ],
  [[kept('/shedlock/nightly', instant(ahead))], ['/shedlock/nightly', 'shedlock', '+nightly']],
  [[kept('/shedlock/idle', instant(Date.now() - hour))], ['/shedlock/idle', 'shedlock', '+idle']],
  [
    [kept('/c1/LOCK/RESOURCE/db', record('LOCK', { OWNER: 'admin-7', TIMEOUT: String(ahead) }))],
    ['/c1/LOCK/RESOURCE/db', 'helix-lock', '+admin-7'],
  ],
  [
    [alone('/c1/CONTROLLER/LEADER', record('controller_0', { LIVE_INSTANCE: '4711@h1' }))],
    ['/c1/CONTROLLER/LEADER', 'helix-controller', '+controller_0, 4711@h1'],
  ],
  [
    [alone('/namespace/public/default/0x00000000_0x40000000', '{"nativeUrl":"pulsar://b1:6650","disabled":false}')],
    ['/namespace/public/default/0x00000000_0x40000000', 'pulsar', '+pulsar://b1:6650'],
  ],
  [
    [kept('/codis3/demo/topom', '{"token":"ab12","admin_addr":"10.0.0.4:18080","pid":7}')],
    ['/codis3/demo/topom', 'codis', '+10.0.0.4:18080'],
  ],
  [
    [alone('/consumers/g1/owners/orders/0', 'g1_host-1700000000000-1a2b3c4d-0')],
    ['/consumers/g1/owners/orders/0', 'kafka-consumer', '+g1_host-1700000000000-1a2b3c4d-0'],
  ],
  [
    [alone('/schema_registry/schema_registry_master', '{"host":"sr1","port":8081,"master_eligibility":true}')],
    ['/schema_registry/schema_registry_master', 'schema-registry', '+sr1:8081'],
  ],
  [
    [
      inQueue('/activemq/leveldb-stores/0', broker({ elected: '0000000001' })),
      inQueue('/activemq/leveldb-stores/0', broker({ address: 'tcp://b2:61619' })),
    ],
    ['/activemq/leveldb-stores', 'activemq', '-00000000000', '+tcp://b2:61619'],
  ],
  [
    [
      inQueue('/fabric/registry/clusters/git/0', '{"id":"fabric-repo","container":"root1"}'),
      inQueue('/fabric/registry/clusters/git/0', '{"id":"fabric-repo","container":"root2"}'),
    ],
    ['/fabric/registry/clusters/git', 'fabric8', '+root1', '-root2'],
  ],
  [[alone('/ns/job/sharding/0/running')], ['/ns/job/sharding/0/running', 'elasticjob', '+running']],
  [
    [kept('/ns/job/sharding/1/running', '10.0.0.7@-@4711')],
    ['/ns/job/sharding/1/running', 'elasticjob', '+10.0.0.7@-@4711'],
  ],
  [
    [alone('/otter/canal/destinations/d1/running', '{"active":true,"address":"10.0.0.2:11111"}')],
    ['/otter/canal/destinations/d1/running', 'canal', '+10.0.0.2:11111'],
  ],
];

/** What looks like locks and is none. */
export const others: NodePlan[] = [
  inQueue('/hiveserver2/serverUri=hs1:10000;version=3.1.3;sequence='),
  inQueue('/hiveserver2/serverUri=hs2:10000;version=3.1.3;sequence='),
  inQueue('/kyuubi/serverUri=10.0.0.1:10009;version=1.10.0;refId=7c1f;sequence='),
  inQueue('/clickhouse/tables/t/temp/abandonable_lock-'),
  inQueue('/llap-unsecure/user-hive/llap0/workers/worker-'),
  alone('/llap-unsecure/user-hive/llap0/workers/slot-0000000000'),
  inQueue(`/apacheIgnite/default/n/${ID1}:${ID2}:80|`),
  inQueue(`/apacheIgnite/default/n/${ID2}:${ID1}:81|`),
  { path: '/work/items/queue-100000005', sequence: true },
  alone('/work/taken/queue-1000000050000000000'),
  alone(`/work/barrier/${ID1}`),
  alone(`/work/barrier/${ID2}`),
  alone(`/work/barrier2/${HEX}`),
  alone(`/work/crew/${HEX}-worker-1700000000`),
  // Shapes of locks that hold nothing.
  kept('/c2/LOCK/RESOURCE/db', record('LOCK', { OWNER: 'NONE', TIMEOUT: '-1' })),
  kept('/shedlock/prod', 'no date'),
  kept('/d/segments/00000000001', '{}'),
  kept('/d/records/read_0000000000'),
  // Shapes with hostile content.
  kept('/c3/LOCK/RESOURCE/db', '['.repeat(30_000)),
  kept('/c3/LOCK/CLUSTER/c3', '{"simpleFields":{"__proto__":1,"OWNER":"\\u001b[2J","TIMEOUT":1e999}}'),
  { path: '/shedlock/huge', data: 'x'.repeat(900_000) },
  { path: '/shedlock/binary', data: Uint8Array.of(0xff, 0xfe, 0x80) },
];

/** Hostile content of a group: no lock of the directory, though an ephemeral node that a person names is one by itself. */
export const bomb = alone(`/d/groups/00000000001`, `{"id":${'['.repeat(5_000)}${']'.repeat(5_000)},"container":null}`);
