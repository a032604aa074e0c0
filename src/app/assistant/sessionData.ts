import type { Interruptible } from '../../base/interruptible.ts';
import { isoTime } from '../../base/isoTime.ts';
import { sessionText } from '../../base/sessionText.ts';
import { ifEnded, type Ending } from '../../inspector/blockers/ifEnded.ts';
import { ownerStatus, type OwnerStatus, type RecordedOwner } from '../../inspector/owners/ownerFacts.ts';
import type { Contender, LockQueue } from '../../locks/lockQueue.ts';
import type { RecordedSession } from '../../replay/recording.ts';
import { rankedQueues } from '../blockers/rankedCluster.ts';
import { serverTime, type ClusterNode } from '../clusters/clusterModel.ts';
import { knownOwners } from '../owners/knownOwners.ts';
import { reusedSessions, sessionUntil } from '../sessions/sessionHistory.ts';
import { contenderEntry, headOf, lockEntry } from './toolData.ts';
import { Budget, shortName, type Json, type JsonObject } from './toolJson.ts';

/** Places and locks that are named; the others are counted. */
const mostNamed = 50;
/** Of each lock that becomes free. */
const namedNext = 5;
/** The clocks of a server and this machine may differ by so much, even where both are set well. */
const clockDoubtMs = 60_000;

/** What is known of one session. */
export interface SessionPicture {
  json: Json;
  cluster: ClusterNode;
  session: bigint;
  /** In how many places of locks that were read. */
  holds: number;
  waits: number;
  /** Locks in which others are next if it ended now. */
  handsOver: number;
  /** It is recorded that a session with this id ended before its nodes here were made: the id was given again. */
  isReused: boolean;
}

interface Place {
  queue: LockQueue;
  contender: Contender;
}

function endingEntry(ending: Ending, now: number): Json {
  const { queue, isHolder, leaving, succession, next, stillHeld, hasWaiters } = ending;
  return {
    lock: lockEntry(queue),
    nodesThatGo: leaving.length,
    wasHolder: isHolder,
    succession,
    next: next.slice(0, namedNext).map(each => contenderEntry(each, now)),
    nextLeftOut: Math.max(0, next.length - namedNext),
    stillHeldByOthers: stillHeld.length,
    othersWait: hasWaiters,
    ...(queue.hazards.some(({ kind }) => kind === 'unreadable') ? { someNodesMayNotBeRead: true } : {}),
  };
}

/** What was recorded of a session. */
function recordedEntry({ opened, ended, how, timeoutMs }: RecordedSession): Json {
  return {
    ...(opened === undefined ? {} : { openedAt: isoTime(opened.time) }),
    ...(ended === undefined ? {} : { endedAt: isoTime(ended.time), ended: how ?? 'not known how' }),
    ...(timeoutMs === undefined ? {} : { timeoutSeconds: timeoutMs / 1_000 }),
  };
}

/** What a recording or a recorder knows of it up to the moment that is shown. */
function recordedOf({ time, recorder }: ClusterNode, session: bigint): RecordedSession | undefined {
  const known = time?.recording.session(session) ?? recorder?.past?.sessions().get(session);
  if (time === undefined || known === undefined) return known;
  return sessionUntil(known, time.moment);
}

/** Whether it lived when the servers were asked last. That they did not list it proves nothing of a session that may be newer. */
function aliveThen(cluster: ClusterNode, { alive }: OwnerStatus, places: readonly Place[], askedAt: number): Json {
  const before = serverTime(cluster, askedAt) - clockDoubtMs;
  return alive === 'no' && !places.some(({ contender }) => contender.createdAt < before) ? 'unknown' : alive;
}

/** What is known of a client without a question: its address, its time-out, whether it lived when the servers were asked last. */
function clientEntry(
  cluster: ClusterNode,
  session: bigint,
  { places, isReused }: { places: readonly Place[]; isReused: boolean },
): JsonObject {
  const { lastOwners } = cluster;
  const status = ownerStatus(session, lastOwners);
  const { connection } = status;
  // What is recorded is of an earlier session then.
  const owner = isReused ? connection : knownOwners(cluster).get(session);
  const { host, process }: Partial<RecordedOwner> = isReused ? {} : (owner ?? {});
  return {
    ...(owner === undefined ? {} : { address: shortName(owner.address) }),
    ...(host === undefined ? {} : { host: shortName(host) }),
    ...(process === undefined ? {} : { process: shortName(process) }),
    ...(connection?.timeoutMs === undefined ? {} : { timeoutSeconds: connection.timeoutMs / 1_000 }),
    ...(lastOwners === undefined
      ? {}
      : {
          alive: aliveThen(cluster, status, places, lastOwners.askedAt),
          serversAskedAt: isoTime(lastOwners.askedAt),
        }),
  };
}

/**
 * All that the loaded locks of a cluster show of one session, and what is known of its client. Nothing is read or asked.
 *
 * @param session signed
 * @param now epoch ms of this machine
 */
export function* sessionPicture(cluster: ClusterNode, session: bigint, now: number): Interruptible<SessionPicture> {
  const queues = [...rankedQueues(cluster).keys()];
  const places = queues.flatMap(queue =>
    queue.contenders
      .filter(({ ownerSession }) => ownerSession === session)
      .map((contender): Place => ({ queue, contender })),
  );
  const [holds, waits] = [places.filter(isHeld), places.filter(place => !isHeld(place))];
  const endings = yield* ifEnded(queues, new Set([session]));
  const recorded = recordedOf(cluster, session);
  const at = serverTime(cluster, now);
  const budget = new Budget();
  const entry = ({ queue, contender }: Place): Json => ({ lock: lockEntry(queue), ...contenderEntry(contender, at) });
  const held = budget.take(holds, mostNamed, entry);
  const waited = budget.take(waits, mostNamed, entry);
  const ended = budget.take(endings, mostNamed, ending => endingEntry(ending, at));
  const known = new Map(recorded === undefined ? [] : [[session, recorded]]);
  const isReused = (yield* reusedSessions(known, queues)).has(session);
  const json = {
    ...headOf(cluster, now),
    session: sessionText(session),
    client: clientEntry(cluster, session, { places, isReused }),
    ...(recorded === undefined ? {} : { recorded: recordedEntry(recorded) }),
    ...(isReused ? { recordedEndIsOfAnEarlierSessionWithThisId: true } : {}),
    holds: held.shown,
    holdsLeftOut: held.leftOut,
    waits: waited.shown,
    waitsLeftOut: waited.leftOut,
    ifItEndedNow: ended.shown,
    ifItEndedNowLeftOut: ended.leftOut,
  };
  const handsOver = endings.filter(({ next }) => next.length > 0).length;
  return { json, cluster, session, holds: holds.length, waits: waits.length, handsOver, isReused };
}

function isHeld({ contender }: Place): boolean {
  return contender.role === 'holder';
}
