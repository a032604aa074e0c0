/** Directories whose children tell who is there. Being listed holds nothing. */
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
  return MEMBERSHIP.has(path.slice(path.lastIndexOf('/') + 1));
}
