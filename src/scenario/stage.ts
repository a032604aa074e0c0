import { setTimeout as pause } from 'node:timers/promises';
import { childPath } from '../base/paths.ts';
import { forceDelete } from '../inspector/forceDelete.ts';
import type { OwnerFacts } from '../inspector/owners/ownerFacts.ts';
import { readQueues } from '../inspector/readQueues.ts';
import { contenderNaming } from '../locks/libraries/registry.ts';
import type { Contender, LockQueue } from '../locks/lockQueue.ts';
import type { Lease } from '../recipes/lock.ts';
import { ensureDirectory } from '../recipes/ownNode.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { isMeant } from './attached.ts';
import type { PathsOf } from './checkScenario.ts';
import type { Member, Sight } from './claims.ts';
import { compareHerd, herdDirectories, type HerdResult, type HerdSession } from './herd.ts';
import { MadeDirectories, type Left } from './madeDirectories.ts';
import { readSight } from './readSight.ts';
import type { BlockStep, Claim, ExpectStep, Step } from './scenario.ts';
import type { ScenarioCluster } from './scenarioCluster.ts';
import { ScenarioSession } from './scenarioSession.ts';
import { SessionLink } from './sessionLink.ts';
import { StepFailed } from './stepFailed.ts';

type OneStep = Exclude<Step, BlockStep | ExpectStep>;
type StepOf<Kind extends Step['kind']> = Extract<Step, { kind: Kind }>;

/** How long the clean-up may take, ms. */
const cleanUpMs = 15_000;

/** Sessions, and what they have made: does what the steps say, one by one. */
export class Stage {
  /** Of the last `herd`. */
  herd: HerdResult | undefined;
  private readonly paths: PathsOf;
  private readonly cluster: ScenarioCluster;
  private readonly sessions = new Map<string, ScenarioSession>();
  private readonly attached = new Map<string, StepOf<'attach'>>();
  private readonly tokens = new Map<string, bigint[]>();
  private readonly leftNodes: { path: string; czxid: bigint }[] = [];
  private reader: ZooKeeperClient | undefined;
  private made: MadeDirectories | undefined;
  private wokenBefore = 0;

  constructor(paths: PathsOf, cluster: ScenarioCluster) {
    this.paths = paths;
    this.cluster = cluster;
  }

  pathsOf(about: Step | Claim): readonly string[] {
    return this.paths.get(about) ?? [];
  }

  /** Opens the session that reads, and looks at what is there. @throws what `connect` throws; ZooKeeperError */
  async open(signal: AbortSignal): Promise<void> {
    this.reader = await this.cluster.connect(undefined, signal);
    this.made = await MadeDirectories.lookAt(this.reader, [...this.allPaths, ...this.herdPaths]);
  }

