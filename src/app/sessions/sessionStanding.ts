import type { BlockerIndex, Party } from '../../inspector/blockers/blockerIndex.ts';
import { ifEnded, type Ending } from '../../inspector/blockers/ifEnded.ts';
import { ownerStatus, type OwnerFacts, type OwnerStatus } from '../../inspector/owners/ownerFacts.ts';
import type { WatchFacts } from '../../inspector/owners/readWatchers.ts';
import type { WaiterId } from '../../inspector/waitForGraph.ts';
import type { Contender, LockQueue } from '../../locks/lockQueue.ts';
import { sessionText } from '../../base/sessionText.ts';
import { hostOf, type Subject } from './subject.ts';

/** What the servers said, and of whom they were asked. */
export interface AskedOwners {
  owners: OwnerFacts;
  watches?: WatchFacts;
  /** Sessions that were known before: that a server does not list another one proves nothing. */
  known: ReadonlySet<bigint>;
}

/** One node of a session of the subject. */
export interface SubjectPlace {
  queue: LockQueue;
  contender: Contender;
  /** 1 is the head of the queue. */
  position: number;
  /** Whom it waits for, if that is in the queue. */
  ahead: { contender: Contender; position: number } | undefined;
}

/** One session of the subject. */
export interface SubjectSession {
  id: bigint;
  /** `alive` is `unknown` where nothing proves it either way. */
  status: OwnerStatus;
  /** What its nodes say of it, each once. Foreign text. */
  identifiers: readonly string[];
  holds: number;
  waits: number;
}

/** What its watches are, as far as servers list them. */
export interface SubjectWatches {
  /** Watched nodes. */
  nodes: number;
  /** The locks that these belong to, as far as they are read. */
  locks: readonly LockQueue[];
  /** Every server answered: there are no others. */
  isComplete: boolean;
  /** Epoch ms of this machine. */
  askedAt: number;
}

/** What a session page shows, as facts. */
export interface SessionStanding {
  /** The one of the subject is there even if nothing is known of it. */
  sessions: readonly SubjectSession[];
  /** Those that hold first, each group in the order of the queues. */
  places: readonly SubjectPlace[];
  /** What changes if all its sessions ended now. */
  endings: readonly Ending[];
  /** Absent: the servers were not asked, or none answered. */
  watches?: SubjectWatches;
}

/** Finds what the sessions of a subject hold and wait for. @param queues every lock once */
export function standingOf(
  subject: Subject,
  queues: readonly LockQueue[],
  asked: AskedOwners | undefined,
): SessionStanding {
  const ids = sessionsOf(subject, queues, asked?.owners);
  const places: SubjectPlace[] = [];
  for (const queue of queues) {
    // Most queues have none of them.
    if (queue.contenders.some(contender => isOf(contender, subject, ids))) addPlaces(places, queue, subject, ids);
  }
  places.sort((one, other) => Number(isHolder(other)) - Number(isHolder(one)));
  const watches = asked?.watches && watchesOf(ids, queues, asked.watches);
  return {
    sessions: describe(ids, places, asked),
    places,
    endings: ifEnded(queues, ids),
    ...(watches === undefined ? {} : { watches }),
  };
}

function isHolder({ contender }: SubjectPlace): boolean {
  return contender.role === 'holder';
}

/** The sessions that a subject means. @param owners absent: no address is known */
export function sessionsOf(
  subject: Subject,
  queues: Iterable<LockQueue>,
  owners: OwnerFacts | undefined,
): ReadonlySet<bigint> {
  switch (subject.kind) {
    case 'session':
      return new Set([subject.id]);
    case 'address':
      return owners === undefined ? new Set() : sessionsFrom(hostOf(subject.address), queues, owners);
    case 'identifier':
      return new Set(
        ownersIn(queues, ({ identifier, isUnread }) => identifier === subject.identifier && isUnread !== true),
      );
  }
}

