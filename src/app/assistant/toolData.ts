import { isoTime } from '../../base/isoTime.ts';
import { sessionText } from '../../base/sessionText.ts';
import { waitsBehind } from '../../inspector/blockers/chains.ts';
import { longestWaitMs, summedWaitMs, type RankedBlocker } from '../../inspector/blockers/rankBlockers.ts';
import type { BlockerIndex, QueuePlace } from '../../inspector/blockers/blockerIndex.ts';
import type { ExplainedContender, LockExplanation } from '../../inspector/explainLock.ts';
import type { Contender, LockQueue } from '../../locks/lockQueue.ts';
import { dialectLabels, isHolderUnknown } from '../../locks/lockQueue.ts';
import { trustGap } from '../blockers/clusterGaps.ts';
import { shareOf, type ClusterRanking } from '../blockers/rankedCluster.ts';
import { matchingLocks, serverTime, waiterCount, type ClusterNode, type LockNode } from '../clusters/clusterModel.ts';
import { Budget, shortName, type Json, type JsonObject } from './toolJson.ts';

/** Holders and waiters of a lock that are named; the others are counted. */
const namedContenders = 20;
/** Of each lock of a list. */
const namedHolders = 3;
/** Of each blocker: locks, and waiters of each lock. */
const namedPlaces = 10;
const namedWaiters = 5;
/** One of many blockers leaves room for others. */
const mostPlaceBytes = 16_000;

/** An answer as JSON, with what its text says. */
export interface LockList {
  json: Json;
  cluster: ClusterNode;
  /** Locks that match. */
  matching: number;
  shown: number;
}

/** The moment that is read, and how much of the locks is known. */
export function headOf(cluster: ClusterNode, now: number): JsonObject {
  const { profile, search, time, connection } = cluster;
  const { read, notLive, unread } = shareOf(cluster);
  const trust = trustGap(cluster, false);
  const lastContactAt = trust !== undefined && 'lastContactAt' in trust ? trust.lastContactAt : undefined;
  return {
    cluster: shortName(profile.name),
    ...(time === undefined ? { connection: connection.kind } : { recording: true }),
    ...(trust?.kind === 'not-sure' ? { sureAtThisMoment: false } : {}),
    at: isoTime(serverTime(cluster, now)),
    ...(lastContactAt === undefined ? {} : { lastContactAt: isoTime(serverTime(cluster, lastContactAt)) }),
    locksRead: read,
    locksReadButNotWatched: notLive,
    locksNotRead: unread,
    searchForLocks: search.kind,
  };
}

/** The name of a lock: its path, and its name where one directory holds several. */
export function lockEntry({ path, lockName }: Pick<LockNode, 'path'> & { lockName?: string | undefined }): JsonObject {
  return { path: shortName(path), ...(lockName === undefined ? {} : { lockName: shortName(lockName) }) };
}

function seconds(spanMs: number): number {
  return Math.max(0, Math.round(spanMs / 1_000));
}

/** Since when it holds or waits, in seconds; what is not known is left out. */
function spans({ role, createdAt, heldSince }: Contender, now: number): JsonObject {
  if (role === 'waiter') return { waitingSeconds: seconds(now - createdAt) };
  const { earliest, latest } = heldSince ?? { earliest: createdAt };
  return {
    heldSecondsAtMost: seconds(now - earliest),
    ...(latest === undefined ? {} : { heldSecondsAtLeast: seconds(now - latest) }),
  };
}

/** Who has a node in a queue. Nothing of its data but the identifier that its library wrote there. */
export function contenderEntry(contender: Contender, now: number): JsonObject {
  const { name, kind, role, identifier, ownerSession, isUnread, mayHold } = contender;
  const place = { node: shortName(name), kind, role };
  if (isUnread === true) return { ...place, mayNotBeRead: true };
  return {
    ...place,
    ...(identifier === '' ? {} : { identifier: shortName(identifier) }),
    session: ownerSession === 0n ? null : sessionText(ownerSession),
    queuedAt: isoTime(contender.createdAt),
    ...spans(contender, now),
    ...(mayHold === true ? { mayHold: true } : {}),
  };
}

function libraryOf({ dialect }: Pick<LockQueue, 'dialect'>): string {
  return dialectLabels[dialect] ?? dialect;
}

function stateOf(lock: LockNode, queue: LockQueue): string {
  if (isHolderUnknown(queue)) return 'holder unknown';
  if (queue.contenders.some(({ role }) => role === 'holder')) return lock.live ? 'held' : 'held when it was read';
  return lock.live ? 'free' : 'free when it was read';
}

function lockLine(lock: LockNode, now: number): Json {
  const { queue, isBehind, dialect } = lock;
  const entry = { ...lockEntry(lock), library: libraryOf({ dialect }) };
  if (queue === undefined || isBehind === true) return { ...entry, state: 'not read' };
  const holders = queue.contenders.filter(({ role }) => role === 'holder');
  const first = queue.contenders.find(({ role, isUnread }) => role === 'waiter' && isUnread !== true);
  return {
    ...entry,
    state: stateOf(lock, queue),
    holders: holders.slice(0, namedHolders).map(holder => contenderEntry(holder, now)),
    holderCount: holders.length,
    waiting: waiterCount(lock),
    ...(first === undefined ? {} : { firstWaiterSeconds: seconds(now - first.createdAt) }),
  };
}

