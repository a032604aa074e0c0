import { expect } from 'vitest';
import { deleteConsequences } from '../../../src/inspector/deleteConsequences.ts';
import { findDeadlocks } from '../../../src/inspector/findDeadlocks.ts';
import { findStale } from '../../../src/inspector/findStale.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import { watchQueues } from '../../../src/inspector/watchQueues.ts';
import type { Disposable } from '../../../src/base/disposable.ts';
import type { Contender, DialectId, Hazard, LockQueue } from '../../../src/locks/lockQueue.ts';
import type { ContenderState } from '../../support/contenders.ts';
import { eventually } from '../../support/eventually.ts';
import type { Part } from './programs.ts';
import type { ServerFacts } from './serverFacts.ts';
import type { Theatre } from './theatre.ts';

/** One lock. */
export interface StagePlan {
  /** Below the chroot. */
  path: string;
  dialects: readonly DialectId[];
  maxLeases?: number;
  /**
   * Whether each contender has nodes that are its own for good. Otherwise (semaphores of two directories) contenders of a session
   * are told apart no further.
   */
  hasOwnNodes?: boolean;
  /** Whether no two may hold at once: checked on each picture that comes by itself. */
  isExclusive?: boolean;
  /** Hazards that the queue may show, since names do not carry everything. */
  doubts?: readonly Hazard['kind'][];
}

/** A contender that has joined. */
interface Member {
  name: string;
  part: Part;
  session: bigint;
}

interface Picture {
  holders: string[];
  waiters: string[];
}

/** A lock on which real contenders play, compared after each step with what the inspector says. */
export class Stage {
  readonly plan: StagePlan;
  private readonly theatre: Theatre;
  private readonly members = new Map<string, Member>();
  private readonly ownerOfNode = new Map<string, string>();
  private readonly history: string[] = [];
  private latest: readonly LockQueue[] = [];
  private watch: Disposable | undefined;
  private count = 0;
  private mostHolders = 0;

  constructor(theatre: Theatre, plan: StagePlan) {
    this.theatre = theatre;
    this.plan = plan;
  }

  async open(): Promise<void> {
    this.watch = await watchQueues(this.theatre.client, this.plan.path, queues => {
      this.latest = queues;
      const holders = queues.flatMap(({ contenders }) => contenders.filter(({ role }) => role === 'holder'));
      this.mostHolders = Math.max(this.mostHolders, holders.length);
    });
  }

  /** Ends all sessions of its contenders. */
  async close(): Promise<void> {
    this.watch?.dispose();
    for (const { name, part } of this.members.values()) {
      await this.theatre.programs
        .of(part.library)
        .end(name)
        .catch(() => undefined);
    }
  }

  get present(): readonly string[] {
    return [...this.members.keys()];
  }

  part(name: string): Part {
    return this.member(name).part;
  }

  /** Contenders of this stage in the session of `name`, itself included. */
  sharers(name: string): string[] {
    const { session } = this.member(name);
    return this.present.filter(other => this.member(other).session === session);
  }

  /** A contender joins the queue. @returns its name */
  async join(part: Part, session?: string): Promise<string> {
    const { programs, chroot } = this.theatre;
    const { path, maxLeases } = this.plan;
    const name = `${path.slice(1)}.${++this.count}`;
    this.history.push(`${name} joins: ${part.library} ${part.recipe}${session === undefined ? '' : ` in ${session}`}`);
    const id = await programs.of(part.library).start({
      contender: name,
      recipe: part.recipe,
      path: chroot + path,
      identifier: `host-${name}`,
      ...(session === undefined ? {} : { session: `${path}#${session}` }),
      ...(maxLeases === undefined ? {} : { maxLeases }),
    });
    const before = await this.nodesOf(id);
    await programs.of(part.library).begin(name);
    this.members.set(name, { name, part, session: id });
    await eventually(async () => {
      const made = (await this.nodesOf(id)).filter(node => !before.includes(node));
      expect(made, `nodes of ${name}`).not.toEqual([]);
      for (const node of made) this.ownerOfNode.set(node, name);
    });
    await this.look();
    this.theatre.tally.steps++;
    return name;
  }

