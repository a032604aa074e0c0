import { setTimeout as pause } from 'node:timers/promises';
import { forceDelete } from '../inspector/forceDelete.ts';
import type { OwnerFacts } from '../inspector/owners/ownerFacts.ts';
import { readQueues } from '../inspector/readQueues.ts';
import type { Contender, LockQueue } from '../locks/lockQueue.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { isMeant } from './attached.ts';
import type { PathsOf } from './checkScenario.ts';
import type { Sight } from './claims.ts';
import { contendersOf, removeMade } from './cleanUp.ts';
import { Grants } from './grants.ts';
import { herdDirectories, playHerd, type HerdResult } from './herd.ts';
import { MadeDirectories, type Left } from './madeDirectories.ts';
import type { Member, Members } from './places.ts';
import { readTogether, sightOf, type Queues } from './readSight.ts';
import type { BlockStep, Claim, ExpectStep, Step } from './scenario.ts';
import type { ScenarioCluster } from './scenarioCluster.ts';
import { ScenarioSession } from './scenarioSession.ts';
import { StepFailed } from './stepFailed.ts';

type OneStep = Exclude<Step, BlockStep | ExpectStep>;
type StepOf<Kind extends Step['kind']> = Extract<Step, { kind: Kind }>;

/** How long the clean-up waits for sessions to end and for servers that do not answer, ms. */
const cleanUpMs = 10_000;

/** Sessions, and what they have made: does what the steps say, one by one. */
export class Stage {
  /** Of the last `herd`. */
  herd: HerdResult | undefined;
  private readonly paths: PathsOf;
  private readonly cluster: ScenarioCluster;
  private readonly sessions = new Map<string, ScenarioSession>();
  private readonly attached = new Map<string, StepOf<'attach'>>();
  private readonly grants = new Grants();
  /** Of herds. */
  private readonly herdSessions = new Set<bigint>();
  /** Steps that have not ended, those that the runner has given up included. */
  private readonly running = new Set<Promise<unknown>>();
  private reader: ZooKeeperClient | undefined;
  private made: MadeDirectories | undefined;
  private owners: OwnerFacts | undefined;
  private wokenBefore = 0;

  constructor(paths: PathsOf, cluster: ScenarioCluster) {
    this.paths = paths;
    this.cluster = cluster;
  }

  /** Of the locks that a step or claim is about. */
  pathsOf(about: Step | Claim): readonly string[] {
    if (about.kind === 'nothing stale' && !this.paths.has(about)) return this.lockPaths;
    return this.paths.get(about) ?? [];
  }

  /**
   * Opens the session that reads, and looks at what is there.
   *
   * @throws what `connect` throws, and what a reading throws: ZooKeeperError, NotConnectedError, ReplyLostError
   */
  async open(signal: AbortSignal): Promise<void> {
    this.reader = await this.cluster.connect(undefined, signal);
    this.made = await MadeDirectories.lookAt(this.reader, [...this.lockPaths, ...this.herdPaths]);
  }

  /** Does a step. The caller may give it up when the signal aborts: the clean-up waits for its end. @throws why the step failed */
  async play(step: OneStep, signal: AbortSignal): Promise<undefined> {
    const work = this.do(step, signal);
    const ended = work.catch(() => undefined);
    this.running.add(ended);
    void ended.then(() => this.running.delete(ended));
    await work;
  }

  /** @returns what claims are compared with, now @throws as a reading does */
  async look(claims: readonly Claim[], signal: AbortSignal): Promise<Sight> {
    const reader = this.needReader();
    const queues = await readTogether(reader, this.lockPaths, signal);
    // Notifications that are on their way count.
    if (claims.some(({ kind }) => kind === 'woken')) {
      await Promise.all([...this.sessions.values()].map(session => session.flush()));
    }
    const isAboutStale = claims.some(({ kind }) => kind === 'stale' || kind === 'nothing stale');
    if (isAboutStale || this.hasNewOwner(queues)) this.owners = await this.cluster.owners?.(reader, signal);
    const { herd, lockPaths, grants } = this;
    return {
      ...sightOf(queues, this.members, this.owners),
      grants: new Map(lockPaths.map(path => [path, grants.at(path)])),
      woken: {
        since: this.notifications - this.wokenBefore,
        ...(herd && { naive: herd.naive.notifications, predecessor: herd.predecessor.notifications }),
      },
    };
  }

