import { BigintTable } from '../../base/bigintTable.ts';
import type { Interruptible } from '../../base/interruptible.ts';
import type { Contender, LockQueue } from '../../locks/lockQueue.ts';
import { acrossLocks, blockingIn, waiterId, type Blocking, type WaiterId } from '../waitForGraph.ts';

/** One contender of a queue. */
export interface QueuePlace {
  contender: Contender;
  queue: LockQueue;
}

/** A session, or a node that no session owns, with what it waits for and what of it others wait for. */
export class Party {
  /** In the order in which the index took their queues. */
  waits: readonly Wait[] = none;
  sources: readonly Source[] = none;
  /** Its place in the notes of a search; given to another party once the index has forgotten this one. */
  readonly number: number;
  private readonly contender: Contender;

  constructor(contender: Contender, number: number) {
    this.contender = contender;
    this.number = number;
  }

  get id(): WaiterId {
    return waiterId(this.contender);
  }

  get key(): bigint | string {
    return keyOf(this.contender);
  }
}

/** Most parties wait in one place only, and block no one. */
const none: readonly never[] = [];

/** A place that waits for a place of another party. */
export interface Wait extends QueuePlace {
  readonly party: Party;
}

/**
 * A place that others wait for, while it waits for no other party in its queue: a holder, or the head of a queue without one.
 * Everything that waits in a queue waits for a source of it, if only by way of waiters between.
 */
export interface Source extends QueuePlace {
  readonly party: Party;
  /**
   * In grant order, direct or by way of waiters of the same queue. The same array for sources that block the same waits; it may hold
   * waits of the own party.
   */
  readonly behind: readonly Wait[];
  /** The same list as numbers, which a search goes through much faster. */
  readonly line: WaitLine;
}

/** Of each wait of a list the number of its party, and since when it waits, epoch ms; 0 where that is not known. */
export interface WaitLine {
  readonly parties: readonly number[];
  readonly since: readonly number[];
}

/** What a session kept from others before it began to wait: its release comes after that wait. */
export function keptBackBy(wait: Wait): Source[] {
  return wait.party.sources.filter(source => acrossLocks(source, wait));
}

/** What one queue adds to the index. */
interface Share {
  waits: readonly Wait[];
  sources: readonly Source[];
}

/**
 * Who waits behind whom in all queues given, kept between readings: a queue is taken again only when it is another object. Edges are not
 * stored, since a queue of n waiters has n² of them; each source has the list of what waits behind it.
 */
export class BlockerIndex {
  private readonly shares = new Map<LockQueue, Share>();
  /** By number, from 1; none at a free one. */
  private readonly parties: (Party | undefined)[] = [undefined];
  private readonly freeNumbers: number[] = [];
  /** The numbers of parties by session, and of those without one by the path of their node. */
  private readonly sessions = new BigintTable();
  private readonly nodes = new Map<string, number>();

  /** The number of every party is below this. */
  get partyLimit(): number {
    return this.parties.length;
  }

  /** All sources, in the order of the queues. */
  sources(): Source[] {
    const all: Source[] = [];
    for (const { sources } of this.shares.values()) for (const source of sources) all.push(source);
    return all;
  }

  /** What one party waits for and keeps others from. @returns `undefined` if it does neither */
  party(id: WaiterId): Party | undefined {
    return this.known(keyOfId(id));
  }

  /** The source at a place, if it is one. */
  sourceAt({ contender, queue }: QueuePlace): Source | undefined {
    return this.sourcesOf(queue).find(source => source.contender.path === contender.path);
  }

  /** What others wait for in one queue. */
  sourcesOf(queue: LockQueue): readonly Source[] {
    return this.shares.get(queue)?.sources ?? [];
  }

  /** The queues that were given last. */
  get queues(): Iterable<LockQueue> {
    return this.shares.keys();
  }

  /** @param queues all there are now, each lock once; @returns whether any of them is new or gone */
  *update(queues: readonly LockQueue[]): Interruptible<boolean> {
    const wanted = new Set(queues);
    const gone = [...this.shares.keys()].filter(queue => !wanted.has(queue));
    const added = [...wanted].filter(queue => !this.shares.has(queue));
    const former = new Map(gone.map(queue => [lockOf(queue), queue]));
    const left = new Set(gone);
    yield* inShortParts(added, queue => {
      const before = former.get(lockOf(queue));
      if (before !== undefined && left.delete(before)) this.replace(before, queue);
      else this.add(queue, undefined);
    });
    yield* inShortParts([...left], queue => this.remove(queue));
    return gone.length + added.length > 0;
  }

