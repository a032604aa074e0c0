import { createInterface } from 'node:readline';
import { createLock } from '../../src/recipes/createLock.ts';
import { LockCancelled, LockTimeout, SessionLost } from '../../src/recipes/errors.ts';
import type { AcquireOptions, Lease, LeaseState } from '../../src/recipes/lock.ts';
import type { ZooKeeperClient } from '../../src/zookeeper/client.ts';
import { connect } from '../../src/zookeeper/connect.ts';
import { seededRandom, type SeededRandom } from '../support/seededRandom.ts';
import { askRegister } from './fencedRegister.ts';
import type { HeldInterval, LockPlay, LockPlayed } from './lockPlay.ts';

// A program of its own that runs our recipes on request: one JSON line in, one JSON line out.

const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));
/** The clock that all programs of a machine share, ms. */
const now = (): number => Number(process.hrtime.bigint()) / 1e6;

/** It may have changed since the last look. */
const stateOf = (lease: Lease): LeaseState => lease.state;

/** One worker's attempts in one run. Its sessions stay open until `end`, so that nothing hides behind their closing. */
class Player {
  private readonly play: LockPlay;
  private readonly random: SeededRandom;
  private readonly clients: ZooKeeperClient[] = [];
  /** Set while a fault is played: leases are held for as long as the play allows. */
  clings = false;
  holds = false;
  private opening: Promise<ZooKeeperClient> | undefined;
  private readonly played: LockPlayed = {
    held: [],
    counts: { acquired: 0, timedOut: 0, cancelled: 0, sessionsLost: 0 },
    sessions: [],
    failures: [],
  };

  constructor(play: LockPlay) {
    this.play = play;
    this.random = seededRandom(play.seed);
  }

  async run(): Promise<LockPlayed> {
    const end = now() + this.play.durationMs;
    const hand = async (): Promise<void> => {
      while (now() < end) await this.attempt(await this.session());
    };
    await Promise.all(Array.from({ length: this.play.hands }, hand));
    this.played.sessions = this.clients.map(({ sessionId }) => String(sessionId));
    this.played.counts.sessionsLost = this.clients.filter(({ state }) => state === 'lost').length;
    return this.played;
  }

  async end(): Promise<void> {
    await Promise.all(this.clients.map(client => client.close()));
  }

  private async session(): Promise<ZooKeeperClient> {
    this.opening ??= this.openSession().finally(() => (this.opening = undefined));
    return this.opening;
  }

  private async openSession(): Promise<ZooKeeperClient> {
    const current = this.clients.at(-1);
    if (current !== undefined && current.state !== 'lost') return current;
    const { connectString, sessionTimeoutMs } = this.play;
    for (;;) {
      try {
        const client = await connect(connectString, { sessionTimeoutMs, connectTimeoutMs: 2_000 });
        this.clients.push(client);
        return client;
      } catch {
        // The network is away; it comes back at the end of the run at the latest.
        await sleep(50);
      }
    }
  }

  private async attempt(client: ZooKeeperClient): Promise<void> {
    const { counts, failures } = this.played;
    const spec = this.random.pick(this.play.specs);
    try {
      const lease = await createLock(client, this.play.lockPath, spec).acquire(this.options());
      counts.acquired++;
      await this.hold(lease, spec.recipe);
    } catch (error) {
      if (error instanceof LockTimeout) counts.timedOut++;
      else if (error instanceof LockCancelled) counts.cancelled++;
      else if (!(error instanceof SessionLost))
        failures.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
    // A client that tries once and fails would otherwise ask without a pause.
    await sleep(this.random.below(4));
  }

  private options(): AcquireOptions {
    switch (this.random.below(6)) {
      case 0:
        return { timeoutMs: 0 };
      case 1:
        return { timeoutMs: this.random.below(150) };
      case 2:
        return { signal: AbortSignal.timeout(1 + this.random.below(150)) };
      default:
        return {};
    }
  }

  private async hold(lease: Lease, recipe: HeldInterval['recipe']): Promise<void> {
    const writes = recipe !== 'read';
    const { token, read } = await this.enter(lease, writes);
    const held: HeldInterval = { recipe, from: now(), until: 0, path: lease.path, token };
    const end = held.from + this.holdMs();
    this.holds = true;
    const longest = held.from + (this.play.longHoldMs ?? 0);
    for (;;) {
      // The clock first: should this program be frozen in between, the lease is asked after it.
      const look = now();
      if (lease.state !== 'held') break;
      held.until = look;
      if (look >= end && !(this.clings && look < longest)) break;
      await sleep(this.play.longHoldMs === undefined ? 1 : 4);
    }
    this.holds = false;
    if (held.until > 0) this.played.held.push(held);
    if (writes) await this.leave(lease, held, read);
    await lease.release();
  }

  /** The watch on the own node is set after 50 ms: some leases live to see it. */
  private holdMs(): number {
    return this.random.below(this.random.below(5) === 0 ? 120 : 12);
  }

  private async enter(lease: Lease, writes: boolean): Promise<{ token: string; read: number | undefined }> {
    const token = String(lease.fencingToken);
    return { token, read: writes ? await this.ask(`read ${this.play.lockPath} ${token}`) : undefined };
  }

  /** Writes one more than was read when the lease began, as a program that trusts its lock does. */
  private async leave(lease: Lease, held: HeldInterval, read: number | undefined): Promise<void> {
    if (this.play.registerPort === undefined || lease.state !== 'held') return;
    const written =
      read === undefined ? undefined : await this.ask(`write ${this.play.lockPath} ${held.token} ${read + 1}`);
    held.accepted = written !== undefined;
    held.heldAfterRefusal = written === undefined && stateOf(lease) === 'held';
  }

  private async ask(request: string): Promise<number | undefined> {
    const { registerPort } = this.play;
    return registerPort === undefined ? undefined : askRegister(registerPort, request);
  }
}

let player: Player | undefined;

interface Request {
  command: string;
  play?: LockPlay;
  on?: boolean;
}

async function obey(request: Request): Promise<unknown> {
  if (request.command === 'end') return player?.end();
  if (request.command === 'cling') {
    if (player !== undefined) player.clings = request.on === true;
    return player?.holds === true;
  }
  if (request.play === undefined) throw new Error(`unknown command ${request.command}`);
  player = new Player(request.play);
  return player.run();
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as Request & { id: number };
  obey(request).then(
    ok => process.stdout.write(`${JSON.stringify({ id: request.id, ok: ok ?? true })}\n`),
    (error: unknown) => process.stdout.write(`${JSON.stringify({ id: request.id, error: String(error) })}\n`),
  );
}
process.exit(0);
