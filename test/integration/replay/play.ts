import { expect } from 'vitest';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import type { Contender } from '../../../src/locks/lockQueue.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import type { ContenderState } from '../../support/contenders.ts';
import { eventually } from '../../support/eventually.ts';
import { seededRandom, type SeededRandom } from '../../support/seededRandom.ts';
import type { Part } from '../truth/programs.ts';
import type { Troupe } from './troupe.ts';

/** A kind of lock, and who may come. */
export interface LockPlan {
  kind: string;
  parts: readonly Part[];
  maxLeases?: number;
  /** Whether a waiter can give up while its session stays. */
  canCancel: boolean;
  /** Whether the place in the queue and the lease are two nodes. */
  hasLeases?: boolean;
  /** A writer may not join while a reader waits: kazoo 2.8.0 would make that reader wait for it (docs/faults.md, L12). */
  keepsWritersOut?: boolean;
  /** A waiter would not notice the end of a node that was written to: Curator's LeaderLatch (docs/faults.md, L37). */
  isDeafAfterWrite?: boolean;
}

/** How a contender left. */
export type Way = 'release' | 'cancel' | 'end' | 'kill' | 'delete';

/** Between which transactions something happened: after the first, until before the second. */
export interface Span {
  after: bigint;
  before: bigint;
}

/** What a contender really did, by its library's own word. */
export interface Deed {
  name: string;
  part: Part;
  session: bigint;
  isVictim: boolean;
  identifier: string;
  joined: Span;
  /** When its library said that it holds. */
  held?: Span;
  left?: Span & { way: Way };
}

const crowd = 6;

/** A lock on which real contenders play, one step after the other, and what they really did. */
export class Play {
  readonly path: string;
  readonly plan: LockPlan;
  readonly deeds: Deed[] = [];
  private readonly troupe: Troupe;
  private readonly client: ZooKeeperClient;
  private readonly random: SeededRandom;
  private lastMark = 0n;

  constructor(path: string, plan: LockPlan, seed: number, troupe: Troupe, client: ZooKeeperClient) {
    this.path = path;
    this.plan = plan;
    this.troupe = troupe;
    this.client = client;
    this.random = seededRandom(seed);
  }

  /** The session that deletes nodes of others. */
  get interferer(): bigint {
    return this.troupe.interferer.sessionId;
  }

  async open(): Promise<void> {
    this.lastMark = await this.mark();
  }

  /** Plays random steps. */
  async act(steps: number, mayBeVictims: boolean): Promise<void> {
    for (let step = 0; step < steps; step++) {
      const present = this.deeds.filter(({ left }) => left === undefined);
      const wantsJoin = present.length < 2 || this.random.below(100) < 50;
      if (wantsJoin && present.length < crowd) await this.join(mayBeVictims && this.random.below(3) === 0);
      else if (this.random.below(8) === 0) await this.write(this.random.pick(present));
      else await this.leave(present);
    }
  }

  /** All that are left leave, one after the other. */
  async leaveAll(): Promise<void> {
    for (;;) {
      const present = this.deeds.filter(({ left }) => left === undefined);
      if (present.length === 0) return;
      await this.leave(present);
    }
  }

  /** The victims' programs have been killed: waits until their sessions have run out. */
  async afterKill(): Promise<void> {
    const victims = this.deeds.filter(({ isVictim, left }) => isVictim && left === undefined);
    await this.step(() => Promise.resolve(), victims, 'kill', 60_000);
  }

  private async join(isVictim: boolean): Promise<void> {
    const part = this.random.pick(this.plan.parts);
    if (this.plan.keepsWritersOut === true && part.recipe === 'write' && this.hasWaitingReader()) return;
    const { path } = this;
    const name = `${path.slice(1).replaceAll('/', '-')}.${this.deeds.length + 1}`;
    const program = this.troupe.of(part.library, isVictim);
    const { maxLeases } = this.plan;
    const session = await program.start({
      contender: name,
      recipe: part.recipe,
      path,
      identifier: `host-${name}`,
      ...(maxLeases === undefined ? {} : { maxLeases }),
      ...(isVictim ? { sessionTimeoutMs: this.troupe.victimTimeoutMs } : {}),
    });
    const joined: Span = { after: this.lastMark, before: 0n };
    const deed: Deed = { name, part, session, isVictim, identifier: `host-${name}`, joined };
    await program.begin(name);
    await eventually(async () => expect(await this.nodesOf(session), `nodes of ${name}`).not.toEqual([]));
    this.deeds.push(deed);
    await this.step(() => Promise.resolve(), [], 'release');
    deed.joined = { ...joined, before: this.lastMark };
  }

  private hasWaitingReader(): boolean {
    return this.deeds.some(
      ({ part, held, left }) => part.recipe === 'read' && held === undefined && left === undefined,
    );
  }

