import { createInterface } from 'node:readline';
import { createLock } from '../../src/recipes/createLock.ts';
import { LockCancelled, LockTimeout, SessionLost } from '../../src/recipes/errors.ts';
import type { AcquireOptions, Lease } from '../../src/recipes/lock.ts';
import type { ZooKeeperClient } from '../../src/zookeeper/client.ts';
import { connect } from '../../src/zookeeper/connect.ts';
import { seededRandom, type SeededRandom } from '../support/seededRandom.ts';
import type { LockPlay, LockPlayed } from './lockPlay.ts';

// A program of its own that runs our recipes on request: one JSON line in, one JSON line out.

const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));
/** The clock that all programs of a machine share, ms. */
const now = (): number => Number(process.hrtime.bigint()) / 1e6;

/** One worker's attempts in one run. Its sessions stay open until `end`, so that nothing hides behind their closing. */
class Player {
  private readonly play: LockPlay;
  private readonly random: SeededRandom;
  private readonly clients: ZooKeeperClient[] = [];
  private opening: Promise<ZooKeeperClient> | undefined;
  private readonly played: LockPlayed = {
    held: [],
    counts: { acquired: 0, timedOut: 0, cancelled: 0, sessionsLost: 0 },
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
      else if (error instanceof SessionLost) counts.sessionsLost++;
      else failures.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
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

  private async hold(lease: Lease, recipe: LockPlay['specs'][number]['recipe']): Promise<void> {
    const from = now();
    let until: number | undefined;
    // The watch on the own node is set after 50 ms: some leases live to see it.
    const end = from + this.random.below(this.random.below(5) === 0 ? 120 : 12);
    for (;;) {
      // The clock first: should this program be frozen in between, the lease is asked after it.
      const look = now();
      if (lease.state !== 'held') break;
      until = look;
      if (look >= end) break;
      await sleep(1);
    }
    if (until !== undefined) this.played.held.push({ recipe, from, until });
    await lease.release();
  }
}

let player: Player | undefined;

async function obey(request: { command: string; play?: LockPlay }): Promise<unknown> {
  if (request.command === 'end') return player?.end();
  if (request.play === undefined) throw new Error(`unknown command ${request.command}`);
  player = new Player(request.play);
  return player.run();
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as { id: number; command: string; play?: LockPlay };
  obey(request).then(
    ok => process.stdout.write(`${JSON.stringify({ id: request.id, ok: ok ?? true })}\n`),
    (error: unknown) => process.stdout.write(`${JSON.stringify({ id: request.id, error: String(error) })}\n`),
  );
}
process.exit(0);