  /** Of a lock that was read again, the waits of contenders that stayed as they were are taken over. */
  private replace(former: LockQueue, queue: LockQueue): void {
    const before = this.shares.get(former);
    this.shares.delete(former);
    const waits = before?.waits ?? [];
    this.add(queue, new Map(waits.map(wait => [wait.contender, wait])));
    this.drop({ waits: waits.filter(wait => wait.queue !== queue), sources: before?.sources ?? [] });
  }

  /** @param known waits of the same lock that are there already; those that are taken over are of this queue then */
  private add(queue: LockQueue, known: ReadonlyMap<Contender, Wait> | undefined): void {
    const made: Party[] = [];
    const fresh: Wait[] = [];
    const share = shareOf(
      queue,
      contender => known?.get(contender)?.party ?? this.partyOf(contender, made),
      (contender, party) => {
        const wait = known?.get(contender);
        if (wait === undefined) {
          const added = { contender, queue, party };
          fresh.push(added);
          return added;
        }
        wait.queue = queue;
        return wait;
      },
    );
    this.shares.set(queue, share);
    fresh.forEach(wait => (wait.party.waits = added(wait.party.waits, wait)));
    share.sources.forEach(source => (source.party.sources = added(source.party.sources, source)));
    // Of those that neither wait nor block in this queue, or in any other, nothing is kept.
    made.forEach(party => this.forget(party));
  }

  private remove(queue: LockQueue): void {
    const share = this.shares.get(queue);
    this.shares.delete(queue);
    if (share !== undefined) this.drop(share);
  }

  private drop({ waits, sources }: Share): void {
    for (const wait of waits) {
      wait.party.waits = without(wait.party.waits, wait);
      this.forget(wait.party);
    }
    for (const source of sources) {
      source.party.sources = without(source.party.sources, source);
      this.forget(source.party);
    }
  }

  /** @param made gets the party if it is new */
  private partyOf(contender: Contender, made: Party[]): Party {
    const key = keyOf(contender);
    const known = this.known(key);
    if (known !== undefined) return known;
    const party = new Party(contender, this.freeNumbers.pop() ?? this.parties.length);
    this.parties[party.number] = party;
    if (typeof key === 'string') this.nodes.set(key, party.number);
    else this.sessions.set(key, party.number);
    made.push(party);
    return party;
  }

  private known(key: bigint | string): Party | undefined {
    return this.parties[typeof key === 'string' ? (this.nodes.get(key) ?? 0) : this.sessions.get(key)];
  }

  private forget(party: Party): void {
    const { waits, sources, key, number } = party;
    if (waits.length > 0 || sources.length > 0 || this.parties[number] !== party) return;
    if (typeof key === 'string') this.nodes.delete(key);
    else this.sessions.delete(key);
    this.parties[number] = undefined;
    this.freeNumbers.push(number);
  }
}

/** A list that grows by `push` takes room for 16 more, and nearly every one of 50,000 has two values at most. */
function added<T>(list: readonly T[], value: T): readonly T[] {
  const [first] = list;
  if (first === undefined) return [value];
  if (list.length === 1) return [first, value];
  // The list of a party is its own as soon as it has a value.
  (list as T[]).push(value);
  return list;
}

function without<T>(list: readonly T[], value: T): readonly T[] {
  return list.length === 1 && list[0] === value ? none : list.filter(each => each !== value);
}

/** Most locks have no name: their path is a text that is there already. */
function lockOf({ path, lockName }: LockQueue): string {
  return lockName === undefined ? path : `${path}\0${lockName}`;
}

/** A turn of the update takes about so many contenders. */
const partLength = 2_048;

function* inShortParts(queues: readonly LockQueue[], call: (queue: LockQueue) => void): Interruptible<void> {
  let taken = 0;
  for (const queue of queues) {
    call(queue);
    taken += queue.contenders.length + 16;
    if (taken < partLength) continue;
    taken = 0;
    yield;
  }
}

/** @returns the key of a party: its session id, signed, or the path of its node */
function keyOf({ ownerSession, path }: Contender): bigint | string {
  return ownerSession === 0n ? path : ownerSession;
}

function keyOfId(id: WaiterId): bigint | string {
  const rest = id.slice(id.indexOf(' ') + 1);
  return id.startsWith('session ') ? BigInt.asIntN(64, BigInt(rest)) : rest;
}

