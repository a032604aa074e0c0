import { forEachInParts, type Interruptible } from '../../base/interruptible.ts';
import type { RecordedOwner } from '../../inspector/owners/ownerFacts.ts';
import { sessionText } from '../../base/sessionText.ts';
import type { LockQueue } from '../../locks/lockQueue.ts';
import { rankedQueues } from '../blockers/rankedCluster.ts';
import { nameOfLock, type ClusterNode, type LockNode } from '../clusters/clusterModel.ts';
import { knownOwners } from '../owners/knownOwners.ts';
import { sessionsIn } from './sessionInput.ts';
import { hostOf, type Subject } from './subject.ts';

/** What can be found. Texts are foreign. */
export type Found = { kind: 'lock'; cluster: ClusterNode; lock: LockNode } | FoundClient;

/** What has a session page. */
export type FoundClient =
  | FoundSession
  | { kind: 'identifier'; cluster: ClusterNode; identifier: string; nodes: number }
  | { kind: 'address'; cluster: ClusterNode; address: string; sessions: number };

/** A session. Without places no lock that was read has a node of it. */
export interface FoundSession {
  kind: 'session';
  cluster: ClusterNode;
  session: bigint;
  /** Of one of its nodes. */
  identifier: string;
  /** `undefined`: not known. */
  address: string | undefined;
  holds: number;
  waits: number;
}

/** Something that can be found. */
interface Entry {
  found: Found;
  /** What a query may be or begin, in any case: the name of a lock, whose path is in the text that is searched. */
  name: string;
}

/** More are too many to look through: a longer query finds fewer. */
export const mostFound = 200;
/** A query that is longer is a line of a log, no part of a name. */
const longestQuery = 1_000;
/** Contenders of one turn. */
const partLength = 4_096;

/** What a cluster has to be found; kept until something changes. */
interface ClusterEntries {
  cluster: ClusterNode;
  sessions: Map<bigint, FoundSession>;
  identifiers: Map<string, Found & { kind: 'identifier' }>;
  addresses: ReadonlyMap<bigint, RecordedOwner>;
}

/** Texts of some entries as one: to search each alone takes ten times as long. No typed text has the line breaks between them. */
class Part {
  private readonly entries: Entry[] = [];
  /** Where the text of each begins. */
  private readonly starts: number[] = [];
  private text = '';
  private lines: string[] = [];
  private length = 0;

  get isFull(): boolean {
    return this.entries.length >= partLength;
  }

  add(entry: Entry, line: string): void {
    this.entries.push(entry);
    this.starts.push(this.length);
    this.lines.push(line);
    this.length += line.length;
  }

  /** To be called once, when all are added. */
  close(): void {
    this.text = this.lines.join('');
    this.lines = [];
  }

  search(query: string, use: (entry: Entry, isBeginning: boolean) => void): void {
    let at = this.text.indexOf(query);
    for (let entry = 0; at >= 0;) {
      while ((this.starts[entry + 1] ?? Infinity) <= at) entry++;
      const each = this.entries[entry];
      if (each === undefined) return;
      use(each, this.starts[entry] === at);
      const next = this.starts[++entry];
      if (next === undefined) return;
      at = this.text.indexOf(query, next);
    }
  }
}

/** All that can be found, in parts. */
class Entries {
  private readonly parts: Part[] = [new Part()];

  add(found: Found, text: string, name = text): void {
    let part = this.parts.at(-1);
    if (part === undefined || part.isFull) {
      part?.close();
      this.parts.push((part = new Part()));
    }
    // Line by line: some characters are two in lower case.
    part.add({ found, name }, `${text.toLowerCase()}\n`);
  }

  /** To be called once, when all are added. */
  close(): void {
    this.parts.at(-1)?.close();
  }

  /** Those whose text has a query anywhere, in their order. @param use gets each, and whether its text begins so */
  search(query: string, use: (entry: Entry, isBeginning: boolean) => void): void {
    for (const part of this.parts) part.search(query, use);
  }
}

/** The sessions that hold most; of those that hold as much, the ones that wait most. To sort 100,000 with a key takes too long. */
class BusiestSessions {
  private most: FoundSession[] = [];
  /** All that are left out hold less than this one, or as much. */
  private least: FoundSession | undefined;

  add(found: FoundSession): void {
    if (this.least !== undefined && byPlaces(this.least, found) <= 0) return;
    this.most.push(found);
    if (this.most.length < 2 * mostFound) return;
    this.most = this.first();
    this.least = this.most.at(-1);
  }

  first(): FoundSession[] {
    return this.most.toSorted(byPlaces).slice(0, mostFound);
  }
}

function byPlaces(one: FoundSession, other: FoundSession): number {
  return other.holds - one.holds || other.waits - one.waits;
}

/** Locks, sessions, identifiers and addresses of some clusters, to be searched with every key that is pressed. */
export class FindIndex {
  private readonly clusters: readonly ClusterEntries[];
  private readonly entries: Entries;
  private readonly busiest: BusiestSessions;

  private constructor(clusters: readonly ClusterEntries[], entries: Entries, busiest: BusiestSessions) {
    this.clusters = clusters;
    this.entries = entries;
    this.busiest = busiest;
  }