  /** Notifications are counted from here. */
  beginCount(): void {
    this.wokenBefore = this.notifications;
  }

  /** How long the attempts that claims speak of may take to end by themselves, ms. */
  timeLimitOf(claims: readonly Claim[]): number {
    const limits = claims.map(claim => {
      if (claim.kind !== 'times out') return 0;
      const paths = this.pathsOf(claim);
      const attempts = this.sessions.get(claim.session.text)?.attempts ?? [];
      return attempts.findLast(attempt => paths.some(path => attempt.paths.includes(path)))?.plan.timeoutMs ?? 0;
    });
    return Math.max(0, ...limits);
  }

  /** Ends what is open and removes what was made. Never rejects. @returns what is still there, or may be */
  async cleanUp(): Promise<Left[]> {
    const sessions = [...this.sessions.values()];
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), cleanUpMs);
    const over = Promise.withResolvers<undefined>();
    late.signal.addEventListener('abort', () => over.resolve(undefined));
    try {
      const ends = [...sessions.map(session => session.close()), ...this.running];
      await Promise.race([Promise.all(ends), over.promise]);
      const { reader, made, cluster, herdSessions, lockPaths, herdPaths } = this;
      if (reader === undefined || made === undefined) {
        await reader?.close();
        return [];
      }
      const sessionIds = new Set([...herdSessions, ...sessions.flatMap(each => each.sessionIds)]);
      const leftNodes = sessions.map(({ left }) => left);
      const all = { directories: made, leftNodes, sessionIds, paths: [...lockPaths, ...herdPaths] };
      return await removeMade(all, reader, cluster, late.signal);
    } finally {
      clearTimeout(timer);
    }
  }

  private get lockPaths(): string[] {
    return [...new Set([...this.paths.values()].flat())];
  }

  private get herdPaths(): string[] {
    return [...this.paths].flatMap(([{ kind }, paths]) => (kind === 'herd' ? paths.flatMap(herdDirectories) : []));
  }

  private get notifications(): number {
    return [...this.sessions.values()].reduce((sum, session) => sum + session.notifications, 0);
  }

  private get members(): Members {
    const sessions = [...this.sessions.values()];
    const members = new Map<string, Member>(sessions.map(session => [session.name, session.member]));
    for (const [name, step] of this.attached) {
      const paths = this.pathsOf(step);
      const owns = (one: Contender, queue: LockQueue): boolean =>
        paths.includes(queue.path) &&
        isMeant(step.by, one, queue, this.owners) &&
        !sessions.some(each => each.owns(one));
      members.set(name, { owns });
    }
    return members;
  }

  /** Whether addresses are needed and one of a contender is not known yet. */
  private hasNewOwner({ byPath }: Queues): boolean {
    if (![...this.attached.values()].some(({ by }) => by.kind === 'address')) return false;
    const known = this.owners?.connections;
    const owners = [...byPath.values()].flat().flatMap(({ contenders }) => contenders);
    return owners.some(({ ownerSession }) => ownerSession !== 0n && known?.has(ownerSession) !== true);
  }

  private needReader(): ZooKeeperClient {
    if (this.reader === undefined) throw new Error('The stage is not open.');
    return this.reader;
  }

  private sessionOf({ session }: { readonly session: { readonly text: string } }): ScenarioSession {
    const known = this.sessions.get(session.text);
    if (known !== undefined) return known;
    const made = new ScenarioSession(session.text, this.cluster);
    this.sessions.set(session.text, made);
    return made;
  }

  private async do(step: OneStep, signal: AbortSignal): Promise<void> {
    switch (step.kind) {
      case 'acquire':
        return this.acquire(step, signal);
      case 'release':
        return this.release(step);
      case 'leave':
        return this.leave(step, signal);
      case 'wait':
        await pause(step.ms, undefined, { signal });
        return undefined;
      case 'attach':
        return this.attach(step, signal);
      case 'delete':
        return this.delete(step, signal);
      case 'herd':
        this.herd = await playHerd(
          this.cluster,
          step.contenders,
          this.pathsOf(step)[0] ?? '',
          this.herdSessions,
          signal,
        );
        return undefined;
      default:
        return this.trouble(step, signal);
    }
  }

  private async acquire(step: StepOf<'acquire'>, signal: AbortSignal): Promise<void> {
    const { recipe, dialect, timeoutMs } = step;
    const paths = this.pathsOf(step);
    const [path = ''] = paths;
    const plan = { recipe, paths, ...(dialect && { dialect }), ...(timeoutMs === undefined ? {} : { timeoutMs }) };
    const session = this.sessionOf(step);
    const attempt = await session.acquire(plan, signal, lease => this.grants.note(path, lease, recipe));
    if (attempt.state === 'ended') throw attempt.error;
  }

  private async release(step: StepOf<'release'>): Promise<void> {
    await this.sessionOf(step).release(this.pathsOf(step), step.recipe);
  }

  private async leave(step: StepOf<'leave'>, signal: AbortSignal): Promise<void> {
    const session = this.sessionOf(step);
    const client = await session.open(signal);
    for (const path of this.pathsOf(step)) {
      const queues = await readQueues(this.needReader(), path, { signal });
      await session.left.leave(client, path, session.name, step.dialect, queues);
    }
  }

  private async attach(step: StepOf<'attach'>, signal: AbortSignal): Promise<void> {
    this.attached.set(step.session.text, step);
    if (step.by.kind !== 'address') return;
    this.owners = await this.cluster.owners?.(this.needReader(), signal);
    // The session that reads is one of them.
    const knowsSome = (this.owners?.connections.size ?? 0) > 0;
    if (!knowsSome) throw new StepFailed({ kind: 'no-addresses', session: step.session.text });
  }

  private async delete(step: StepOf<'delete'>, signal: AbortSignal): Promise<void> {
    const session = this.sessionOf(step);
    const reader = this.needReader();
    const found: Contender[] = [];
    for (const path of this.pathsOf(step)) {
      await reader.sync(path);
      const queues = await readQueues(reader, path, { signal });
      found.push(...queues.flatMap(({ contenders }) => contenders.filter(one => session.owns(one))));
    }
    if (found.length === 0) throw new StepFailed({ kind: 'nothing-to-delete', session: step.session.text });
    for (const { path, czxid, ownerSession } of found) {
      const outcome = await forceDelete(reader, { path, czxid, ownerSession }, { chroot: this.cluster.chroot, signal });
      if (outcome !== 'deleted') throw new StepFailed({ kind: 'not-deleted', path, outcome });
    }
    await session.noticesLoss(this.pathsOf(step), signal);
  }

  private async trouble(
    step: StepOf<'expire' | 'disconnect' | 'reconnect' | 'lose reply'>,
    signal: AbortSignal,
  ): Promise<void> {
    const session = this.sessionOf(step);
    switch (step.kind) {
      case 'lose reply':
        return session.loseReply(signal);
      case 'disconnect':
        session.disconnect();
        return undefined;
      case 'reconnect':
        return session.reconnect(signal);
      default:
        return session.expire(id => this.isGone(id, signal), signal);
    }
  }

  /** Whether the servers have removed all nodes of a session. */
  private async isGone(sessionId: bigint, signal: AbortSignal): Promise<boolean> {
    const own = await contendersOf(new Set([sessionId]), this.needReader(), this.lockPaths, signal);
    return own.length === 0;
  }
}
