import type { Arrival, Handshake } from './wireClient.ts';
import { WireClient } from './wireClient.ts';
import { Janitor } from './janitor.ts';
import { Normaliser } from './normalise.ts';
import type { Program, Step } from './program.ts';
import type { Request } from './requests.ts';

/** What came of one step: lines of each session, events and replies in the order in which its connection brought them. */
export interface Outcome {
  /** Names of the sessions, `tree` for what is left at the end. */
  lines: Map<string, string[]>;
  /** `request:error`, `event:type`, `session:change`, for the statistics. */
  exercised: string[];
}

/** Shortest time-out that a server with ticks of 100 ms grants. */
const shortTimeoutMs = 200;
/** UNIMPLEMENTED and AUTHFAILED. */
const endingErrors: ReadonlySet<number> = new Set([-6, -115]);
const noSession = { sessionId: 0n, password: Buffer.alloc(16) };

/** One session of a program, over however many connections and lives. */
class PlayedSession {
  readonly name: string;
  private readonly play: ProgramPlay;
  private readonly timeoutMs: number;
  private identity: { sessionId: bigint; password: Buffer } = noSession;
  private client: WireClient | undefined;
  private replaced: WireClient | undefined;
  private lives = 0;
  private lastZxid = 0n;

  constructor(play: ProgramPlay, name: string, timeoutMs: number) {
    this.play = play;
    this.name = name;
    this.timeoutMs = timeoutMs;
  }

  get exists(): boolean {
    return this.identity.sessionId !== 0n;
  }

  /** Opens a connection, with id and password of the session if there is one. */
  async connect(how: Extract<Step, { kind: 'move' }>['how'] = 'right', timeoutMs = this.timeoutMs): Promise<void> {
    this.replaced = this.client;
    const { sessionId, password } = this.identity;
    const client = await WireClient.open(this.play.port, {
      sessionId,
      password: how === 'wrong password' ? Buffer.alloc(16, 1) : password,
      lastZxidSeen: how === 'zxid ahead' ? this.lastZxid + 1_000_000n : this.lastZxid,
      timeoutMs,
      withoutReadOnly: how === 'without read-only',
    });
    // What is ahead was only said.
    client.lastZxid = this.lastZxid;
    const [answer] = client.arrived;
    if (answer?.kind === 'handshake') this.learn(answer, how);
    this.client = client;
  }

  private learn({ sessionId, password }: Handshake, how: string): void {
    this.play.exercised.push(`session:${this.change(sessionId)}`);
    if (sessionId !== 0n && sessionId !== this.identity.sessionId) {
      this.play.normaliser.nameSession(sessionId, `${this.name} ${++this.lives}`);
    }
    // A refused password says nothing about the session.
    if (how !== 'wrong password' || !this.exists) this.identity = { sessionId, password };
  }

  private change(sessionId: bigint): string {
    if (sessionId === 0n) return 'refused';
    if (sessionId !== this.identity.sessionId) return 'opened';
    return this.replaced?.open === true ? 'moved' : 'reopened';
  }

  async request(requests: readonly Request[]): Promise<void> {
    const client = await this.connected();
    await client?.request(requests, { folder: this.play.folder });
    const last = client?.arrived.at(-1);
    // After these answers the real server ends the connection, in a thread of its own: a ping would race with that.
    if (last?.kind === 'reply' && (last.op === 'closeSession' || endingErrors.has(last.err))) await client?.ended();
    if (requests.at(-1)?.op === 'closeSession') this.identity = noSession;
  }

  /** @returns a connection; the second attempt opens a new session where the first one learned that the old one is gone */
  private async connected(): Promise<WireClient | undefined> {
    if (this.client?.open !== true) await this.connect();
    if (this.client?.open !== true) await this.connect();
    return this.client;
  }

  disconnect(): void {
    this.collectZxid();
    this.client?.drop();
    this.client = undefined;
  }

  async expire(): Promise<void> {
    await this.connect('right', shortTimeoutMs);
    await this.client?.ended();
    if (this.exists) this.play.exercised.push('session:expired');
    this.identity = noSession;
  }

  /** Whatever was on its way to this session is here when this is done. */
  async settle(): Promise<void> {
    const open = [this.replaced, this.client].filter(client => client !== undefined).filter(client => client.open);
    await Promise.all(open.map(client => client.request([{ op: 'ping' }], { folder: this.play.folder })));
  }

  /** @returns what came since the last call */
  take(): Arrival[] {
    this.collectZxid();
    const arrivals = [...(this.replaced?.take() ?? []), ...(this.client?.take() ?? [])];
    this.replaced?.drop();
    this.replaced = undefined;
    if (this.client?.open === false) this.client = undefined;
    return arrivals;
  }