/** A place that waits for no other party, while its queue is gone through. */
interface Head {
  contender: Contender;
  party: Party;
  /** How many waits stand before it. */
  from: number;
  blocksReaders: boolean;
}

/** Some parties: which they are matters only as long as it is one. */
class Parties {
  private first: Party | undefined;
  private areSeveral = false;

  add(party: Party): void {
    if (this.first === undefined) this.first = party;
    else if (this.first !== party) this.areSeveral = true;
  }

  /** A session does not block itself: its threads take turns, or it downgrades. */
  haveOther(party: Party): boolean {
    return this.areSeveral || (this.first !== undefined && this.first !== party);
  }
}

/** The parties before a place that block it. */
class Ahead {
  private readonly ofReaders = new Parties();
  private readonly ofOthers = new Parties();

  /** A waiter that may hold is not known to wait. */
  blocks({ role, mayHold, kind }: Contender, party: Party): boolean {
    if (role === 'holder' || mayHold === true) return false;
    return (kind === 'read' ? this.ofReaders : this.ofOthers).haveOther(party);
  }

  add(party: Party, blocksReaders: boolean): void {
    this.ofOthers.add(party);
    if (blocksReaders) this.ofReaders.add(party);
  }
}

function isCandidate({ kind }: Contender): boolean {
  return kind === 'candidate';
}

/** One queue, gone through in grant order. Candidates of elections block no thread. */
function shareOf(
  queue: LockQueue,
  partyOf: (contender: Contender) => Party,
  waitOf: (contender: Contender, party: Party) => Wait,
): Share {
  const contenders = queue.contenders.some(isCandidate)
    ? queue.contenders.filter(contender => !isCandidate(contender))
    : queue.contenders;
  if (contenders.every(({ role }) => role === 'holder')) return { waits: [], sources: [] };
  const rule = blockingIn(queue, contenders);
  const waits: Wait[] = [];
  const heads: Head[] = [];
  const ahead = new Ahead();
  for (const contender of contenders) {
    const party = partyOf(contender);
    const isBlocked = ahead.blocks(contender, party);
    if (isBlocked) waits.push(waitOf(contender, party));
    if (!rule.blocksOthers(contender)) continue;
    const blocksReaders = rule.blocksReaders(contender);
    if (!isBlocked) heads.push({ contender, party, from: waits.length, blocksReaders });
    ahead.add(party, blocksReaders);
  }
  if (waits.length === 0) return { waits, sources: [] };
  return { waits, sources: sourcesOf(queue, waits, rule.limit === undefined ? heads : leases(heads), rule) };
}

/** Those that keep leases from others: who holds one, from all, wherever these stand; who may hold one, from those behind it. */
function leases(heads: readonly Head[]): readonly Head[] {
  const keepers = heads.filter(({ contender: { role, mayHold } }) => role === 'holder' || mayHold === true);
  const kept = keepers.length > 0 ? keepers : heads;
  return kept.map(head => (head.contender.role === 'holder' ? { ...head, from: 0 } : head));
}

function sourcesOf(queue: LockQueue, waits: readonly Wait[], heads: readonly Head[], rule: Blocking): Source[] {
  const lists = new Map<number, Pick<Source, 'behind' | 'line'>>();
  const listOf = (head: Head): Pick<Source, 'behind' | 'line'> => {
    const key = head.from * 2 + Number(head.blocksReaders);
    const known = lists.get(key);
    if (known !== undefined) return known;
    const behind = behindHead(head, waits, rule);
    const list = { behind, line: lineOf(behind) };
    lists.set(key, list);
    return list;
  };
  const sources: Source[] = [];
  for (const head of heads) {
    const { contender, party } = head;
    const { behind, line } = listOf(head);
    if (behind.some(wait => wait.party !== party)) sources.push({ contender, party, queue, behind, line });
  }
  return sources;
}

function lineOf(waits: readonly Wait[]): WaitLine {
  return { parties: waits.map(({ party }) => party.number), since: waits.map(({ contender }) => contender.createdAt) };
}

/** A reader that comes to a queue of readers waits only once a writer waits before it. */
function behindHead(head: Head, waits: readonly Wait[], rule: Blocking): readonly Wait[] {
  const after = head.from === 0 ? waits : waits.slice(head.from);
  if (head.blocksReaders || after.every(({ contender }) => contender.kind !== 'read')) return after;
  let areReadersBlocked = false;
  return after.filter(({ contender }) => {
    if (contender.kind === 'read' && !areReadersBlocked) return false;
    areReadersBlocked ||= rule.blocksReaders(contender);
    return true;
  });
}
