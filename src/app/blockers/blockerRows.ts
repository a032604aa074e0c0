import type { BlockerIndex, QueuePlace } from '../../inspector/blockers/blockerIndex.ts';
import { waitsBehind, type BlockedLock, type BlockedWait } from '../../inspector/blockers/chains.ts';
import type { RankedBlocker } from '../../inspector/blockers/rankBlockers.ts';
import { waiterId, type WaiterId } from '../../inspector/waitForGraph.ts';
import type { Contender } from '../../locks/lockQueue.ts';
import type { ClusterNode, LockNode } from '../clusters/clusterModel.ts';
import { lockGaps, trustGap, type ClusterGap } from './clusterGaps.ts';
import type { ClusterRanking } from './rankedCluster.ts';

/** Blockers of a cluster that are shown at first, and with each further page. */
export const blockersPerPage = 50;
/** Waiters behind a lock that are shown at first, and with each further page. */
export const waitersPerPage = 100;
/** So many waiters, each alone behind the one before, follow each other as rows of one level. */
const longestLine = 100;

interface BaseRow {
  readonly cluster: ClusterNode;
  /** `undefined` for the row of a cluster, which is not drawn while it is the only one. */
  readonly parent: BlockerRow | undefined;
  /** Stable while the row stands for the same thing. */
  readonly key: string;
  hasChildren: boolean;
}

export interface BlockerClusterRow extends BaseRow {
  readonly type: 'blockerCluster';
  readonly parent: undefined;
}

/** What a row stands for. A row that names several sessions or locks stands for none of them. */
interface Standing {
  /** Signed; `undefined` also for a node without one. */
  session: bigint | undefined;
  lock: LockNode | undefined;
}

/** A session, or a node without one, that keeps others waiting; a circle of them, or one of its members. */
export interface BlockerPartyRow extends BaseRow, Standing {
  readonly type: 'blocker';
  kind: 'root' | 'cycle' | 'member';
  members: readonly WaiterId[];
  /** What its place in the ranking is by; `undefined` for a member. */
  ranked: RankedBlocker | undefined;
  /** What others wait for, with the rows of the locks; those of a circle are those of all members. */
  places: readonly ShownPlace[];
  /** Who it is: a node that knows its identifier, if there is one. Of a circle its first. */
  contender: Contender;
  /** Of a member: where it waits for another one. */
  waitsIn: ShownPlace | undefined;
}

/** A place in a queue, and the row that its lock has. */
export interface ShownPlace {
  contender: Contender;
  lock: LockNode;
}

/** A lock that one session keeps from others. */
export interface BlockerLockRow extends BaseRow {
  readonly type: 'blockerLock';
  lock: LockNode;
  /** The node that keeps it. */
  contender: Contender;
  waits: number;
}

/** A waiter, with the locks that it keeps from others meanwhile. */
export interface BlockerWaitRow extends BaseRow, Standing {
  readonly type: 'blockerWait';
  id: WaiterId;
  contender: Contender;
  /** Where it waits; this is the lock that the row stands for. */
  waitsIn: LockNode;
  keeps: readonly (ShownPlace & { waits: number })[];
  /** It is alone behind this row, and shown below it on the same level. */
  after: BlockerWaitRow | undefined;
  /** It is further up in its own chain: what follows is shown there. */
  isRepeat: boolean;
}

/** Opens the next page of its parent. */
export interface BlockerMoreRow extends BaseRow {
  readonly type: 'blockerMore';
  readonly parent: BlockerRow;
  next: number;
  remaining: number;
}

/** What the ranking lacks, or that nothing is in it. */
export type BlockerMessage = ClusterGap | { kind: 'nothing-waits' } | { kind: 'nothing-read' };

export interface BlockerMessageRow extends BaseRow {
  readonly type: 'blockerMessage';
  message: BlockerMessage;
}

/** Rows of the Blockers view as plain data. */
export type BlockerRow =
  BlockerClusterRow | BlockerPartyRow | BlockerLockRow | BlockerWaitRow | BlockerMoreRow | BlockerMessageRow;

/** What rows are made of. */
export interface RowSource {
  ranking: ClusterRanking;
  /** How many rows of that kind are shown below a row, by its key; `undefined`: a page. */
  limitOf: (key: string) => number | undefined;
  /** Live updates are paused: no lock of a connection is watched. */
  isPaused: boolean;
}

const rowTypes: ReadonlySet<unknown> = new Set<BlockerRow['type']>([
  'blockerCluster',
  'blocker',
  'blockerLock',
  'blockerWait',
  'blockerMore',
  'blockerMessage',
]);

/** The value if it is a row of the Blockers view by its type. @param value anything */
export function asBlockerRow(value: unknown): BlockerRow | undefined {
  if (typeof value !== 'object' || value === null || !('type' in value)) return undefined;
  return rowTypes.has(value.type) ? (value as BlockerRow) : undefined;
}

/** The row of a cluster; its blockers are below it. */
export function clusterRow(cluster: ClusterNode): BlockerClusterRow {
  return { type: 'blockerCluster', cluster, parent: undefined, key: `cluster\0${cluster.id}`, hasChildren: true };
}

