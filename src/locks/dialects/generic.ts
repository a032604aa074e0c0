import { bySequence, ignoresForeign, mutexRule, type Dialect, type NameContext, type StemMatch } from './dialect.ts';
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

export const namedElections: Dialect = {
  id: 'generic',
  family: 'election',
  match: stem => (ELECTION_STEMS.has(stem) ? { kind: 'candidate', queueKey: stem } : undefined),
  compare: bySequence,
  rule: mutexRule,
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

/** DistributedLog's locks and Twitter's server sets have the same names; a server set's node holds its address as JSON. */
function isServerSetMember(stem: string, context: NameContext): boolean {
  const firstByte = context.node?.data[0];
  return stem === 'member_' && firstByte === JSON_BRACE;
}

const JSON_BRACE = 0x7b;

function matchAnything(stem: string, context: NameContext): StemMatch | undefined {
  if (context.node?.ephemeralOwner === 0n) return undefined;
  // Digits before the number: more likely an id or a time than a counter.
  if (/^\d+$/.test(stem) || QUEUE_STEM.test(stem) || isServerSetMember(stem, context)) return undefined;
  if (isMembershipDirectory(context.directoryPath)) return undefined;
  const lockName = stem === 'member_' ? '' : stem.replace(/[-_#.:]+$/, '');
  return lockName === '' ? { kind: 'exclusive', queueKey: stem } : { kind: 'exclusive', queueKey: stem, lockName };
}

export const generic: Dialect = {
  id: 'generic',
  match: matchAnything,
  compare: bySequence,
  rule: mutexRule,
  foreign: ignoresForeign,
};