  private collectZxid(): void {
    if (this.client !== undefined && this.client.lastZxid > this.lastZxid) this.lastZxid = this.client.lastZxid;
  }
}

/** One program on one server. */
class ProgramPlay {
  readonly port: number;
  readonly folder: string;
  readonly normaliser: Normaliser;
  /** What happened to sessions since the last outcome. */
  readonly exercised: string[] = [];
  private readonly sessions: PlayedSession[];

  constructor(port: number, folder: string, firstZxid: bigint, { timeouts }: Program) {
    this.port = port;
    this.folder = folder;
    this.normaliser = new Normaliser(firstZxid);
    this.sessions = timeouts.map((timeoutMs, index) => new PlayedSession(this, `s${index}`, timeoutMs));
  }

  async step(step: Step): Promise<Outcome> {
    const acting = this.sessions[step.session]!;
    await this.perform(acting, step);
    // Events that a request causes come before its reply, so its own session has them.
    return this.outcome(
      step.kind === 'requests' ? acting : undefined,
      step.kind === 'expire' || (step.kind === 'requests' && closes(step.requests)),
    );
  }

  private async perform(session: PlayedSession, step: Step): Promise<void> {
    switch (step.kind) {
      case 'requests':
        return session.request(step.requests);
      case 'move':
        return session.connect(step.how);
      case 'disconnect':
        session.disconnect();
        return;
      case 'expire':
        return session.expire();
    }
  }

  /** Ends every session that lives. */
  async end(): Promise<Outcome> {
    for (const session of this.sessions) if (session.exists) await session.request([{ op: 'closeSession' }]);
    return this.outcome(undefined, true);
  }

  dropAll(): void {
    for (const session of this.sessions) session.disconnect();
  }

  private async outcome(settled: PlayedSession | undefined, sessionEnded: boolean): Promise<Outcome> {
    const others = this.sessions.filter(session => session !== settled);
    await Promise.all(others.map(session => session.settle()));
    const outcome: Outcome = { lines: new Map(), exercised: this.exercised.splice(0) };
    for (const session of this.sessions) {
      const arrivals = session.take();
      this.rejectSilence(arrivals);
      outcome.lines.set(session.name, this.normaliser.lines(arrivals, sessionEnded));
      outcome.exercised.push(...arrivals.flatMap(exercisedBy));
    }
    return outcome;
  }

  /** Two servers that both fall silent would be equal, and one that is slow would differ. */
  private rejectSilence(arrivals: readonly Arrival[]): void {
    const silent = arrivals.find(({ kind }) => kind === 'silent');
    if (silent !== undefined) throw new Error(`The server at port ${this.port}: ${JSON.stringify(silent)}.`);
  }
}

function closes(requests: readonly Request[]): boolean {
  return requests.at(-1)?.op === 'closeSession';
}

function exercisedBy(arrival: Arrival): string[] {
  if (arrival.kind === 'event') return [`event:${arrival.type}`];
  if (arrival.kind !== 'reply') return [arrival.kind];
  const parts = arrival.body.parts?.map(({ type, body }) => `${arrival.op}, part ${type}:${body.number ?? 0}`) ?? [];
  return [`${arrival.op}:${arrival.err}`, ...parts];
}

/** A server on which programs are played, one after another. */
export class ComparedServer {
  private readonly port: number;
  private readonly janitor: Janitor;

  private constructor(port: number, janitor: Janitor) {
    this.port = port;
    this.janitor = janitor;
  }

  static async open(port: number): Promise<ComparedServer> {
    return new ComparedServer(port, await Janitor.open(port));
  }

  /**
   * Plays a program in a folder of its own and removes the folder.
   *
   * @param folder its path; the same on every server, since paths are compared as they are
   * @returns the outcome of each step, of the end of the sessions, and of reading what is left
   */
  async play(program: Program, folder: string): Promise<Outcome[]> {
    const play = new ProgramPlay(this.port, folder, await this.janitor.makeFolder(folder), program);
    try {
      const outcomes: Outcome[] = [];
      for (const step of program.steps) outcomes.push(await play.step(step));
      outcomes.push(await play.end());
      const arrivals = await this.janitor.readTree(folder);
      outcomes.push({ lines: new Map([['tree', play.normaliser.lines(arrivals, false)]]), exercised: [] });
      return outcomes;
    } finally {
      play.dropAll();
      await this.janitor.removeTree(folder);
    }
  }

  close(): Promise<void> {
    return this.janitor.close();
  }
}