/** The locks of a cluster as they are loaded, by path. Nothing is read. @param now epoch ms of this machine */
export function lockList(cluster: ClusterNode, request: { filter: string; limit: number }, now: number): LockList {
  const matching = matchingLocks(cluster, request.filter);
  const at = serverTime(cluster, now);
  const { shown, leftOut } = new Budget().take(matching, request.limit, lock => lockLine(lock, at));
  const json = { ...headOf(cluster, now), matching: matching.length, locks: shown, locksLeftOut: leftOut };
  return { json, cluster, matching: matching.length, shown: shown.length };
}

function explainedEntry({ contender, owner, staleReasons, isLeaseOver }: ExplainedContender, now: number): Json {
  const address = owner.connection?.address ?? owner.recorded?.address;
  return {
    ...contenderEntry(contender, now),
    sessionAlive: owner.alive,
    ...(address === undefined ? {} : { address: shortName(address) }),
    ...(staleReasons.length === 0 ? {} : { looksStale: staleReasons }),
    ...(isLeaseOver ? { leaseIsOver: true } : {}),
  };
}

/** One lock with all that is known of it. */
export function lockPicture(cluster: ClusterNode, explanation: LockExplanation): Json {
  const { queue, holders, waiters, moreWaiters, now, readAt, onRelease, hazards, cycles } = explanation;
  const budget = new Budget();
  const first = budget.take(holders, namedContenders, each => explainedEntry(each, now));
  const behind = budget.take(waiters, namedContenders, each => explainedEntry(each, now));
  const next = budget.take(onRelease?.next ?? [], namedContenders, each => contenderEntry(each, now));
  return {
    ...headOf(cluster, readAt),
    lock: lockEntry(queue),
    library: libraryOf(queue),
    holderUnknown: isHolderUnknown(queue),
    holders: first.shown,
    holdersLeftOut: first.leftOut,
    waiters: behind.shown,
    waitersLeftOut: behind.leftOut + moreWaiters,
    ...(onRelease === undefined
      ? {}
      : { onRelease: { succession: onRelease.succession, next: next.shown, leftOut: next.leftOut } }),
    hazards: hazards.map(({ kind, names }) => ({ kind, nodes: names.length })),
    deadlocks: cycles.filter(({ isLasting }) => isLasting).length,
    possibleDeadlocks: cycles.filter(({ isLasting }) => !isLasting).length,
    serversThatDidNotAnswer: explanation.silent.length,
  };
}

/** Blockers with the locks in which others wait for them, and the first who wait. */
export interface BlockerList {
  json: Json;
  cluster: ClusterNode;
  all: number;
  shown: number;
  first: RankedBlocker | undefined;
  /** `false`: circles of waits were not looked for. */
  areCyclesKnown: boolean;
}

function placeEntry(index: BlockerIndex, place: QueuePlace, now: number): Json {
  const waits = waitsBehind(index, place);
  return {
    lock: lockEntry(place.queue),
    with: contenderEntry(place.contender, now),
    waiting: waits.length,
    firstWaiters: waits.slice(0, namedWaiters).map(({ contender, keeps }) => ({
      ...contenderEntry(contender, now),
      keepsOthersFrom: keeps.slice(0, namedWaiters).map(kept => ({ ...lockEntry(kept.queue), waiting: kept.waits })),
    })),
    waitersLeftOut: Math.max(0, waits.length - namedWaiters),
  };
}

function blockerEntry(index: BlockerIndex, blocker: RankedBlocker, now: number): Json {
  const { kind, members, places, waiting, direct, isAtLeast, since } = blocker;
  const ofUnknownLength = Math.max(0, waiting - since.count);
  const named = new Budget(mostPlaceBytes).take(places, namedPlaces, place => placeEntry(index, place, now));
  return {
    kind: kind === 'cycle' ? 'sessions that wait for each other' : 'root blocker',
    members: members.slice(0, namedPlaces).map(member => shortName(member)),
    membersLeftOut: Math.max(0, members.length - namedPlaces),
    waitingBehindIt: waiting,
    waitingDirectly: direct,
    ...(isAtLeast ? { thereMayBeMore: true } : {}),
    summedWaitSeconds: seconds(summedWaitMs(blocker, now)),
    ...(ofUnknownLength === 0 ? {} : { waitsOfUnknownLength: ofUnknownLength }),
    ...(Number.isFinite(since.earliest) ? { longestWaitSeconds: seconds(longestWaitMs(blocker, now)) } : {}),
    blocksAt: named.shown,
    placesLeftOut: named.leftOut,
  };
}

/** The blockers of a cluster, the costliest first. @param now epoch ms of this machine */
export function blockerList(
  { cluster, blockers, areCyclesKnown, index }: ClusterRanking,
  limit: number,
  now: number,
): BlockerList {
  const at = serverTime(cluster, now);
  const { shown, leftOut } = new Budget().take(blockers, limit, blocker => blockerEntry(index, blocker, at));
  const json = {
    ...headOf(cluster, now),
    blockers: shown,
    blockersLeftOut: leftOut,
    circlesOfWaitsKnown: areCyclesKnown,
  };
  return { json, cluster, all: blockers.length, shown: shown.length, first: blockers[0], areCyclesKnown };
}
