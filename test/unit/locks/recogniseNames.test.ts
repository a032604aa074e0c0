import { describe, expect, it } from 'vitest';
import { recogniseNames } from '../../../src/locks/recognition/recognise.ts';

const U1 = '_c_1a2b3c4d-0001-4000-8000-00000000000a-';
const U2 = '_c_ffb3c4d0-0002-4000-8000-00000000000b-';
const G1 = 'f'.repeat(32);

describe('recogniseNames', () => {
  it.each<[string, string[]]>([
    ['/', ['brokers', 'config', 'controller_epoch', 'zookeeper', '__proto__', 'constructor']],
    ['/brokers/ids', ['1', '2', '1001']],
    ['/brokers/ids', ['1700000001']],
    ['/q', ['qn-0000000000', 'qn-0000000001']],
    ['/clickhouse/task_queue/ddl', ['query-0000000001']],
    ['/t/log', ['log-0000000001']],
    ['/t/mutations', ['0000000000', '0000000001']],
    ['/isr_change_notification', ['isr_change_0000000001']],
    ['/ledgers/underreplication/locks', ['urL0000000012']],
    ['/backups', ['backup-1700000000', 'x1700000000000', '20260101000000']],
    ['/services', ['worker-123456789', 'worker-2147483648']],
    ['/hashes', [G1]],
    ['/empty', []],
    ['/rtl', ['\u202e0000000001x', '<img src=x onerror=alert(1)>']],
  ])('finds no lock in %s %j', (path, names) => {
    expect(recogniseNames(path, names)).toEqual([]);
  });

  it.each<[string, string[], unknown[]]>([
    [
      '/l',
      [`${U1}lock-0000000000`, `${U2}lock-0000000001`, 'README'],
      [{ dialect: 'curator', contenders: 2, certain: true }],
    ],
    [
      '/l',
      [`${U1}lock-0000000000`, `_c_${G1}-lock-0000000001`],
      [{ dialect: 'curator', contenders: 2, certain: true }],
    ],
    [
      '/l',
      ['a_lock_0000000000', 'b_lock_0000000001', 'a_lock_0000000002'],
      [
        { dialect: 'named-lock', lockName: 'a', contenders: 2, certain: true },
        { dialect: 'named-lock', lockName: 'b', contenders: 1, certain: true },
      ],
    ],
    ['/vitess/k/locks', ['0000000000'], [{ dialect: 'vitess', contenders: 1, certain: true }]],
    ['/perl', ['cron-0000000001'], [{ dialect: 'generic', lockName: 'cron', contenders: 1, certain: false }]],
    ['/locks', ['cron-000000002'], [{ dialect: 'generic', lockName: 'cron', contenders: 1, certain: false }]],
    ['/locks', ['cron-2147483647'], [{ dialect: 'generic', lockName: 'cron', contenders: 1, certain: false }]],
    ['/s', ['leases', 'locks'], [{ dialect: 'curator-semaphore', contenders: 0, certain: false }]],
    ['/s', ['leases'], [{ dialect: 'curator-semaphore', contenders: 0, certain: false }]],
    ['/p-__lock__', [], [{ dialect: 'kazoo-semaphore', contenders: 0, certain: false }]],
    ['/p-__lock__', [`${G1}__lock__0000000000`], [{ dialect: 'kazoo-semaphore', contenders: 1, certain: false }]],
    ['/lease', ['lease_holder'], [{ dialect: 'kazoo-lease', contenders: 1, certain: false }]],
    ['/controller', [], [{ dialect: 'kafka-controller', contenders: 1, certain: false }]],
    ['/hadoop-ha/ns/ActiveStandbyElectorLock', [], [{ dialect: 'hadoop-elector', contenders: 1, certain: false }]],
    ['/exclusive_lock/lock', [], [{ dialect: 'exclusive-node', contenders: 1, certain: false }]],
  ])('%s %j', (path, names, expected) => {
    expect(recogniseNames(path, names)).toEqual(expected);
  });
});
