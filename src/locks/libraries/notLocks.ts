import { lastSegment } from '../../base/paths.ts';
import { readSequence } from '../sequence.ts';

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
  'workers',
]);

/** True for directories of members (Kafka's brokers, Patroni's members, Solr's live nodes), by their last segment. */
export function isMembershipDirectory(path: string): boolean {
  return MEMBERSHIP.has(lastSegment(path));
}

/** Sequence-numbered children of known queues, logs and notifications; none of them guards anything. */
const QUEUE_STEM =
  /^(?:qnr?|query|queue|block|log|task|job|message|msg|event|entry|entry-\d{3}|item|element|notification|mutation|error|change|record|part|request|response|barrier)[-_]?$|(?:_change|_changes|_event)[-_]?$|^abandonable_lock-|^urL/;

/** Curator's DistributedPriorityQueue: the priority as hex behind its sign. */
const PRIORITY_STEM = /^queue-[01][0-9A-F]{8}$/;
const HEX_LENGTH = 32;
const HEX = /^[0-9a-f]+$/;
const HEX_AND_ID = /^[0-9a-f]{32}(?:-|__party__$|$)/;
const GUID_LENGTH = 36;
const GUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{2,12}$/;
const SUFFIX_LENGTH = 10;

/**
 * Whether a name that ends in ten digits is that of something else than a contender (docs/dialects.md, section 4.1): an entry of a
 * service registry or of a queue, or a member of a group or a barrier.
 *
 * @param stem the name without the digits
 */
export function isNoLockStem(stem: string): boolean {
  return isRegistered(stem) || isGuidMember(stem) || QUEUE_STEM.test(stem) || PRIORITY_STEM.test(stem);
}

/** HiveServer2, Kyuubi and Spark's Thrift server; Ignite's nodes and events, and Curator's queues with ids or delays. */
function isRegistered(stem: string): boolean {
  return stem.endsWith(';sequence=') || stem.endsWith('|');
}

/** A GUID whose last digits are decimal: a member of a double barrier; or, with kazoo's parties, a GUID in front of an id. */
function isGuidMember(stem: string): boolean {
  if (stem.length === GUID_LENGTH - SUFFIX_LENGTH) return GUID.test(stem);
  if (stem.length === HEX_LENGTH - SUFFIX_LENGTH) return HEX.test(stem);
  return stem.length >= HEX_LENGTH && HEX_AND_ID.test(stem);
}

/** Whether a name, of any form, is that of something else than a contender or a lock. */
export function isNoLockName(name: string): boolean {
  if (name.length === GUID_LENGTH && GUID.test(name)) return true;
  return HEX_AND_ID.test(name) || readSequence(name).some(({ stem }) => isNoLockStem(stem));
}

/** 32 hex digits: a lease of a semaphore or a member of a double barrier (kazoo), never a lock of its own. */
export function isHexName(name: string): boolean {
  return name.length === HEX_LENGTH && HEX.test(name);
}