  /** The contender gives the lock back, or leaves the queue; what happens is what was foretold. */
  async leave(name: string, way: 'release' | 'cancel' | 'end'): Promise<void> {
    const { programs, tally } = this.theatre;
    const foretold = this.foretell(name, await this.look());
    this.history.push(`${name}: ${way}; foretold: ${foretold?.join(', ') ?? 'nothing'}`);
    const program = programs.of(this.part(name).library);
    const gone = way === 'end' ? this.sharers(name) : [name];
    await program[way](name);
    for (const each of gone) this.members.delete(each);
    await this.look(foretold);
    tally.steps++;
    if (foretold !== undefined) tally.foretold++;
  }

  /** The contender gives back a part of what it holds; it stays. */
  async releasePart(name: string): Promise<void> {
    this.history.push(`${name}: releases a part`);
    await this.theatre.programs.of(this.part(name).library).release(name);
    await this.look();
    this.theatre.tally.steps++;
  }

  /** Waits until everything that the inspector says is what the libraries say. @param foretold who must hold then */
  async look(foretold?: readonly string[]): Promise<LockQueue[]> {
    try {
      const queues = await eventually(() => this.compare(foretold));
      const { tally } = this.theatre;
      tally.trees += 2;
      tally.marks += 3;
      return queues;
    } catch (error) {
      throw new Error(`${this.history.join('\n')}\n${describe(error)}`, { cause: error });
    }
  }

  /** Names of the contenders that hold, as the libraries say. */
  async holdersByName(): Promise<string[]> {
    const states = await this.states();
    return this.present.filter(name => states.get(name)?.holds === true);
  }

  private async compare(foretold: readonly string[] | undefined): Promise<LockQueue[]> {
    const { client, facts } = this.theatre;
    const truth = await this.truth();
    if (foretold !== undefined) expect(truth.holders, 'foretold').toEqual(foretold);
    const queuesReadAt = Date.now();
    const queues = await readQueues(client, this.plan.path);
    this.comparePicture(queues, truth);
    expect(outline(this.latest), 'live').toEqual(outline(queues));
    if (this.plan.isExclusive === true) expect(this.mostHolders, 'holders at once').toBeLessThan(2);
    const now = Date.now();
    expect(signs(findStale(queues, { queuesReadAt, now })), 'stale').toEqual([]);
    const known = await facts();
    expect(unwatched(queues, known), 'waits for another node').toEqual([]);
    expect(signs(findStale(queues, { queuesReadAt, now, ...known })), 'stale, with facts').toEqual([]);
    expect(findDeadlocks(queues).deadlocks, 'deadlocks').toEqual([]);
    return queues;
  }

  private comparePicture(queues: readonly LockQueue[], truth: Picture): void {
    const { path, dialects, doubts = [] } = this.plan;
    expect(this.picture(queues), 'holders and waiters').toEqual(truth);
    if (truth.holders.length + truth.waiters.length === 0) return;
    expect(queues, 'queues').toHaveLength(1);
    const [queue] = queues;
    expect(dialects).toContain(queue!.dialect);
    expect(queue!.path).toBe(path);
    expect(
      queue!.hazards.filter(({ kind }) => !doubts.includes(kind)),
      'hazards',
    ).toEqual([]);
  }

  /** What the inspector says. */
  private picture(queues: readonly LockQueue[]): Picture {
    const contenders = queues.flatMap(queue => queue.contenders);
    const holders = this.labels(contenders.filter(({ role }) => role === 'holder'));
    const waiters = this.labels(contenders.filter(({ role }) => role === 'waiter'));
    // A contender with several nodes holds if one of them does.
    return { holders, waiters: this.hasOwnNodes ? waiters.filter(label => !holders.includes(label)) : waiters };
  }

  /** What the libraries say. */
  private async truth(): Promise<Picture> {
    const states = await this.states();
    const members = [...this.members.values()];
    for (const { name } of members) expect(states.get(name)?.failure, `failure of ${name}`).toBeNull();
    const labels = (holds: boolean): string[] =>
      members
        .filter(({ name }) => states.get(name)?.holds === holds)
        .map(({ name, session }) => (this.hasOwnNodes ? name : labelOf(session)))
        .sort();
    return { holders: labels(true), waiters: labels(false) };
  }

