import { forEachInParts, type Interruptible } from '../../base/interruptible.ts';
import type { BlockerIndex, Party, Wait } from '../../inspector/blockers/blockerIndex.ts';
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

/** The sessions of the subject, and what they have in common. */
interface SubjectSessions {
  /** Signed. */
  ids: ReadonlySet<bigint>;
  /** The one of the subject is there even if nothing is known of it. */
  sessions: readonly SubjectSession[];
  /** Where they come from and what their nodes say of them, each once. Foreign text. */
  hosts: ReadonlySet<string>;
  identifiers: ReadonlySet<string>;
}

/** What a session page shows, as facts. */
export interface SessionStanding extends SubjectSessions {
  /** Those that hold first, each group in the order of the queues. */
  places: readonly SubjectPlace[];
  /** What changes if all its sessions ended now. */
  endings: readonly Ending[];
  /** Absent: the servers were not asked, or none answered. */
  watches?: SubjectWatches;
}

/** Finds what the sessions of a subject hold and wait for. @param queues every lock once */
export function* standingOf(
  subject: Subject,
  queues: readonly LockQueue[],
  asked: AskedOwners | undefined,
): Interruptible<SessionStanding> {
  const ids = yield* sessionsOf(subject, queues, asked?.owners);
  const places = yield* placesOf(subject, queues, ids);
  const watches = asked?.watches && (yield* watchesOf(ids, queues, asked.watches));
  return {
    ...(yield* describe(ids, places, asked)),
    places,
    endings: yield* ifEnded(queues, ids),
    ...(watches === undefined ? {} : { watches }),
  };
}

function isHolder({ contender }: SubjectPlace): boolean {
  return contender.role === 'holder';
}

/** The sessions that a subject means. @param owners absent: no address is known */
function* sessionsOf(
  subject: Subject,
  queues: readonly LockQueue[],
  owners: OwnerFacts | undefined,
): Interruptible<ReadonlySet<bigint>> {
  switch (subject.kind) {
    case 'session':
      return new Set([subject.id]);
    case 'address':
      return owners === undefined ? new Set() : yield* sessionsFrom(hostOf(subject.address), queues, owners);
    case 'identifier':
      return yield* ownersIn(
        queues,
        ({ identifier, isUnread }) => identifier === subject.identifier && isUnread !== true,
      );
  }
}

/** What a client's address was recorded as counts only while its session has nodes or is alive, and no server lists it elsewhere. */
function* sessionsFrom(
  host: string,
  queues: readonly LockQueue[],
  { connections, recorded = new Map<bigint, never>(), live }: OwnerFacts,
): Interruptible<Set<bigint>> {
  const found = new Set<bigint>();
  const former: bigint[] = [];
  yield* forEachInParts([...connections], ([id, { address }]) => {
    if (hostOf(address) === host) found.add(id);
  });
  yield* forEachInParts([...recorded], ([id, { address }]) => {
    if (hostOf(address) === host && !connections.has(id)) former.push(id);
  });
  if (former.length === 0) return found;
  const present = yield* ownersIn(queues, () => true);
  for (const id of former) if (present.has(id) || live?.ids.has(id) === true) found.add(id);
  return found;
}

/** The sessions that own contenders. @param fits of which of them; absent: of all */
export function* ownersIn(
  queues: readonly LockQueue[],
  fits: (contender: Contender) => boolean = () => true,
): Interruptible<Set<bigint>> {
  const owners = new Set<bigint>();
  for (const { contenders } of queues) {
    yield;
    for (const contender of contenders) {
      if (contender.ownerSession !== 0n && fits(contender)) owners.add(contender.ownerSession);
    }
  }
  return owners;
}

/** A node without a session belongs to an identifier by its data alone. */
function isOf({ ownerSession, identifier }: Contender, subject: Subject, ids: ReadonlySet<bigint>): boolean {
  if (ownerSession !== 0n) return ids.has(ownerSession);
  return subject.kind === 'identifier' && identifier === subject.identifier;
}

function* placesOf(
  subject: Subject,
  queues: readonly LockQueue[],
  ids: ReadonlySet<bigint>,
): Interruptible<SubjectPlace[]> {
  const [held, others]: [SubjectPlace[], SubjectPlace[]] = [[], []];
  for (const queue of queues) {
    yield;
    // Most queues have none of them.
    if (!queue.contenders.some(contender => isOf(contender, subject, ids))) continue;
    for (const place of placesIn(queue, subject, ids)) (isHolder(place) ? held : others).push(place);
  }
  return [...held, ...others];
}

