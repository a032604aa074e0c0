import { lastSegment } from '../../base/paths.ts';

/** Directories whose children are members of a group: a member holds nothing. */
const MEMBERSHIP: ReadonlySet<string> = new Set([
  'ids',
  'members',
  'live_nodes',
  'LIVEINSTANCES',
  'INSTANCES',
  'party',
  'backup-masters',
  'rs',
  'brokers',
  'consumers',
  'nimbuses',
  'supervisors',
  'instances',
  'PARTICIPANTS',
  'log_replicas',
  'available',
  'readonly',
]);

/** True for directories of members (Kafka's brokers, Patroni's members, Solr's live nodes), by their last segment. */
export function isMembershipDirectory(path: string): boolean {
  return MEMBERSHIP.has(lastSegment(path));
}

/** 32 hex digits: a lease of a semaphore or a member of a double barrier (kazoo), never a lock of its own. */
export function isHexName(name: string): boolean {
  return name.length === 32 && /^[0-9a-f]{32}$/.test(name);
}
