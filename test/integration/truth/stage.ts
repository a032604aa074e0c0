import { expect } from 'vitest';
import { deleteConsequences } from '../../../src/inspector/deleteConsequences.ts';
import { findDeadlocks } from '../../../src/inspector/findDeadlocks.ts';
import { findStale } from '../../../src/inspector/findStale.ts';
import type { WatchFacts } from '../../../src/inspector/owners/readWatchers.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import { watchQueues } from '../../../src/inspector/watchQueues.ts';
import type { Disposable } from '../../../src/base/disposable.ts';
import type { Contender, DialectId, Hazard, LockQueue } from '../../../src/locks/lockQueue.ts';
import type { ContenderState } from '../../support/contenders.ts';
import { eventually } from '../../support/eventually.ts';
import type { Part } from './programs.ts';
import { circles, describeFailure, expectTrue, laterMs, outline, signs, withWatches, type Claim } from './claims.ts';
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
  /** Hazards that the queue may show, since names do not carry everything: of the contenders that they name nothing is claimed. */
  doubts?: readonly Hazard['kind'][];
  /** Whether only the watches show who holds. */
  needsWatches?: boolean;
  /** Hazards that the queue may show since they are true. */
  hazards?: readonly Hazard['kind'][];
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
  /** Nodes that belong to no program. */
  private readonly foreign = new Map<string, string>();
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

  /** Takes a node of a session that no program has into the picture. It holds as long as it is there. */
  addForeign(name: string, path: string): void {
    this.history.push(`${name}: ${path}`);
    this.foreign.set(name, path);
    this.ownerOfNode.set(path, name);
  }

  /** Removes such a node. */
  async removeForeign(name: string): Promise<void> {
    const path = this.foreign.get(name)!;
    const foretold = this.foretell(name, await this.look());
    this.foreign.delete(name);
    await this.theatre.observer.delete(path);
    await this.look(foretold);
    this.theatre.tally.steps++;
  }

  /** The contender gives the lock back, or leaves the queue; what happens is what was foretold. */
  async leave(name: string, way: 'release' | 'cancel' | 'end'): Promise<void> {
    const { programs, tally } = this.theatre;
    const foretold = this.foretell(name, await this.look());
    this.history.push(`${name}: ${way}; foretold: ${foretold?.possible.join(', ') ?? 'nothing'}`);
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
  async look(foretold?: Claim): Promise<LockQueue[]> {
    try {
      const queues = await eventually(() => this.compare(foretold));
      const { tally } = this.theatre;
      tally.trees += 2;
      tally.marks += 3;
      return queues;
    } catch (error) {
      throw new Error(`${this.history.join('\n')}\n${describeFailure(error)}`, { cause: error });
    }
  }

  /** Names of the contenders that hold, as the libraries say. */
  async holdersByName(): Promise<string[]> {
    const states = await this.states();
    return this.present.filter(name => states.get(name)?.holds === true);
  }

  /** @returns the queues as the inspector shows them with what the server says of watches */
  private async compare(foretold: Claim | undefined): Promise<LockQueue[]> {
    const { client, facts } = this.theatre;
    const truth = await this.truth();
    if (foretold !== undefined) expectTrue(foretold, truth.holders, 'foretold');
    const queuesReadAt = Date.now();
    const queues = await readQueues(client, this.plan.path);
    if (this.plan.needsWatches !== true) this.compareRoles(queues, truth);
    this.compareLayout(queues, truth);
    const doubtful = this.doubtful(queues);
    expect(outline(this.latest, doubtful), 'live').toEqual(outline(queues, doubtful));
    if (this.plan.isExclusive === true) expect(this.mostHolders, 'holders at once').toBeLessThan(2);
    const known = { queuesReadAt, now: Date.now() + laterMs, ...(await facts()) };
    const informed = withWatches(queues, known);
    this.compareRoles(informed, truth);
    expect(this.unwatched(informed, known.watches), 'waits for another node').toEqual([]);
    expect(signs(findStale(queues, { queuesReadAt, now: known.now })), 'stale').toEqual([]);
    expect(signs(findStale(queues, known)), 'stale, with facts').toEqual([]);
    expect(circles(findDeadlocks(queues).deadlocks), 'deadlocks').toEqual([]);
    return informed;
  }

  private compareRoles(queues: readonly LockQueue[], truth: Picture): void {
    const contenders = queues.flatMap(queue => queue.contenders);
    const doubtful = this.doubtful(queues);
    const holders = this.claim(contenders, doubtful, 'holder');
    expectTrue(holders, truth.holders, 'holders');
    const waiters = this.claim(contenders, doubtful, 'waiter');
    // A contender with several nodes holds if one of them does.
    const doesWait = (label: string): boolean => !this.hasOwnNodes || !holders.certain.includes(label);
    const [certain, possible] = [waiters.certain.filter(doesWait), waiters.possible.filter(doesWait)];
    expectTrue({ certain, possible }, truth.waiters, 'waiters');
  }

  private compareLayout(queues: readonly LockQueue[], truth: Picture): void {
    const { path, dialects, doubts = [], hazards = [] } = this.plan;
    if (truth.holders.length + truth.waiters.length === 0) return;
    expect(queues, 'queues').toHaveLength(1);
    const [queue] = queues;
    expect(dialects).toContain(queue!.dialect);
    expect(queue!.path).toBe(path);
    const untrue = queue!.hazards.filter(({ kind }) => !doubts.includes(kind) && !hazards.includes(kind));
    expect(untrue, 'hazards').toEqual([]);
  }

  /** Names of the nodes of which nothing is claimed. */
  private doubtful(queues: readonly LockQueue[]): Set<string> {
    const hazards = queues.flatMap(queue => queue.hazards);
    const inDoubt = hazards.filter(({ kind }) => this.plan.doubts?.includes(kind) === true);
    const mayHold = queues.flatMap(({ contenders }) => contenders.filter(contender => contender.mayHold === true));
    return new Set([...inDoubt.flatMap(({ names }) => names), ...mayHold.map(({ name }) => name)]);
  }

  private claim(contenders: readonly Contender[], doubtful: ReadonlySet<string>, role?: Contender['role']): Claim {
    const isDoubtful = ({ name }: Contender): boolean => doubtful.has(name);
    const claimed = contenders.filter(contender => role === undefined || contender.role === role);
    return {
      certain: this.labels(claimed.filter(contender => !isDoubtful(contender))),
      possible: this.labels([...new Set([...claimed, ...contenders.filter(isDoubtful)])]),
    };
  }

  /** Waiters whose session does not watch the node that they are said to wait for. */
  private unwatched(queues: readonly LockQueue[], { watchers }: WatchFacts): string[] {
    const doubtful = this.doubtful(queues);
    const contenders = queues.flatMap(queue => queue.contenders);
    return contenders.flatMap(({ path, name, waitsFor, ownerSession }) => {
      if (waitsFor === undefined || doubtful.has(name)) return [];
      const awaited = path.slice(0, -name.length) + waitsFor;
      return watchers.get(awaited)?.has(ownerSession) === true ? [] : [`${path} for ${waitsFor}`];
    });
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
    return { holders: [...labels(true), ...this.foreign.keys()].sort(), waiters: labels(false) };
  }

  private async states(): Promise<Map<string, ContenderState>> {
    const libraries = new Set([...this.members.values()].map(({ part }) => part.library));
    const answers = await Promise.all([...libraries].map(library => this.theatre.programs.of(library).states()));
    return new Map(answers.flatMap(answer => Object.entries(answer)));
  }

  /** Who holds once the contender has left; `undefined` where that cannot be known. */
  private foretell(name: string, queues: readonly LockQueue[]): Claim | undefined {
    const label = this.hasOwnNodes ? name : labelOf(this.member(name).session);
    const mine = queues
      .flatMap(queue => queue.contenders.map(node => ({ queue, node })))
      .filter(({ node }) => this.label(node) === label);
    const [only, ...others] = mine;
    if (only === undefined || others.length > 0) return undefined;
    const { queue, node } = only;
    const consequences = deleteConsequences(queue, node.path, { now: Date.now() });
    if (consequences === undefined || consequences.succession === 'race') return undefined;
    const { nextHolders, remainingHolders } = consequences;
    const staying = new Set([...nextHolders, ...remainingHolders].map(({ path }) => path));
    const doubtful = this.doubtful([queue]);
    const rest = queue.contenders.filter(({ path }) => path !== node.path);
    return this.claim(
      rest.filter(contender => staying.has(contender.path) || doubtful.has(contender.name)),
      doubtful,
    );
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

function labelOf(session: bigint): string {
  return `session ${BigInt.asUintN(64, session).toString(16)}`;
}
