import type { ZooKeeperClient } from '../../src/zookeeper/client.ts';
import { OutcomeUnknownError } from '../../src/zookeeper/errors.ts';
import type { SeededRandom } from '../support/seededRandom.ts';

/** How a request ended: `ok`, or the name of the error. */
type End = string;

/** A node that was asked for, with a token of its own as data. */
export interface WrittenNode {
  token: string;
  /** Epoch ms. */
  askedAt: number;
  end: End | undefined;
  /** Set when the server confirmed it. */
  czxid: bigint | undefined;
  /** A delete was sent, so it may be gone. */
  mayBeGone: boolean;
}

/** Asks a session for a bit of everything and remembers what must be true afterwards. */
export class SessionLoad {
  readonly nodes: WrittenNode[] = [];
  readonly ends = new Map<End, number>();
  /** Requests that are not settled yet. */
  pending = 0;
  /** The longest that any request took, ms. */
  slowestMs = 0;
  private readonly random: SeededRandom;
  private readonly name: string;
  private readonly known: { path: string; node: WrittenNode }[] = [];

  constructor(name: string, random: SeededRandom) {
    this.name = name;
    this.random = random;
  }

  /** Sends one request, whatever the state. */
  send(client: ZooKeeperClient): void {
    const actions = [
      () => this.create(client),
      () => this.create(client),
      () => this.remove(client),
      () => client.exists('/', { watch: () => undefined }),
      () => client.getChildren('/'),
      () => client.sync('/'),
      () => client.readMany(this.known.slice(-20).map(({ path }) => ({ op: 'getData', path }))),
      () => client.getData(this.known.at(-1)?.path ?? '/', { watch: () => undefined }),
    ];
    const start = performance.now();
    this.pending += 1;
    void this.random
      .pick(actions)()
      .then(
        () => this.settle('ok', start),
        (error: unknown) => this.settle(error instanceof Error ? error.name : 'no error', start),
      );
  }

  private settle(end: End, start: number): void {
    this.pending -= 1;
    this.slowestMs = Math.max(this.slowestMs, performance.now() - start);
    this.ends.set(end, (this.ends.get(end) ?? 0) + 1);
  }

  private async create(client: ZooKeeperClient): Promise<void> {
    const token = `${this.name}-${this.nodes.length}`;
    const node: WrittenNode = { token, askedAt: Date.now(), end: undefined, czxid: undefined, mayBeGone: false };
    this.nodes.push(node);
    const mode = this.random.pick(['persistent', 'persistent_sequential'] as const);
    try {
      const { path, stat } = await client.create(`/${token}-`, { mode, data: Buffer.from(token) });
      node.end = 'ok';
      node.czxid = stat.czxid;
      this.known.push({ path, node });
    } catch (error) {
      node.end = error instanceof Error ? error.name : 'no error';
      throw error;
    }
  }

  private async remove(client: ZooKeeperClient): Promise<void> {
    const target = this.known.shift();
    if (target === undefined) return;
    try {
      await client.remove(target.path, 0);
      target.node.mayBeGone = true;
    } catch (error) {
      if (error instanceof OutcomeUnknownError) target.node.mayBeGone = true;
      throw error;
    }
  }
}
