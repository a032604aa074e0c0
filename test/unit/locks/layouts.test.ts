import { describe, expect, it } from 'vitest';
import type { DialectId } from '../../../src/locks/lockQueue.ts';
import { recogniseQueues } from '../../../src/locks/recognition/recognise.ts';
import { brief, directory, type ChildSpec } from './directory.ts';

const U1 = '_c_1a2b3c4d-0001-4000-8000-00000000000a-';
const U2 = '_c_ffb3c4d0-0002-4000-8000-00000000000b-';
const U3 = '_c_00b3c4d0-0003-4000-8000-00000000000c-';
const G1 = 'f'.repeat(32);
const G2 = '0123456789abcdef'.repeat(2);
const ID1 = '8c1e2f60-0001-4000-8000-000000000001';
const ID2 = '0c1e2f60-0001-4000-8000-000000000002';

interface Row {
  layout: string;
  path?: string;
  /** Given in no particular order, as getChildren does. */
  children: (ChildSpec | string)[];
  dialect: DialectId;
  /** In grant order: `name!` holds, `name>watched` waits. */
  queue: string[];
  kinds: string[];
}

/** One row per layout of the catalogue: names as the libraries write them. */
const rows: Row[] = [
  {
    layout: 'Curator mutex',
    children: [`${U1}lock-0000000002`, `${U2}lock-0000000001`, `${U3}lock-0000000003`],
    dialect: 'curator',
    queue: [
      `${U2}lock-0000000001!`,
      `${U1}lock-0000000002>${U2}lock-0000000001`,
      `${U3}lock-0000000003>${U1}lock-0000000002`,
    ],
    kinds: ['exclusive', 'exclusive', 'exclusive'],
  },
  {
    layout: 'Curator read/write: a reader waits for the first writer',
    children: [
      `${U1}__WRIT__0000000001`,
      `${U2}__WRIT__0000000002`,
      `${U3}__READ__0000000003`,
      `${U3}__READ__0000000000`,
    ],
    dialect: 'curator',
    queue: [
      `${U3}__READ__0000000000!`,
      `${U1}__WRIT__0000000001>${U3}__READ__0000000000`,
      `${U2}__WRIT__0000000002>${U1}__WRIT__0000000001`,
      `${U3}__READ__0000000003>${U1}__WRIT__0000000001`,
    ],
    kinds: ['read', 'write', 'write', 'read'],
  },
  {
    layout: 'Curator latch',
    children: [`${U2}latch-0000000008`, `${U1}latch-0000000009`],
    dialect: 'curator-latch',
    queue: [`${U2}latch-0000000008!`, `${U1}latch-0000000009>${U2}latch-0000000008`],
    kinds: ['candidate', 'candidate'],
  },
  {
    layout: 'Curator or zookeeper-client with a lock name of its own',
    children: [`${U1}job-0000000001`, `${U2}job-0000000000`],
    dialect: 'curator',
    queue: [`${U2}job-0000000000!`, `${U1}job-0000000001>${U2}job-0000000000`],
    kinds: ['exclusive', 'exclusive'],
  },
  {
    layout: 'go-zookeeper',
    children: [`_c_${G1}-lock-0000000000`, `_c_${G2}-lock-0000000001`],
    dialect: 'go-zookeeper',
    queue: [`_c_${G1}-lock-0000000000!`, `_c_${G2}-lock-0000000001>_c_${G1}-lock-0000000000`],
    kinds: ['exclusive', 'exclusive'],
  },
  {
    layout: 'kazoo lock',
    children: [`${G1}__lock__0000000000`, `${G2}__lock__0000000001`],
    dialect: 'kazoo',
    queue: [`${G1}__lock__0000000000!`, `${G2}__lock__0000000001>${G1}__lock__0000000000`],
    kinds: ['exclusive', 'exclusive'],
  },
  {
    layout: 'kazoo read/write: a reader waits for the nearest writer',
    children: [
      `${G1}__lock__0000000000`,
      `${G2}__lock__0000000001`,
      `${G1}__rlock__0000000002`,
      `${G2}__rlock__0000000003`,
    ],
    dialect: 'kazoo',
    queue: [
      `${G1}__lock__0000000000!`,
      `${G2}__lock__0000000001>${G1}__lock__0000000000`,
      `${G1}__rlock__0000000002>${G2}__lock__0000000001`,
      `${G2}__rlock__0000000003>${G2}__lock__0000000001`,
    ],
    kinds: ['write', 'write', 'read', 'read'],
  },
  {
    layout: 'WriteLock, Java',
    children: ['x-72057736222474241-0000000001', 'x--1224979098644774911-0000000000'],
    dialect: 'zookeeper-writelock',
    queue: ['x--1224979098644774911-0000000000!', 'x-72057736222474241-0000000001>x--1224979098644774911-0000000000'],
    kinds: ['exclusive', 'exclusive'],
  },
  {
    layout: 'WriteLock, C',
    children: ['x-01000a3f5e6c0001-0000000001', 'x-01000a3f5e6c0000-0000000000'],
    dialect: 'zookeeper-writelock-c',
    queue: ['x-01000a3f5e6c0000-0000000000!', 'x-01000a3f5e6c0001-0000000001>x-01000a3f5e6c0000-0000000000'],
    kinds: ['exclusive', 'exclusive'],
  },
  {
    layout: 'LeaderElectionSupport',
    children: ['n_0000000002', 'n_0000000001', 'n_0000000010'],
    dialect: 'zookeeper-election',
    queue: ['n_0000000001!', 'n_0000000002>n_0000000001', 'n_0000000010>n_0000000002'],
    kinds: ['candidate', 'candidate', 'candidate'],
  },
  {
    layout: 'zk for Ruby',
    path: '/_zklocking/job',
    children: ['sh0000000000', 'ex0000000001', 'sh0000000002', 'ex0000000003'],
    dialect: 'zk-ruby',
    queue: ['sh0000000000!', 'ex0000000001>sh0000000000', 'sh0000000002>ex0000000001', 'ex0000000003>sh0000000002'],
    kinds: ['read', 'write', 'read', 'write'],
  },
  {
    layout: 'zk for Ruby, semaphore',
    path: '/_zksemaphore/job',
    children: ['sem0000000000', 'sem0000000001'],
    dialect: 'zk-ruby-semaphore',
    queue: ['sem0000000000!', 'sem0000000001>'],
    kinds: ['lease', 'lease'],
  },
  {
    layout: 'zk for Ruby, election',
    path: '/_zkelection/job',
    children: ['ballot0000000000', 'ballot0000000001', 'leader_ack'],
    dialect: 'zk-ruby-election',
    queue: ['ballot0000000000!', 'ballot0000000001>ballot0000000000'],
    kinds: ['candidate', 'candidate'],
  },
  {
    layout: 'zk for Ruby, election won but not confirmed',
    path: '/_zkelection/job',
    children: ['ballot0000000000'],
    dialect: 'zk-ruby-election',
    queue: ['ballot0000000000>'],
    kinds: ['candidate'],
  },
  {
    layout: 'DistributedLock.NET lock',
    children: ['lock-0000000001', 'lock-0000000000'],
    dialect: 'distributedlock-net',
    queue: ['lock-0000000000!', 'lock-0000000001>lock-0000000000'],
    kinds: ['exclusive', 'exclusive'],
  },
  {
    layout: 'DistributedLock.NET and HBase 1.x read/write',
    children: ['read-0000000000', 'write-0000000001', 'write-0000000002', 'read-0000000003'],
    dialect: 'distributedlock-net',
    queue: [
      'read-0000000000!',
      'write-0000000001>read-0000000000',
      'write-0000000002>write-0000000001',
      'read-0000000003>write-0000000002',
    ],
    kinds: ['read', 'write', 'write', 'read'],
  },
  {
    layout: 'DistributedLock.NET semaphore',
    children: [
      { name: 'semaphore-0000000000', data: 'ACQUIRED' },
      { name: 'semaphore-0000000001', data: 'ACQUIRED' },
      'semaphore-0000000002',
      'semaphore-0000000003',
    ],
    dialect: 'distributedlock-net-semaphore',
    queue: [
      'semaphore-0000000000!',
      'semaphore-0000000001!',
      'semaphore-0000000002>',
      'semaphore-0000000003>semaphore-0000000002',
    ],
    kinds: ['lease', 'lease', 'lease', 'lease'],
  },
  {
    layout: 'letters, with and without host',
    children: ['W-0000000001', 'db-1.example-R-0000000000', 'R-0000000003', 'a-W-0000000002'],
    dialect: 'rw-letters',
    queue: [
      'db-1.example-R-0000000000!',
      'W-0000000001>db-1.example-R-0000000000',
      'a-W-0000000002>W-0000000001',
      'R-0000000003>a-W-0000000002',
    ],
    kinds: ['read', 'write', 'write', 'read'],
  },
  {
    layout: 'session in the name, hex and decimal',
    path: '/leader',
    children: [
      'lock-0x100043a1b2c0001-0000000001',
      'lock--72057736222474241-0000000000',
      'lock-100043a1b2c0001-0000000002',
    ],
    dialect: 'session-named',
    queue: [
      'lock--72057736222474241-0000000000!',
      'lock-0x100043a1b2c0001-0000000001>lock--72057736222474241-0000000000',
      'lock-100043a1b2c0001-0000000002>lock-0x100043a1b2c0001-0000000001',
    ],
    kinds: ['exclusive', 'exclusive', 'exclusive'],
  },
  {
    layout: 'rust latch, dashes in the id',
    children: ['latch-node-b-0000000001', 'latch-z-0000000000'],
    dialect: 'rust-latch',
    queue: ['latch-z-0000000000!', 'latch-node-b-0000000001>latch-z-0000000000'],
    kinds: ['candidate', 'candidate'],
  },
  {
    layout: 'aiozk: readers wait for `write` only',
    children: [`lock-${G1}-0000000000`, `read-${G2}-0000000001`, `write-${G1}-0000000002`, `read-${G1}-0000000003`],
    dialect: 'aiozk',
    queue: [
      `lock-${G1}-0000000000!`,
      `read-${G2}-0000000001!`,
      `write-${G1}-0000000002>read-${G2}-0000000001`,
      `read-${G1}-0000000003>write-${G1}-0000000002`,
    ],
    kinds: ['exclusive', 'read', 'write', 'read'],
  },
  {
    layout: 'aiozk lease',
    children: [`lease-${G1}-0000000000`, `lease-${G2}-0000000001`],
    dialect: 'aiozk',
    queue: [`lease-${G1}-0000000000!`, `lease-${G2}-0000000001!`],
    kinds: ['lease', 'lease'],
  },
  {
    layout: 'Solr',
    path: '/overseer_elect/election',
    children: [
      '-72057736222474241-10.0.0.2:8983_solr-n_0000000001',
      '72057736222474241-10.0.0.1:8983_solr-n_0000000000',
    ],
    dialect: 'solr',
    queue: [
      '72057736222474241-10.0.0.1:8983_solr-n_0000000000!',
      '-72057736222474241-10.0.0.2:8983_solr-n_0000000001>72057736222474241-10.0.0.1:8983_solr-n_0000000000',
    ],
    kinds: ['candidate', 'candidate'],
  },
  {
    layout: 'Mesos, old and new labels in one group',
    path: '/mesos',
    children: ['json.info_0000000001', 'info_0000000000', { name: 'log_replicas', owner: 0n }],
    dialect: 'mesos',
    queue: ['info_0000000000!', 'json.info_0000000001>'],
    kinds: ['candidate', 'candidate'],
  },
  {
    layout: 'Accumulo service lock: a waiter watches the first node of the client in front',
    path: '/accumulo/x/managers/lock',
    children: [
      `zlock#${ID1}#0000000000`,
      `zlock#${ID2}#0000000001`,
      `zlock#${ID2}#0000000002`,
      `zlock#${ID1}#0000000003`,
    ],
    dialect: 'accumulo',
    queue: [
      `zlock#${ID1}#0000000000!`,
      `zlock#${ID2}#0000000001>zlock#${ID1}#0000000000`,
      `zlock#${ID2}#0000000002>zlock#${ID2}#0000000001`,
      `zlock#${ID1}#0000000003>zlock#${ID2}#0000000001`,
    ],
    kinds: ['exclusive', 'exclusive', 'exclusive', 'exclusive'],
  },
  {
    layout: 'Accumulo FATE locks of three releases',
    path: '/accumulo/x/table_locks/2',
    children: [
      { name: `flock#READ~FATE:USER:${ID1}~~#0000000000`, owner: 0n },
      { name: `flock#WRITE:FATE:META:${ID2}#0000000001`, owner: 0n },
      { name: 'flock#0000000002', owner: 0n, data: 'READ:00000000000000a1' },
    ],
    dialect: 'accumulo',
    queue: [
      `flock#READ~FATE:USER:${ID1}~~#0000000000!`,
      `flock#WRITE:FATE:META:${ID2}#0000000001>`,
      'flock#0000000002>',
    ],
    kinds: ['read', 'write', 'read'],
  },
  {
    layout: 'BookKeeper auditor',
    path: '/ledgers/underreplication/auditorelection',
    children: ['V_0000000000', 'V_0000000001'],
    dialect: 'bookkeeper-auditor',
    queue: ['V_0000000000!', 'V_0000000001>V_0000000000'],
    kinds: ['candidate', 'candidate'],
  },
  {
    layout: 'Hive: semi-shared blocks nobody, nobody watches',
    path: '/hive_zookeeper_namespace/default/t1',
    children: [
      'LOCK-SEMI_SHARED-0000000000',
      'LOCK-EXCLUSIVE-0000000001',
      { name: 'LOCK-SHARED-0000000002', owner: 0n },
    ],
    dialect: 'hive',
    queue: ['LOCK-SEMI_SHARED-0000000000!', 'LOCK-EXCLUSIVE-0000000001!', 'LOCK-SHARED-0000000002>'],
    kinds: ['read', 'write', 'read'],
  },
  {
    layout: 'Vitess',
    path: '/vitess/global/keyspaces/k/locks',
    children: ['0000000001', '0000000000'],
    dialect: 'vitess',
    queue: ['0000000000!', '0000000001>0000000000'],
    kinds: ['exclusive', 'exclusive'],
  },
  {
    layout: 'guid-lock of the documentation',
    children: [`${ID1}-lock-0000000000`, `${G1}-lock-0000000001`],
    dialect: 'generic',
    queue: [`${ID1}-lock-0000000000!`, `${G1}-lock-0000000001>${ID1}-lock-0000000000`],
    kinds: ['exclusive', 'exclusive'],
  },
  {
    layout: 'guid-read and guid-write of the documentation',
    children: [`${ID1}-write-0000000000`, `${ID2}-write-0000000001`, `${ID1}-read-0000000002`],
    dialect: 'generic',
    queue: [
      `${ID1}-write-0000000000!`,
      `${ID2}-write-0000000001>${ID1}-write-0000000000`,
      `${ID1}-read-0000000002>${ID2}-write-0000000001`,
    ],
    kinds: ['write', 'write', 'read'],
  },
  {
    layout: 'ClickHouse before 21.12',
    path: '/clickhouse/tables/t/leader_election',
    children: ['leader_election-0000000001', 'leader_election-0000000000'],
    dialect: 'generic',
    queue: ['leader_election-0000000000!', 'leader_election-0000000001>leader_election-0000000000'],
    kinds: ['candidate', 'candidate'],
  },
  {
    layout: 'Twitter candidates watch the group',
    children: ['singleton_candidate_0000000000', 'singleton_candidate_0000000001'],
    dialect: 'generic',
    queue: ['singleton_candidate_0000000000!', 'singleton_candidate_0000000001>'],
    kinds: ['candidate', 'candidate'],
  },
  {
    layout: 'anything ephemeral with a number',
    children: ['master_0000000000', 'master_0000000001'],
    dialect: 'generic',
    queue: ['master_0000000000!', 'master_0000000001>master_0000000000'],
    kinds: ['exclusive', 'exclusive'],
  },
];

