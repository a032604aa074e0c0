import { eventually } from './eventually.ts';
import type { JsonLines } from './jsonLines.ts';
import type { Observer } from './observer.ts';

export interface ContenderPlan<Recipe extends string> {
  /** Name of the contender in this test; not seen by ZooKeeper. */
  contender: string;
  recipe: Recipe;
  path: string;
  /** Of a recipe that takes several locks, one after the other; `path` is the first. */
  paths?: readonly string[];
  /** Goes into the node where the recipe has a place for it. */
  identifier?: string;
  maxLeases?: number;
  /** Contenders with the same name here share one session, each with a thread of its own. Default: a session of its own. */
  session?: string;
  /** Default 30 s. Of a shared session the first contender decides. */
  sessionTimeoutMs?: number;
}

/**
 * `failure`: why the last attempt to get the lock ended without it. `since`: when the library's call returned with the lock, ms of
 * the machine's monotonic clock, which all programs share; of kazoo's locks only.
 */
export interface ContenderState {
  holds: boolean;
  failure: string | null;
  since?: number | null;
}

/** Contenders of real lock libraries in a program of their own. */
export class Contenders<Recipe extends string> {
  protected readonly program: JsonLines;
  private readonly sessions = new Map<string, bigint>();

  constructor(program: JsonLines) {
    this.program = program;
  }

  /** Opens the contender's session, if it is not open yet; it does not queue yet. @returns its session id */
  async start(plan: ContenderPlan<Recipe>): Promise<bigint> {
    const sessionId = BigInt((await this.program.request('start', { ...plan })) as string);
    this.sessions.set(plan.contender, sessionId);
    return sessionId;
  }

  sessionId(contender: string): bigint {
    const sessionId = this.sessions.get(contender);
    if (sessionId === undefined) throw new Error(`No contender ${contender} was started.`);
    return sessionId;
  }

  /** Lets the contender join the queue and does not wait: look at the server to see that its node is there. */
  async begin(contender: string): Promise<void> {
    await this.program.request('begin', { contender });
  }

  /** Contenders that queue at a path in this order, behind the nodes that are there; each is identified by its name. */
  async queueUp(
    observer: Pick<Observer, 'ls'>,
    { recipe, path }: Pick<ContenderPlan<Recipe>, 'recipe' | 'path'>,
    names: readonly string[],
  ): Promise<void> {
    const before = (await observer.ls(path)).length;
    for (const [index, contender] of names.entries()) {
      await this.start({ contender, recipe, path, identifier: contender });
      await this.begin(contender);
      await eventually(async () => {
        const { length } = await observer.ls(path);
        if (length !== before + index + 1) throw new Error(`${contender} is not in the queue yet.`);
      });
    }
  }

  /** Lets the contender join the queue and waits until its library says that it holds the lock. */
  async acquire(contender: string, timeoutMs = 15_000): Promise<void> {
    await this.begin(contender);
    await this.holds(contender, timeoutMs);
  }

  /** Waits until the contender's library says that it holds the lock. */
  async holds(contender: string, timeoutMs = 15_000, everyMs = 20): Promise<void> {
    await eventually(
      async () => {
        const state = (await this.states())[contender];
        if (state?.failure != null) throw new Error(`${contender} failed: ${state.failure}`);
        if (state?.holds !== true) throw new Error(`${contender} does not hold the lock.`);
      },
      timeoutMs,
      everyMs,
    );
  }

  /** Lets the contender's own client read a number from a node and write the next one, whatever was written in between. */
  async increment(contender: string, counterPath: string): Promise<void> {
    await this.program.request('increment', { contender, counterPath });
  }

  /** Gives the lock back as the library does. */
  async release(contender: string): Promise<void> {
    await this.program.request('release', { contender });
  }

  /** Lets the contender leave its queue, as the library does when its caller gives up; its session stays open. */
  async cancel(contender: string): Promise<void> {
    await this.program.request('cancel', { contender });
    this.sessions.delete(contender);
  }

  /** Closes the contender's session, whether it waits or holds; all contenders that share the session end with it. */
  async end(contender: string): Promise<void> {
    const ended = this.sessionId(contender);
    await this.program.request('end', { contender });
    for (const [name, session] of this.sessions) if (session === ended) this.sessions.delete(name);
  }

  /** Who holds, as the libraries themselves say; names sorted. */
  async holders(): Promise<string[]> {
    const states = await this.states();
    return Object.keys(states)
      .filter(contender => states[contender]!.holds)
      .sort();
  }

  /** Ends every contender and the program. */
  async stop(): Promise<void> {
    await this.program.close();
  }

  /** Ends the program suddenly: every session runs out. */
  async kill(): Promise<void> {
    await this.program.kill();
  }

  /** Freezes the program: sessions run out while each library still believes that it holds. */
  pause(): void {
    this.program.pause();
  }

  resume(): void {
    this.program.resume();
  }

  /** What each contender says of itself. */
  async states(): Promise<Record<string, ContenderState>> {
    return (await this.program.request('states')) as Record<string, ContenderState>;
  }
}
