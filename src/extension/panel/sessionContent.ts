import type { ClusterRanking } from '../../app/blockers/rankedCluster.ts';
import { isSearchOpen, type ClusterNode } from '../../app/clusters/clusterModel.ts';
import { recordedOwners } from '../../app/owners/gatherFacts.ts';
import {
  historyOf,
  holdsOf,
  reusedSessions,
  type SessionRecord,
  type SubjectHistory,
} from '../../app/sessions/sessionHistory.ts';
import {
  ownersIn,
  partiesOf,
  standingOf,
  waitingBehind,
  type AskedOwners,
} from '../../app/sessions/sessionStanding.ts';
import type { Subject } from '../../app/sessions/subject.ts';
import type { Interruptible } from '../../base/interruptible.ts';
import type { Hold } from '../../history/hold.ts';
import { waitPicture } from '../../inspector/blockers/waitPicture.ts';
import type { LockQueue } from '../../locks/lockQueue.ts';
import type { SessionState } from '../../sessionProtocol.ts';
import { graphOf } from './sessionGraph.ts';
import type { SessionServers } from './sessionServers.ts';
import { sessionState, shownHolds } from './sessionState.ts';

/** A record that grows with every change is searched so often at most, ms. */
export const historyEveryMs = 1_000;

interface KnownHolds {
  /** Of which sessions, and of how much of the record. */
  of: SessionRecord;
  ids: string;
  version: unknown;
  /** Epoch ms. */
  at: number;
  holds: readonly Hold[];
}

/** What a session page shows while its cluster is connected. */
export class SessionContent {
  private readonly subject: Subject;
  private readonly servers: SessionServers;
  private known: KnownHolds | undefined;
  private isBehind = false;

  constructor(subject: Subject, servers: SessionServers) {
    this.subject = subject;
    this.servers = servers;
  }

  /** The history lacks what was just recorded: a state that is made after `historyEveryMs` has it. */
  get isHistoryBehind(): boolean {
    return this.isBehind;
  }

  /** The whole page. The index of the ranking is not kept. @param now epoch ms; `serverNow` by the clock of the servers */
  *stateOf({ cluster, share, index }: ClusterRanking, now: number, serverNow: number): Interruptible<SessionState> {
    const { subject } = this;
    const { time, profile } = cluster;
    const queues = [...index.queues];
    const record = time?.recording ?? cluster.recorder?.past;
    const reused = record === undefined ? new Set<bigint>() : yield* reusedSessions(record.sessions(), queues);
    const asked = withoutFormer(yield* this.askedFor(cluster, queues), reused);
    const standing = yield* standingOf(subject, queues, asked);
    const parties = yield* partiesOf(standing.ids);
    const behind = yield* waitingBehind(index, parties);
    const history = record && this.historyOf(record, cluster, standing.ids, now);
    yield;
    return sessionState({
      subject,
      cluster: { name: profile.name, isProduction: profile.environment === 'production' },
      standing,
      share,
      isSearchOpen: isSearchOpen(cluster),
      reused,
      behind,
      graph: graphOf(waitPicture(index, parties), index, parties),
      asked: time === undefined ? asked : undefined,
      isAsking: this.servers.isAsking,
      time,
      history,
      now,
      serverNow,
    });
  }

  /** A recording has no servers: it says itself which sessions lived at its moment. */
  private *askedFor(cluster: ClusterNode, queues: readonly LockQueue[]): Interruptible<AskedOwners | undefined> {
    const { time } = cluster;
    if (time !== undefined) return { owners: recordedOwners(time), known: yield* ownersIn(queues) };
    return this.servers.of(cluster);
  }

  private historyOf(
    record: SessionRecord,
    cluster: ClusterNode,
    ids: ReadonlySet<bigint>,
    now: number,
  ): SubjectHistory {
    const { time, recorder } = cluster;
    const version = time === undefined ? recorder?.past?.entries : time.recording.to.zxid;
    const holds = this.holdsOf(record, ids, version, now);
    return historyOf({ holds, sessions: record.sessions() }, ids, shownHolds, time?.moment);
  }

  private holdsOf(record: SessionRecord, of: ReadonlySet<bigint>, version: unknown, now: number): readonly Hold[] {
    const { known } = this;
    const ids = [...of].join(' ');
    this.isBehind = false;
    if (known?.of === record && known.ids === ids) {
      if (known.version === version) return known.holds;
      this.isBehind = Math.abs(now - known.at) < historyEveryMs;
      if (this.isBehind) return known.holds;
    }
    const holds = holdsOf(record, of);
    this.known = { of: record, ids, version, at: now, holds };
    return holds;
  }
}

/** A recorded address is not that of a later session with the same id. */
function withoutFormer(asked: AskedOwners | undefined, reused: ReadonlySet<bigint>): AskedOwners | undefined {
  const recorded = asked?.owners.recorded;
  if (asked === undefined || recorded === undefined || reused.size === 0) return asked;
  const left = new Map([...recorded].filter(([id]) => !reused.has(id)));
  return { ...asked, owners: { ...asked.owners, recorded: left } };
}