/** What a client's address was recorded as counts only while its session has nodes or is alive, and no server lists it elsewhere. */
function sessionsFrom(host: string, queues: Iterable<LockQueue>, owners: OwnerFacts): Set<bigint> {
  const { connections, recorded = new Map<bigint, never>(), live } = owners;
  const found = [...connections].filter(([, { address }]) => hostOf(address) === host).map(([id]) => id);
  const former = [...recorded].flatMap(([id, { address }]) =>
    hostOf(address) === host && !connections.has(id) ? [id] : [],
  );
  if (former.length === 0) return new Set(found);
  const present = new Set(ownersIn(queues, () => true));
  return new Set([...found, ...former.filter(id => present.has(id) || live?.ids.has(id) === true)]);
}

function* ownersIn(queues: Iterable<LockQueue>, fits: (contender: Contender) => boolean): Iterable<bigint> {
  for (const { contenders } of queues) {
    for (const contender of contenders) {
      if (contender.ownerSession !== 0n && fits(contender)) yield contender.ownerSession;
    }
  }
}

/** A node without a session belongs to an identifier by its data alone. */
function isOf({ ownerSession, identifier }: Contender, subject: Subject, ids: ReadonlySet<bigint>): boolean {
  if (ownerSession !== 0n) return ids.has(ownerSession);
  return subject.kind === 'identifier' && identifier === subject.identifier;
}

function addPlaces(places: SubjectPlace[], queue: LockQueue, subject: Subject, ids: ReadonlySet<bigint>): void {
  const { contenders } = queue;
  const indexOf = new Map(contenders.map(({ name }, at) => [name, at]));
  for (const [at, contender] of contenders.entries()) {
    if (!isOf(contender, subject, ids)) continue;
    const before = contender.waitsFor === undefined ? undefined : indexOf.get(contender.waitsFor);
    const ahead = before === undefined ? undefined : contenders[before];
    places.push({
      queue,
      contender,
      position: at + 1,
      ahead: ahead === undefined || before === undefined ? undefined : { contender: ahead, position: before + 1 },
    });
  }
}

function describe(
  ids: ReadonlySet<bigint>,
  places: readonly SubjectPlace[],
  asked: AskedOwners | undefined,
): SubjectSession[] {
  const bySession = Map.groupBy(places, ({ contender }) => contender.ownerSession);
  return [...ids].map(id => {
    const own = bySession.get(id) ?? [];
    const identifiers = new Set(own.map(({ contender }) => contender.identifier).filter(text => text.trim() !== ''));
    const holds = own.filter(isHolder).length;
    return { id, status: statusOf(id, asked), identifiers: [...identifiers], holds, waits: own.length - holds };
  });
}

function statusOf(id: bigint, asked: AskedOwners | undefined): OwnerStatus {
  const status = ownerStatus(id, asked?.owners);
  const isNewer = status.alive === 'no' && asked?.known.has(id) !== true;
  return isNewer ? { ...status, alive: 'unknown' } : status;
}

function watchesOf(ids: ReadonlySet<bigint>, queues: readonly LockQueue[], facts: WatchFacts): SubjectWatches {
  const nodes = new Set<string>();
  for (const [path, sessions] of facts.watchers) {
    if ([...ids].some(id => sessions.has(id))) nodes.add(path);
  }
  const isWatched = ({ path, contenders }: LockQueue): boolean =>
    nodes.has(path) || contenders.some(contender => nodes.has(contender.path));
  const locks = nodes.size === 0 ? [] : queues.filter(isWatched);
  return { nodes: nodes.size, locks, isComplete: facts.isComplete, askedAt: facts.askedAt };
}

/** The sessions as the index of blockers knows them. */
export function partiesOf(ids: Iterable<bigint>): WaiterId[] {
  return [...ids].map((id): WaiterId => `session ${sessionText(id)}`);
}

/** How many others wait directly for one of these. */
export function waitingBehind(index: BlockerIndex, parties: readonly WaiterId[]): number {
  const own = new Set(parties);
  const behind = new Set<Party>();
  for (const source of parties.flatMap(id => index.party(id)?.sources ?? [])) {
    for (const { party } of source.behind) if (!own.has(party.id)) behind.add(party);
  }
  return behind.size;
}