/** The rows below a row. Its lock may have changed since the row was made: what is gone has no rows. */
export function rowsBelow(row: BlockerRow, source: RowSource): BlockerRow[] {
  switch (row.type) {
    case 'blockerCluster':
      return blockerRows(row, source);
    case 'blocker':
      return belowParty(row, source);
    case 'blockerLock':
      return waitRows(row, row.contender, source);
    case 'blockerWait':
      return row.isRepeat ? [] : belowPlaces(row, row.keeps, source);
    case 'blockerMore':
    case 'blockerMessage':
      return [];
  }
}

function blockerRows(parent: BlockerClusterRow, source: RowSource): BlockerRow[] {
  const rows = paged(parent, source.ranking.blockers, blockersPerPage, source, blocker =>
    partyRow(parent, blocker, source),
  );
  return [...rows, ...blockerMessages(source).map(message => messageRow(parent, message))];
}

/** What is to be said of a ranking as a whole. */
function blockerMessages({ ranking, isPaused }: RowSource): BlockerMessage[] {
  const { cluster, blockers, share } = ranking;
  const trust = trustGap(cluster, isPaused);
  const nothing: BlockerMessage = { kind: share.read === 0 ? 'nothing-read' : 'nothing-waits' };
  return [
    ...(trust === undefined ? [] : [trust]),
    ...(blockers.length > 0 ? [] : [nothing]),
    ...lockGaps(ranking, isPaused),
  ];
}

function messageRow(parent: BlockerRow, message: BlockerMessage): BlockerMessageRow {
  return { ...baseOf(parent, `message\0${message.kind}`, false), type: 'blockerMessage', message };
}

function baseOf(parent: BlockerRow, own: string, hasChildren: boolean): BaseRow {
  return { cluster: parent.cluster, parent, key: `${parent.key}\0\0${own}`, hasChildren };
}

/** The first ones, as many as the pages that are open, and a row for the rest. */
function paged<T>(
  parent: BlockerRow,
  all: readonly T[],
  perPage: number,
  { limitOf }: RowSource,
  rowOf: (each: T) => BlockerRow | undefined,
): BlockerRow[] {
  const shown = all.slice(0, limitOf(parent.key) ?? perPage);
  const rows = shown.flatMap(each => rowOf(each) ?? []);
  const remaining = all.length - shown.length;
  if (remaining === 0) return rows;
  const next = Math.min(remaining, perPage);
  return [...rows, { ...baseOf(parent, 'more', false), type: 'blockerMore', parent, next, remaining }];
}

/** @returns `undefined` if its locks have no rows any more */
function partyRow(parent: BlockerRow, ranked: RankedBlocker, source: RowSource): BlockerPartyRow | undefined {
  const places = shownPlaces(ranked.places, source);
  const [first] = places;
  if (first === undefined) return undefined;
  const isRoot = ranked.kind === 'root';
  const lock = isRoot && places.length === 1 ? first.lock : undefined;
  const own = isRoot ? `root\0${ranked.members.join('\0')}\0${named(lock)}` : `cycle\0${smallest(places)}`;
  return {
    ...baseOf(parent, own, true),
    type: 'blocker',
    kind: ranked.kind,
    members: ranked.members,
    ranked,
    places,
    contender: namedOne(places) ?? first.contender,
    session: isRoot ? sessionOf(first.contender) : undefined,
    lock,
    waitsIn: undefined,
  };
}

/** Of a key: a row under an open menu must not come to stand for another lock, so with that it is another row. */
function named(lock: LockNode | undefined): string {
  return lock?.key ?? '';
}

function smallest(places: readonly ShownPlace[]): string {
  return places.map(({ contender }) => contender.path).reduce((one, other) => (one < other ? one : other));
}

function shownPlaces(places: readonly QueuePlace[], { ranking: { locks } }: RowSource): ShownPlace[] {
  return places.flatMap(({ contender, queue }) => {
    const lock = locks.get(queue);
    return lock === undefined ? [] : [{ contender, lock }];
  });
}

function namedOne(places: readonly ShownPlace[]): Contender | undefined {
  return places.find(({ contender }) => contender.identifier.trim() !== '')?.contender;
}

function sessionOf({ ownerSession }: Contender): bigint | undefined {
  return ownerSession === 0n ? undefined : ownerSession;
}

function belowParty(row: BlockerPartyRow, source: RowSource): BlockerRow[] {
  if (row.kind !== 'cycle') return belowPlaces(row, row.places.map(keptPlace(source)), source);
  const byMember = Map.groupBy(row.places, ({ contender }) => waiterId(contender));
  return [...byMember].map(([id, places]) => memberRow(row, id, places, source));
}

