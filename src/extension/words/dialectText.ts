import * as vscode from 'vscode';
import type { DialectId } from '../../locks/lockQueue.ts';
import type { Language } from './language.ts';

/** Names of products; they are the same in every language. */
const productNames: Record<
  Exclude<DialectId, 'generic' | 'rw-letters' | 'named-lock' | 'session-named' | 'exclusive-node'>,
  string
> = {
  curator: 'Curator',
  'curator-semaphore': 'Curator',
  'curator-latch': 'Curator LeaderLatch',
  kazoo: 'kazoo',
  'kazoo-semaphore': 'kazoo',
  'kazoo-lease': 'kazoo',
  'go-zookeeper': 'go-zookeeper',
  'zookeeper-writelock': 'ZooKeeper WriteLock',
  'zookeeper-writelock-c': 'ZooKeeper WriteLock (C)',
  'zookeeper-election': 'ZooKeeper LeaderElectionSupport',
  'zk-ruby': 'zk-ruby',
  'zk-ruby-semaphore': 'zk-ruby',
  'zk-ruby-election': 'zk-ruby',
  'distributedlock-net': 'DistributedLock.NET',
  'distributedlock-net-semaphore': 'DistributedLock.NET',
  'rust-latch': 'Rust latch',
  aiozk: 'aiozk',
  solr: 'Solr',
  mesos: 'Mesos',
  'hadoop-elector': 'Hadoop',
  'hbase-master': 'HBase',
  'kafka-controller': 'Kafka',
  patroni: 'Patroni',
  accumulo: 'Accumulo',
  'bookkeeper-auditor': 'BookKeeper',
  hive: 'Hive',
  vitess: 'Vitess',
};

/** Whose naming scheme a queue follows. */
export function dialectText(dialect: DialectId, l10n: Language = vscode.l10n): string {
  switch (dialect) {
    case 'generic':
      return l10n.t('unknown library');
    case 'rw-letters':
      return l10n.t('R-/W- names');
    case 'named-lock':
      return l10n.t('named lock');
    case 'session-named':
      return l10n.t('names with session id');
    case 'exclusive-node':
      return l10n.t('single node');
    default:
      return productNames[dialect];
  }
}