function placesIn(queue: LockQueue, subject: Subject, ids: ReadonlySet<bigint>): SubjectPlace[] {
  const { contenders } = queue;
  const indexOf = new Map(contenders.map(({ name }, at) => [name, at]));
  return contenders.flatMap((contender, at): SubjectPlace[] => {
    if (!isOf(contender, subject, ids)) return [];
    const before = contender.waitsFor === undefined ? undefined : indexOf.get(contender.waitsFor);
    const next = before === undefined ? undefined : contenders[before];
    const ahead = next === undefined || before === undefined ? undefined : { contender: next, position: before + 1 };
    return [{ queue, contender, position: at + 1, ahead }];
  });
}

function* describe(
  ids: ReadonlySet<bigint>,
  places: readonly SubjectPlace[],
  asked: AskedOwners | undefined,
): Interruptible<SubjectSessions> {
  const bySession = new Map<bigint, SubjectPlace[]>();
  yield* forEachInParts([...ids], id => void bySession.set(id, []));
  yield* forEachInParts(places, place => void bySession.get(place.contender.ownerSession)?.push(place));
  const sessions: SubjectSession[] = [];
  const [hosts, identifiers] = [new Set<string>(), new Set<string>()];
  yield* forEachInParts([...bySession], ([id, own]) => {
    const status = statusOf(id, asked);
    const address = addressOf(status);
    if (address !== undefined) hosts.add(hostOf(address));
    const named = new Set(own.map(({ contender }) => contender.identifier).filter(text => text.trim() !== ''));
    for (const identifier of named) identifiers.add(identifier);
    const holds = own.filter(isHolder).length;
    sessions.push({ id, status, identifiers: [...named], holds, waits: own.length - holds });
  });
  return { ids, sessions, hosts, identifiers };
}

function statusOf(id: bigint, asked: AskedOwners | undefined): OwnerStatus {
  const status = ownerStatus(id, asked?.owners);
  const isNewer = status.alive === 'no' && asked?.known.has(id) !== true;
  return isNewer ? { ...status, alive: 'unknown' } : status;
}

function* watchesOf(
  ids: ReadonlySet<bigint>,
  queues: readonly LockQueue[],
  { watchers, isComplete, askedAt }: WatchFacts,
): Interruptible<SubjectWatches> {
  const nodes = new Set<string>();
  yield* forEachInParts([...watchers], ([path, sessions]) => {
    if (haveCommon(ids, sessions)) nodes.add(path);
  });
  const locks: LockQueue[] = [];
  for (const queue of nodes.size === 0 ? [] : queues) {
    yield;
    const { path, contenders } = queue;
    if (nodes.has(path) || contenders.some(contender => nodes.has(contender.path))) locks.push(queue);
  }
  return { nodes: nodes.size, locks, isComplete, askedAt };
}

function haveCommon(one: ReadonlySet<bigint>, other: ReadonlySet<bigint>): boolean {
  const [few, many] = one.size < other.size ? [one, other] : [other, one];
  for (const id of few) if (many.has(id)) return true;
  return false;
}

/** Where a session is connected from, else where it was as recorded: `ip:port`. Foreign text. */
export function addressOf({ connection, recorded }: OwnerStatus): string | undefined {
  return (connection ?? recorded)?.address;
}

/** The sessions as the index of blockers knows them. */
export function* partiesOf(ids: Iterable<bigint>): Interruptible<Set<WaiterId>> {
  const parties = new Set<WaiterId>();
  yield* forEachInParts([...ids], id => void parties.add(`session ${sessionText(id)}`));
  return parties;
}

/** How many others wait directly for one of these. */
export function* waitingBehind(index: BlockerIndex, own: ReadonlySet<WaiterId>): Interruptible<number> {
  // Holders of leases, and readers, have one list.
  const lists = new Set<readonly Wait[]>();
  yield* forEachInParts([...own], id => {
    for (const { behind } of index.party(id)?.sources ?? []) lists.add(behind);
  });
  const behind = new Set<Party>();
  for (const waits of lists) {
    yield;
    for (const { party } of waits) if (!own.has(party.id)) behind.add(party);
  }
  return behind.size;
}