  /** Makes the index of what is loaded; nothing is read or asked. */
  static *of(clusters: readonly ClusterNode[]): Interruptible<FindIndex> {
    const all: ClusterEntries[] = [];
    const entries = new Entries();
    const busiest = new BusiestSessions();
    for (const cluster of clusters) {
      const locks = [...cluster.locks.values()].sort((one, other) => (one.key < other.key ? -1 : 1));
      yield* forEachInParts(locks, lock => addLock(entries, lock));
      const addresses = knownOwners(cluster);
      const known: ClusterEntries = { cluster, sessions: new Map(), identifiers: new Map(), addresses };
      all.push(known);
      yield* noteQueues(known, [...rankedQueues(cluster).keys()]);
      const hosts = noteAddresses(known);
      yield* forEachInParts([...known.sessions.values()], found => {
        addSession(entries, found);
        busiest.add(found);
      });
      yield* forEachInParts([...known.identifiers.values()], found => entries.add(found, found.identifier));
      for (const found of hosts) entries.add(found, found.address);
    }
    entries.close();
    return new FindIndex(all, entries, busiest);
  }

  /**
   * What a typed or pasted text leads to, the best first: sessions whose id it is or names (one entry for each cluster, whether or not a lock
   * that was read has a node of it; those with one first), then what is called so, what begins so, and what has it anywhere, in any case.
   */
  find(typed: string): Found[] {
    return this.search(typed, found => found);
  }

  /** As `find`, without locks; while nothing is typed, the sessions that hold most. */
  findClients(typed: string): FoundClient[] {
    if (typed.trim() === '') return this.busiest.first();
    return this.search(typed, found => (found.kind === 'lock' ? undefined : found));
  }

  /** @param wanted what was found, if it is wanted */
  private search<T extends Found>(typed: string, wanted: (found: Found) => T | undefined): T[] {
    const query = typed.slice(0, longestQuery).trim().toLowerCase();
    const ranks: [named: T[], called: T[], begins: T[], has: T[]] = [[], [], [], []];
    const add = (found: Found, rank: 0 | 1 | 2 | 3): void => {
      const taken = wanted(found);
      if (taken !== undefined && ranks[rank].length < mostFound) ranks[rank].push(taken);
    };
    const named = sessionsIn(typed).flatMap(id => this.clusters.map(each => sessionEntry(each, id)));
    for (const found of [...named.filter(hasPlaces), ...named]) add(found, 0);
    this.entries.search(query, ({ found, name }, isBeginning) =>
      add(found, rankOf(query, name.toLowerCase(), isBeginning)),
    );
    return [...new Set(ranks.flat())].slice(0, mostFound);
  }
}

/** Whose page shows what was found. */
export function subjectOf(found: FoundClient): Subject {
  switch (found.kind) {
    case 'session':
      return { kind: 'session', id: found.session };
    case 'identifier':
      return { kind: 'identifier', identifier: found.identifier };
    case 'address':
      return { kind: 'address', address: found.address };
  }
}

function hasPlaces({ holds, waits }: FoundSession): boolean {
  return holds + waits > 0;
}

function rankOf(query: string, name: string, isBeginning: boolean): 1 | 2 | 3 {
  if (name === query) return 1;
  return isBeginning || name.startsWith(query) ? 2 : 3;
}

function addLock(entries: Entries, lock: LockNode): void {
  const { cluster, path, lockName } = lock;
  entries.add({ kind: 'lock', cluster, lock }, lockName === undefined ? path : `${path} ${lockName}`, nameOfLock(lock));
}

/** Found by its address, too: that has a port, which the address of a host has not. */
function addSession(entries: Entries, found: FoundSession): void {
  const name = sessionText(found.session);
  entries.add(found, `${name} ${found.address ?? ''}`, name);
}

/** The session of a cluster; one without places where no lock that was read has a node of it. */
function sessionEntry({ cluster, sessions, addresses }: ClusterEntries, session: bigint): FoundSession {
  return sessions.get(session) ?? { ...blank(cluster, session), address: addresses.get(session)?.address };
}

function blank(cluster: ClusterNode, session: bigint): FoundSession {
  return { kind: 'session', cluster, session, identifier: '', address: undefined, holds: 0, waits: 0 };
}

function* noteQueues(known: ClusterEntries, queues: readonly LockQueue[]): Interruptible<void> {
  let done = 0;
  for (const queue of queues) {
    noteQueue(known, queue);
    done += queue.contenders.length;
    if (done < partLength) continue;
    done = 0;
    yield;
  }
}

function noteQueue({ cluster, sessions, identifiers }: ClusterEntries, { contenders }: LockQueue): void {
  for (const { ownerSession, identifier, role } of contenders) {
    if (identifier !== '') {
      const nodes = identifiers.get(identifier);
      if (nodes === undefined) identifiers.set(identifier, { kind: 'identifier', cluster, identifier, nodes: 1 });
      else nodes.nodes++;
    }
    if (ownerSession === 0n) continue;
    let found = sessions.get(ownerSession);
    if (found === undefined) sessions.set(ownerSession, (found = blank(cluster, ownerSession)));
    if (found.identifier === '') found.identifier = identifier;
    if (role === 'holder') found.holds++;
    else found.waits++;
  }
}

/** Sessions get their addresses. @returns the hosts of those with a node, each once */
function noteAddresses({ cluster, sessions, addresses }: ClusterEntries): (Found & { kind: 'address' })[] {
  const hosts = new Map<string, Found & { kind: 'address' }>();
  for (const [session, { address }] of addresses) {
    const found = sessions.get(session);
    // The address of a session without a node leads to a page on which it is not.
    if (found === undefined) continue;
    found.address = address;
    const host = hostOf(address);
    const known = hosts.get(host);
    if (known === undefined) hosts.set(host, { kind: 'address', cluster, address: host, sessions: 1 });
    else known.sessions++;
  }
  return [...hosts.values()];
}