describe('recogniseQueues, layout by layout', () => {
  it.each(rows)('$layout', ({ path = '/app/lock-of-a-test', children, dialect, queue, kinds }) => {
    const queues = recogniseQueues(directory(path, children));
    expect(queues.map(each => each.dialect)).toEqual([dialect]);
    expect(brief(queues[0]!.contenders)).toEqual(queue);
    expect(queues[0]!.contenders.map(contender => contender.kind)).toEqual(kinds);
    expect(queues[0]!.path).toBe(path);
  });

  it('keeps named mutexes of one directory apart', () => {
    const queues = recogniseQueues(
      directory('/locks', ['b_lock_0000000002', 'a_lock_0000000000', 'a_lock_0000000003', 'x_y_lock_0000000001']),
    );
    expect(queues.map(({ lockName, contenders }) => [lockName, ...brief(contenders)])).toEqual([
      ['a', 'a_lock_0000000000!', 'a_lock_0000000003>a_lock_0000000000'],
      ['b', 'b_lock_0000000002!'],
      ['x_y', 'x_y_lock_0000000001!'],
    ]);
    expect(queues.flatMap(({ hazards }) => hazards.filter(({ kind }) => kind === 'mixed-dialects'))).toEqual([]);
  });

  it('groups unknown names by what stands before the number', () => {
    const queues = recogniseQueues(directory('/perl', ['mail-0000000000', 'cron-0000000001', 'mail-0000000002']));
    expect(queues.map(({ lockName, contenders }) => [lockName, ...brief(contenders)])).toEqual([
      ['cron', 'cron-0000000001!'],
      ['mail', 'mail-0000000000!', 'mail-0000000002>mail-0000000000'],
    ]);
  });
});
