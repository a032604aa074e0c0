import type { ChildNode } from '../lockDirectory.ts';
import type { TurnRule } from '../turn.ts';
import {
  bySequence,
  ignoresForeign,
  mutexRule,
  type Dialect,
  type NameContext,
  type QueueView,
  type StemMatch,
} from './dialect.ts';
import { isMembershipDirectory } from './notLocks.ts';

// What no library's own pattern claims (docs/dialects.md, section 5, row 13): ephemeral children with a sequence
// number, grouped by what stands before it, since several locks may share one directory (Net::ZooKeeper::Lock,
// zk-ultralight).

const GUID = '(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{32})';
const GUID_NAME = new RegExp(`^${GUID}-(lock-|read-|write-|n_)$`);
const GUID_MATCHES: ReadonlyMap<string, StemMatch> = new Map<string, StemMatch>([
  ['lock-', { kind: 'exclusive', queueKey: 'lock-' }],
  ['read-', { kind: 'read', queueKey: 'rw' }],
  ['write-', { kind: 'write', queueKey: 'rw' }],
  ['n_', { kind: 'candidate', queueKey: 'n_' }],
]);

function matchGuid(stem: string): StemMatch | undefined {
  if (stem.length < 34) return undefined;
  const marker = GUID_NAME.exec(stem)?.[1];
  return marker === undefined ? undefined : GUID_MATCHES.get(marker);
}

/** `<guid>-lock-<seq>` of ZooKeeper's documentation; Curator and go-zookeeper count these nodes like their own. */
export const guidLock: Dialect = {
  id: 'generic',
  family: 'guid-lock',
  match: stem => (stem.endsWith('-lock-') ? matchGuid(stem) : undefined),
  compare: bySequence,
  rule: mutexRule,
  foreign: ignoresForeign,
};

/** `<guid>-read-<seq>`, `<guid>-write-<seq>` and `<guid>-n_<seq>` of ZooKeeper's documentation. */
export const guidShared: Dialect = {
  id: 'generic',
  family: 'guid-shared',
  match: matchGuid,
  compare: bySequence,
  rule: { type: 'read-write', readerWatches: 'nearest-writer', writerWatches: 'predecessor' },
  foreign: ignoresForeign,
};

/** Elections of products without a dialect of their own: ClickHouse, Helix REST. */
const ELECTION_STEMS: ReadonlySet<string> = new Set(['leader_election-', 'MSDS_SERVER_']);

/** ClickHouse from 20.6 on: the node of a replica that puts up with other leaders. */
const MANY_LEAD = new TextEncoder().encode(' (multiple leaders Ok)');
/** Stands before every number and says the same; from 21.12 on there is only this node. */
const MANY_LEAD_NODE = 'leader_election-0';

function letsManyLead({ data }: ChildNode): boolean {
  const start = data.length - MANY_LEAD.length;
  return start >= 0 && MANY_LEAD.every((byte, at) => data[start + at] === byte);
}

/** The first node says for all whether several may lead; then those lead that say it of themselves. */
function electionRule({ entries, hasChild }: QueueView): TurnRule {
  return entries[0]?.marked === true || hasChild(MANY_LEAD_NODE) ? { type: 'marked' } : mutexRule;
}

export const namedElections: Dialect = {
  id: 'generic',
  family: 'election',
  match: stem => (ELECTION_STEMS.has(stem) ? { kind: 'candidate', queueKey: stem } : undefined),
  compare: bySequence,
  rule: electionRule,
  isMarked: letsManyLead,
  foreign: ignoresForeign,
};

/** Twitter's candidates watch the whole group. */
export const twitterCandidate: Dialect = {
  id: 'generic',
  family: 'twitter-candidate',
  match: stem => (stem === 'singleton_candidate_' ? { kind: 'candidate' } : undefined),
  compare: bySequence,
  rule: { type: 'mutex', waiterWatches: 'children' },
  foreign: ignoresForeign,
};

/** Sequence-numbered children of known queues, logs and notifications; none of them guards anything. */
const QUEUE_STEM =
  /^(?:qnr?|query|queue|block|log|task|job|message|msg|event|entry|item|element|notification|mutation|error|change|record|part|request|response|barrier)[-_]?$|(?:_change|_changes|_event|abandonable_lock-\w+)[-_]?$|^urL/;

/**
 * DistributedLog's locks are `member_<seq>`, `member_<client>_<seq>` or `member_<client>_s<session>_<seq>`: the same lock, whoever
 * the client is. Twitter's server sets have the first of these names, too.
 */
const MEMBER_STEM = /^member_(?:.+_)?$/;
const MEMBER: StemMatch = { kind: 'exclusive', queueKey: 'member_' };
const JSON_BRACE = 0x7b;

/** A server set's node holds its address as JSON, a lock's node the client's id. */
function matchMember({ node }: NameContext): StemMatch | undefined {
  return node?.data[0] === JSON_BRACE ? undefined : MEMBER;
}

function matchAnything(stem: string, context: NameContext): StemMatch | undefined {
  if (context.node?.ephemeralOwner === 0n) return undefined;
  // Digits before the number: more likely an id or a time than a counter.
  if (/^\d+$/.test(stem) || QUEUE_STEM.test(stem)) return undefined;
  if (isMembershipDirectory(context.directoryPath)) return undefined;
  if (MEMBER_STEM.test(stem)) return matchMember(context);
  const lockName = stem.replace(/[-_#.:]+$/, '');
  return lockName === '' ? { kind: 'exclusive', queueKey: stem } : { kind: 'exclusive', queueKey: stem, lockName };
}

export const generic: Dialect = {
  id: 'generic',
  match: matchAnything,
  compare: bySequence,
  rule: mutexRule,
  foreign: ignoresForeign,
};