  private hasOthersBehind(deed: Deed): boolean {
    return this.deeds.slice(this.deeds.indexOf(deed) + 1).some(({ left }) => left === undefined);
  }

  private async leave(present: readonly Deed[]): Promise<void> {
    const ways = present.flatMap((deed): [Deed, Way][] => {
      if (deed.held === undefined)
        return this.plan.canCancel
          ? [
              [deed, 'cancel'],
              [deed, 'end'],
            ]
          : [[deed, 'end']];
      return [
        [deed, 'release'],
        [deed, 'release'],
        [deed, 'end'],
        [deed, 'delete'],
      ];
    });
    const [deed, way] = this.random.pick(ways);
    await this.step(() => this.end(deed, way), [deed], way);
    if (way === 'delete') await this.troupe.of(deed.part.library, deed.isVictim).end(deed.name);
  }

  private async end({ name, part, session, isVictim }: Deed, way: Way): Promise<void> {
    const program = this.troupe.of(part.library, isVictim);
    if (way === 'delete') {
      const nodes = await this.nodesOf(session);
      expect(nodes, `nodes of ${name}`).toHaveLength(1);
      await this.troupe.interferer.delete(nodes[0]!);
    } else if (way !== 'kill') await program[way](name);
  }

  /** Another session overwrites what the contender's node says of it. */
  private async write(deed: Deed): Promise<void> {
    if (this.plan.isDeafAfterWrite === true && this.hasOthersBehind(deed)) return;
    const nodes = await this.nodesOf(deed.session);
    if (nodes.length !== 1) return;
    await this.step(() => this.troupe.observer.set(nodes[0]!, `other-${deed.name}`), [], 'release');
    deed.identifier = `other-${deed.name}`;
  }

  /** Does one thing, waits until the libraries have done what follows from it, and notes what they say. */
  private async step(act: () => Promise<void>, leaving: readonly Deed[], way: Way, timeoutMs = 20_000): Promise<void> {
    await act();
    const gone = new Set(leaving.map(({ session }) => session));
    const present = this.deeds.filter(({ left, session }) => left === undefined && !gone.has(session));
    let holding = await eventually(() => this.agreed(present, gone), timeoutMs);
    const span: Span = { after: this.lastMark, before: await this.mark() };
    // What is not seen before the mark nor right after it comes after the mark.
    for (let before = holding; ; before = holding) {
      holding = await eventually(() => this.agreed(present, gone), timeoutMs);
      if (holding.length === before.length && holding.every(deed => before.includes(deed))) break;
      span.before = await this.mark();
    }
    this.lastMark = span.before;
    for (const deed of leaving) deed.left = { ...span, way };
    for (const deed of holding) deed.held ??= span;
  }

  /** @returns those that hold, once the queue and the libraries say the same */
  private async agreed(present: readonly Deed[], gone: ReadonlySet<bigint>): Promise<Deed[]> {
    const states = await this.states(present);
    for (const { name } of present) expect(states.get(name)?.failure, `failure of ${name}`).toBeNull();
    const holding = present.filter(({ name }) => states.get(name)?.holds === true);
    const contenders = await this.contenders();
    expect(contenders.filter(({ ownerSession }) => gone.has(ownerSession))).toEqual([]);
    const holders = contenders.filter(({ role }) => role === 'holder').map(({ ownerSession }) => ownerSession);
    expect(sorted(holders)).toEqual(sorted(holding.map(({ session }) => session)));
    return holding;
  }

  private async states(present: readonly Deed[]): Promise<Map<string, ContenderState>> {
    const programs = new Set(present.map(({ part, isVictim }) => this.troupe.of(part.library, isVictim)));
    const answers = await Promise.all([...programs].map(program => program.states()));
    return new Map(answers.flatMap(answer => Object.entries(answer)));
  }

  private async contenders(): Promise<Contender[]> {
    return (await readQueues(this.client, this.path)).flatMap(({ contenders }) => contenders);
  }

  /** Paths of all nodes of a session in the directories that a layout may use. */
  private async nodesOf(session: bigint): Promise<string[]> {
    const { path } = this;
    const places = [path, `${path}/locks`, `${path}/leases`, `${path}-__lock__`];
    const found = await Promise.all(places.map(place => this.troupe.observer.ls(place).catch(() => [])));
    return found.flat().flatMap(node => (node.ephemeralOwner === session ? [node.path] : []));
  }

  /** Makes a transaction of its own. @returns its zxid */
  private async mark(): Promise<bigint> {
    const { observer } = this.troupe;
    const made = await observer.create('/marks/m-', { sequence: true });
    const node = await observer.get(made);
    return node!.czxid;
  }
}

function sorted(sessions: readonly bigint[]): string[] {
  return sessions.map(String).sort();
}
