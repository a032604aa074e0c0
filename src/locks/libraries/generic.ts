import {
  matchStems,
  mutexRule,
  readWriteRule,
  type Dialect,
  type NameContext,
  type QueueView,
  type StemMatch,
} from '../dialect.ts';
import type { ChildNode } from '../lockDirectory.ts';
import type { TurnRule } from '../turn.ts';
import { withoutEnd } from '../nodeData.ts';
import { isMembershipDirectory, isNoLockStem } from './notLocks.ts';

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

/** ClickHouse from 20.6 on: the node of a replica that accepts other leaders. */
const MANY_LEAD = new TextEncoder().encode(' (multiple leaders Ok)');
/** From 21.12 on: the only node; sorted before every number, it accepts other leaders for all. */
const MANY_LEAD_NODE = 'leader_election-0';

function acceptsLeaders({ data }: ChildNode): boolean {
  const start = data.length - MANY_LEAD.length;
  return start >= 0 && MANY_LEAD.every((byte, at) => data[start + at] === byte);
}

/** The first node decides whether several may lead; if so, every replica leads whose own node accepts other leaders. */
function electionRule({ entries, hasChild }: QueueView): TurnRule {
  return entries[0]?.marked === true || hasChild(MANY_LEAD_NODE) ? { type: 'marked' } : mutexRule;
}

/** Known names without a dialect id of their own, in the order of recognition. */
export const knownNames: readonly Dialect[] = [
  /** `<guid>-lock-<seq>` of ZooKeeper's documentation; Curator and go-zookeeper count these nodes like their own. */
  {
    id: 'generic',
    isHandWritten: true,
    family: 'guid-lock',
    match: stem => (stem.endsWith('-lock-') ? matchGuid(stem) : undefined),
  },
  /** `<guid>-read-<seq>`, `<guid>-write-<seq>` and `<guid>-n_<seq>` of ZooKeeper's documentation. */
  {
    id: 'generic',
    isHandWritten: true,
    family: 'guid-shared',
    match: matchGuid,
    rule: readWriteRule,
  },
  /** Elections of products without a dialect of their own: ClickHouse, Helix REST. */
  {
    id: 'generic',
    isHandWritten: true,
    family: 'election',
    match: matchStems({
      'leader_election-': { kind: 'candidate', queueKey: 'leader_election-' },
      MSDS_SERVER_: { kind: 'candidate', queueKey: 'MSDS_SERVER_' },
    }),
    rule: electionRule,
    isMarked: acceptsLeaders,
  },
  /** Twitter's candidates watch the whole group. */
  {
    id: 'generic',
    isHandWritten: true,
    family: 'twitter-candidate',
    match: matchStems({ singleton_candidate_: { kind: 'candidate' } }),
    rule: { type: 'mutex', waiterWatches: 'children' },
  },
];

/**
 * DistributedLog's locks are `member_<seq>`, `member_<client>_<seq>` or `member_<client>_s<session>_<seq>`: one lock for all
 * clients. Twitter's server sets have the first of these names, too.
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
  if (/^\d+$/.test(stem) || isNoLockStem(stem)) return undefined;
  if (isMembershipDirectory(context.directoryPath)) return undefined;
  if (MEMBER_STEM.test(stem)) return matchMember(context);
  const lockName = withoutEnd(stem, '-_#.:');
  return lockName === '' ? { kind: 'exclusive', queueKey: stem } : { kind: 'exclusive', queueKey: stem, lockName };
}

export const generic: Dialect = {
  id: 'generic',
  isGuess: true,
  match: matchAnything,
  isHandWritten: true,
};