  private async states(): Promise<Map<string, ContenderState>> {
    const libraries = new Set([...this.members.values()].map(({ part }) => part.library));
    const answers = await Promise.all([...libraries].map(library => this.theatre.programs.of(library).states()));
    return new Map(answers.flatMap(answer => Object.entries(answer)));
  }

  /** Who holds once the contender has left; `undefined` where that cannot be known. */
  private foretell(name: string, [queue]: readonly LockQueue[]): string[] | undefined {
    const { session } = this.member(name);
    const mine = queue?.contenders.filter(node => this.label(node) === (this.hasOwnNodes ? name : labelOf(session)));
    const [node] = mine ?? [];
    if (queue === undefined || node === undefined || mine?.length !== 1) return undefined;
    const consequences = deleteConsequences(queue, node.path, { now: Date.now() });
    if (consequences === undefined || consequences.succession === 'race') return undefined;
    return this.labels([...consequences.nextHolders, ...consequences.remainingHolders]);
  }

  private get hasOwnNodes(): boolean {
    return this.plan.hasOwnNodes !== false;
  }

  private labels(contenders: readonly Contender[]): string[] {
    const labels = contenders.map(contender => this.label(contender)).sort();
    return this.hasOwnNodes ? [...new Set(labels)] : labels;
  }

  private label({ path, ownerSession }: Contender): string {
    if (!this.hasOwnNodes) return labelOf(ownerSession);
    const owner = this.ownerOfNode.get(path);
    if (owner !== undefined) return owner;
    // Made after it had joined: the read lock below a write lock.
    const [only, ...others] = [...this.members.values()].filter(({ session }) => session === ownerSession);
    return only !== undefined && others.length === 0 ? only.name : `unknown node ${path}`;
  }

  private member(name: string): Member {
    const member = this.members.get(name);
    if (member === undefined) throw new Error(`${name} is not there.`);
    return member;
  }

  /** Paths of all nodes of a session in the directories that a layout may use. */
  private async nodesOf(session: bigint): Promise<string[]> {
    const { path } = this.plan;
    const places = [path, `${path}/locks`, `${path}/leases`, `${path}-__lock__`];
    const found = await Promise.all(places.map(place => this.theatre.observer.ls(place).catch(() => [])));
    return found
      .flat()
      .filter(({ ephemeralOwner }) => ephemeralOwner === session)
      .map(node => node.path);
  }
}

/** An assertion's message with both sides. */
function describe(error: unknown): string {
  const { actual, expected } = error as { actual?: unknown; expected?: unknown };
  return `${String(error)}\nsaid: ${JSON.stringify(actual)}\ntrue: ${JSON.stringify(expected)}`;
}

function labelOf(session: bigint): string {
  return `session ${BigInt.asUintN(64, session).toString(16)}`;
}

/** Waiters whose session does not watch the node that they are said to wait for. */
function unwatched(queues: readonly LockQueue[], { watches }: ServerFacts): string[] {
  const waiters = queues.flatMap(({ contenders }) => contenders).filter(({ waitsFor }) => waitsFor !== undefined);
  return waiters.flatMap(({ path, name, waitsFor = '', ownerSession }) => {
    const awaited = path.slice(0, -name.length) + waitsFor;
    return watches.watchers.get(awaited)?.has(ownerSession) === true ? [] : [`${path} for ${waitsFor}`];
  });
}

function signs(findings: ReturnType<typeof findStale>): string[] {
  return findings.map(
    ({ contender, reasons }) => `${contender.name}: ${reasons.map(({ reason }) => reason).join(' ')}`,
  );
}

/** What the live picture must have in common with one that was read at once. */
function outline(queues: readonly LockQueue[]): unknown {
  return queues.map(({ path, dialect, contenders, strangers, hazards }) => ({
    path,
    dialect,
    contenders: contenders.map(({ name, role, kind, waitsFor }) => `${role} ${kind} ${name} ${waitsFor ?? ''}`),
    strangers,
    hazards,
  }));
}
