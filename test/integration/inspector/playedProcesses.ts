import type { Contenders } from '../../support/contenders.ts';
import { startCuratorContenders } from '../../support/curatorContenders.ts';
import { startKazooContenders } from '../../support/kazooContenders.ts';

export type PlayedLibrary = 'curator' | 'kazoo';

/** A session expires so long after its process was killed; shorter ones would expire on a busy machine. */
const sessionTimeoutMs = 3_000;

/** One contender as a play wants it. */
export interface Part {
  name: string;
  recipe: string;
  paths: readonly string[];
  maxLeases: number;
  /** Within its process. */
  session: string;
}

/** A process with several sessions of one library. Once killed another one stands in for it in the next play. */
export class PlayedProcess {
  readonly library: PlayedLibrary;
  private readonly connectString: string;
  private program: Contenders<string>;
  /** Of each session a contender: to end it. */
  private readonly sessions = new Map<bigint, string>();

  constructor(library: PlayedLibrary, connectString: string) {
    this.library = library;
    this.connectString = connectString;
    this.program = this.launch();
  }

  /** Signed ids of its sessions. */
  get sessionIds(): ReadonlySet<bigint> {
    return new Set(this.sessions.keys());
  }

  /** Opens the contender's session if need be. @returns its id */
  async start({ name, recipe, paths, maxLeases, session }: Part): Promise<bigint> {
    const [path = ''] = paths;
    const plan = { contender: name, recipe, path, paths, maxLeases, session, sessionTimeoutMs, identifier: name };
    const id = await this.program.start(plan);
    this.sessions.set(id, name);
    return id;
  }

  begin(name: string): Promise<void> {
    return this.program.begin(name);
  }

  /** Names of the contenders that hold, as the library says. @throws Error if one has failed */
  async holders(): Promise<string[]> {
    const states = Object.entries(await this.program.states());
    const failed = states.find(([, { failure }]) => failure !== null);
    if (failed !== undefined) throw new Error(`${failed[0]} failed: ${String(failed[1].failure)}`);
    return states.filter(([, { holds }]) => holds).map(([name]) => name);
  }

  /** Ends it suddenly; another one is started. */
  async kill(): Promise<void> {
    this.sessions.clear();
    await this.program.kill();
    this.program = this.launch();
  }

  /** Ends all sessions in order. */
  async endSessions(): Promise<void> {
    const names = [...this.sessions.values()];
    this.sessions.clear();
    for (const name of names) await this.program.end(name);
  }

  stop(): Promise<void> {
    return this.program.stop();
  }

  private launch(): Contenders<string> {
    const start = this.library === 'curator' ? startCuratorContenders : startKazooContenders;
    return start(this.connectString);
  }
}