function memberRow(
  parent: BlockerPartyRow,
  id: WaiterId,
  places: readonly ShownPlace[],
  source: RowSource,
): BlockerPartyRow {
  const [first] = places;
  const queues = new Set(parent.places.map(({ lock }) => lock.queue));
  const waits = (source.ranking.index.party(id)?.waits ?? []).filter(({ queue }) => queues.has(queue));
  const contender = namedOne(places) ?? first?.contender ?? parent.contender;
  const lock = places.length === 1 ? first?.lock : undefined;
  return {
    ...baseOf(parent, `member\0${id}\0${named(lock)}`, true),
    type: 'blocker',
    kind: 'member',
    members: [id],
    ranked: undefined,
    places,
    contender,
    session: sessionOf(contender),
    lock,
    waitsIn: shownPlaces(waits, source)[0],
  };
}

type KeptPlace = ShownPlace & { waits: number };

function keptPlace({ ranking: { index } }: RowSource): (place: ShownPlace) => KeptPlace {
  return place => ({ ...place, waits: waitsOf(index, place).length });
}

/** Locks that are kept by one session: with a single one what waits for it follows at once. */
function belowPlaces(parent: BlockerRow, places: readonly KeptPlace[], source: RowSource): BlockerRow[] {
  const [first] = places;
  if (first === undefined) return [];
  if (places.length === 1) return waitRows(parent, first.contender, source);
  return places.map(({ contender, lock, waits }) => ({
    ...baseOf(parent, `lock\0${contender.path}\0${named(lock)}`, true),
    type: 'blockerLock',
    lock,
    contender,
    waits,
  }));
}

/** The place that a node has in the queues as they are now: its lock may have been read again. */
function waitsOf(index: BlockerIndex, { contender }: { contender: Contender }): BlockedWait[] {
  const sources = index.party(waiterId(contender))?.sources ?? [];
  const isSame = (other: Contender): boolean => other.path === contender.path && other.czxid === contender.czxid;
  const place = sources.find(source => isSame(source.contender));
  return place === undefined ? [] : waitsBehind(index, place);
}

/** Who waits behind a node. Those that are alone behind each other follow on one level: such a chain is a list. */
function waitRows(parent: BlockerRow, kept: Contender, source: RowSource): BlockerRow[] {
  const waits = waitsOf(source.ranking.index, { contender: kept });
  if (waits.length !== 1) {
    return paged(parent, waits, waitersPerPage, source, wait => waitRow(parent, wait, undefined, source));
  }
  return lineRows(parent, waits, source);
}

function lineRows(parent: BlockerRow, first: readonly BlockedWait[], source: RowSource): BlockerRow[] {
  const rows: BlockerWaitRow[] = [];
  for (let waits = first; waits.length === 1 && rows.length < longestLine;) {
    const [wait] = waits;
    const row = wait && waitRow(parent, wait, rows.at(-1), source);
    if (row === undefined) break;
    rows.push(row);
    const [kept] = row.keeps;
    if (row.isRepeat || kept === undefined || row.keeps.length > 1) break;
    waits = waitsOf(source.ranking.index, kept);
    // What is alone behind it is the next row, unless the line is long.
    row.hasChildren = waits.length !== 1 || rows.length === longestLine;
  }
  return rows;
}

/** @param after the row whose only waiter it is, if both are in one line */
function waitRow(
  parent: BlockerRow,
  { id, contender, queue, keeps }: BlockedWait,
  after: BlockerWaitRow | undefined,
  source: RowSource,
): BlockerWaitRow | undefined {
  const waitsIn = source.ranking.locks.get(queue);
  if (waitsIn === undefined) return undefined;
  const kept = keeps.flatMap(place => keptRow(place, source));
  return {
    ...baseOf(parent, `wait\0${contender.path} ${String(contender.czxid)}\0${named(waitsIn)}`, false),
    type: 'blockerWait',
    id,
    contender,
    waitsIn,
    keeps: kept,
    session: sessionOf(contender),
    lock: waitsIn,
    after,
    ...unfolding(id, after ?? parent, kept.length > 0),
  };
}

function keptRow({ contender, queue, waits }: BlockedLock, { ranking: { locks } }: RowSource): KeptPlace[] {
  const lock = locks.get(queue);
  return lock === undefined ? [] : [{ contender, lock, waits }];
}

function unfolding(
  id: WaiterId,
  above: BlockerRow,
  keepsLocks: boolean,
): Pick<BlockerWaitRow, 'isRepeat' | 'hasChildren'> {
  const isRepeat = keepsLocks && isAbove(id, above);
  return { isRepeat, hasChildren: keepsLocks && !isRepeat };
}

/** Whether a session is on the way from the top to a row, that included. The row of a circle stands for no member. */
function isAbove(id: WaiterId, from: BlockerRow): boolean {
  for (let row: BlockerRow | undefined = from; row !== undefined; row = rowBefore(row)) {
    if (row.type === 'blockerWait' && row.id === id) return true;
    if (row.type === 'blocker' && row.kind !== 'cycle' && row.members.includes(id)) return true;
  }
  return false;
}

function rowBefore(row: BlockerRow): BlockerRow | undefined {
  return row.type === 'blockerWait' ? (row.after ?? row.parent) : row.parent;
}