  /** @throws why the step failed */
  async play(step: OneStep, signal: AbortSignal): Promise<void> {
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
        this.attached.set(step.session.text, step);
        return undefined;
      case 'delete':
        return this.delete(step, signal);
      case 'herd':
        return this.playHerd(step, signal);
      default:
        return this.trouble(step, signal);
    }
  }

  /** @returns what claims are compared with, now */
  async look(claims: readonly Claim[], signal: AbortSignal): Promise<Sight> {
    const byAddress = [...this.attached.values()].some(({ by }) => by.kind === 'address');
    return readSight(
      {
        reader: this.needReader(),
        cluster: this.cluster,
        paths: this.allPaths,
        asksServers: byAddress || claims.some(({ kind }) => kind === 'stale' || kind === 'nothing stale'),
        membersBy: owners => this.membersBy(owners),
        tokens: this.tokens,
        woken: {
          since: this.notifications - this.wokenBefore,
          ...(this.herd === undefined
            ? {}
            : { naive: this.herd.naive.notifications, predecessor: this.herd.predecessor.notifications }),
        },
      },
      signal,
    );
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

  /** Ends what is open and removes what was made. Never rejects. @returns what is still there */
  async cleanUp(): Promise<Left[]> {
    const { reader } = this;
    const ending = this.endAll();
    const over = pause(cleanUpMs, 'late' as const, { ref: false });
    await Promise.race([ending, over]);
    if (reader === undefined) return [];
    const left: Left[] = [];
    for (const { path, czxid } of this.leftNodes) {
      await forceDelete(reader, { path, czxid, ownerSession: 0n }, { chroot: this.cluster.chroot }).catch(
        (error: unknown) => left.push({ path, why: { error } }),
      );
    }
    left.push(...((await Promise.race([this.made?.remove(reader), over.then(() => [])])) ?? []));
    await reader.close();
    return left;
  }

  private get allPaths(): string[] {
    return [...new Set([...this.paths.values()].flat())];
  }

  private get herdPaths(): string[] {
    return [...this.paths].flatMap(([{ kind }, paths]) => (kind === 'herd' ? paths.flatMap(herdDirectories) : []));
  }

  private get notifications(): number {
    return [...this.sessions.values()].reduce((sum, session) => sum + session.notifications, 0);
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

  private async acquire(step: StepOf<'acquire'>, signal: AbortSignal): Promise<void> {
    const { recipe, dialect, timeoutMs } = step;
    const paths = this.pathsOf(step);
    const plan = {
      recipe,
      paths,
      ...(dialect === undefined ? {} : { dialect }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    };
    const attempt = await this.sessionOf(step).acquire(plan, signal, lease => this.noteGrant(paths, lease));
    if (attempt.state === 'ended') throw attempt.error;
  }

  /** A multi-lock has the token of its first lock; a mutex that a session takes once more keeps its token. */
  private noteGrant([path = '']: readonly string[], { fencingToken }: Lease): void {
    const known = this.tokens.get(path) ?? [];
    if (known.at(-1) !== fencingToken) this.tokens.set(path, [...known, fencingToken]);
  }

  private async release(step: StepOf<'release'>): Promise<void> {
    const paths = this.pathsOf(step);
    const attempt = this.sessionOf(step).attempts.findLast(
      each =>
        each.isOpen &&
        paths.every(path => each.paths.includes(path)) &&
        (step.recipe ?? each.plan.recipe.name) === each.plan.recipe.name,
    );
    if (attempt === undefined) throw new StepFailed({ kind: 'nothing-to-release', session: step.session.text });
    await attempt.finish();
  }

  private async leave(step: StepOf<'leave'>, signal: AbortSignal): Promise<void> {
    const session = this.sessionOf(step);
    const client = await session.open(signal);
    const naming = contenderNaming(step.dialect ?? 'curator', 'mutex');
    for (const path of this.pathsOf(step)) {
      await ensureDirectory(client, path, { mode: 'persistent' });
      const name = naming?.prefix({ attemptId: crypto.randomUUID(), sessionId: client.sessionId }) ?? 'lock-';
      const { path: node, stat } = await client.create(childPath(path, name), {
        data: Buffer.from(step.session.text),
        mode: 'persistent_sequential',
      });
      session.noteLeft(stat.czxid);
      this.leftNodes.push({ path: node, czxid: stat.czxid });
    }
  }

  private async delete(step: StepOf<'delete'>, signal: AbortSignal): Promise<void> {
    const session = this.sessionOf(step);
    const reader = this.needReader();
    const found: Contender[] = [];
    for (const path of this.pathsOf(step)) {
      const queues = await readQueues(reader, path, { signal });
      found.push(...queues.flatMap(({ contenders }) => contenders.filter(one => session.owns(one))));
    }
    if (found.length === 0) throw new StepFailed({ kind: 'nothing-to-delete', session: step.session.text });
    for (const { path, czxid, ownerSession } of found) {
      const outcome = await forceDelete(reader, { path, czxid, ownerSession }, { chroot: this.cluster.chroot, signal });
      if (outcome !== 'deleted') throw new StepFailed({ kind: 'not-deleted', path, outcome });
    }
  }

  private async playHerd(step: StepOf<'herd'>, signal: AbortSignal): Promise<void> {
    const [path = ''] = this.pathsOf(step);
    const open = async (): Promise<HerdSession> => {
      const link = new SessionLink();
      return { link, client: await this.cluster.connect(socket => link.over(socket), signal) };
    };
    const opened = await Promise.allSettled(Array.from({ length: step.contenders }, open));
    const sessions = opened.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []));
    try {
      const failed = opened.find(each => each.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
      this.herd = await compareHerd(sessions, path, signal);
    } finally {
      await Promise.all(sessions.map(({ client }) => client.close()));
    }
  }

  private async trouble(
    step: StepOf<'expire' | 'disconnect' | 'reconnect' | 'lose reply'>,
    signal: AbortSignal,
  ): Promise<void> {
    const session = this.sessionOf(step);
    if (step.kind === 'lose reply') {
      await session.open(signal);
      session.link.loseNextCreate();
    } else if (step.kind === 'disconnect') session.link.cut();
    else if (step.kind === 'reconnect') await session.reconnect(signal);
    else await session.expire(id => this.isGone(id, signal), signal);
  }

  /** Whether the servers have removed all nodes of a session. */
  private async isGone(sessionId: bigint, signal: AbortSignal): Promise<boolean> {
    const reader = this.needReader();
    const read = await Promise.all(this.allPaths.map(path => readQueues(reader, path, { signal })));
    return !read.flat().some(({ contenders }) => contenders.some(({ ownerSession }) => ownerSession === sessionId));
  }

  private membersBy(owners: OwnerFacts | undefined): Map<string, Member> {
    const members = new Map<string, Member>(this.sessions);
    for (const [name, step] of this.attached) {
      const paths = this.pathsOf(step);
      const owns = (one: Contender, queue: LockQueue): boolean =>
        paths.includes(queue.path) &&
        isMeant(step.by, one, queue, owners) &&
        ![...this.sessions.values()].some(each => each.owns(one));
      members.set(name, { owns });
    }
    return members;
  }

  private async endAll(): Promise<void> {
    await Promise.all(
      [...this.sessions.values()].map(async session => {
        session.link.restore();
        for (const attempt of session.attempts.toReversed()) await attempt.finish().catch(() => undefined);
        await session.close();
      }),
    );
  }
}
