import { fileURLToPath } from 'node:url';
import { JsonLines } from './jsonLines.ts';
import { python } from './python.ts';

/** A node as an independent client sees it. Ids as in `Stat` of the client under test, times in epoch milliseconds. */
export interface ObservedNode {
  path: string;
  name: string;
  data: Buffer;
  czxid: bigint;
  mzxid: bigint;
  pzxid: bigint;
  ctime: number;
  mtime: number;
  version: number;
  cversion: number;
  aversion: number;
  ephemeralOwner: bigint;
  dataLength: number;
  numChildren: number;
}

interface WireNode {
  path: string;
  name: string;
  data: string;
  czxid: string;
  mzxid: string;
  pzxid: string;
  ctime: number;
  mtime: number;
  version: number;
  cversion: number;
  aversion: number;
  ephemeralOwner: string;
  dataLength: number;
  numChildren: number;
}

export interface NodePlan {
  path: string;
  data?: string | Uint8Array;
  ephemeral?: boolean;
  /** The server appends ten digits to the path. */
  sequence?: boolean;
}

export interface ObserverAcl {
  scheme: string;
  id: string;
  /** `cdrwa` letters. */
  permissions: string;
}

function toBase64(data: string | Uint8Array = ''): string {
  return Buffer.from(data).toString('base64');
}

function fromWire(node: WireNode, hidden: string): ObservedNode {
  return {
    ...node,
    path: node.path.slice(hidden.length),
    data: Buffer.from(node.data, 'base64'),
    czxid: BigInt(node.czxid),
    mzxid: BigInt(node.mzxid),
    pzxid: BigInt(node.pzxid),
    ephemeralOwner: BigInt(node.ephemeralOwner),
  };
}

/**
 * An independent client (kazoo, in a program of its own) that arranges and checks what tests need, so that the client
 * under test never judges itself. Paths are below `root`.
 */
export class Observer {
  private readonly program: JsonLines;
  private readonly session: string;
  /** Prepended to every path; empty for `/`. */
  readonly root: string;
  /** Of the session that owns the ephemeral nodes made through this object. */
  readonly sessionId: bigint;

  constructor(program: JsonLines, session: string, sessionId: bigint, root: string) {
    this.program = program;
    this.session = session;
    this.sessionId = sessionId;
    this.root = root;
  }

  /** The same session, seeing only what is below `path`. */
  within(path: string): Observer {
    return new Observer(this.program, this.session, this.sessionId, this.root + path);
  }

  /**
   * Opens one more session, to own other ephemeral nodes.
   *
   * @param timeoutMs session time-out, default 30 s
   */
  async openSession(timeoutMs = 30_000): Promise<Observer> {
    const session = crypto.randomUUID();
    const id = (await this.program.request('open', { session, timeout: timeoutMs / 1000 })) as string;
    return new Observer(this.program, session, BigInt(id), this.root);
  }

  /** Ends this session in order: its ephemeral nodes go at once. */
  async closeSession(): Promise<void> {
    await this.ask('close', {});
  }

  /** Children with stat and data, in the order in which they were created. */
  async ls(path: string): Promise<ObservedNode[]> {
    const nodes = (await this.ask('ls', { path: this.absolute(path) })) as WireNode[];
    return nodes.map(node => fromWire(node, this.root));
  }

  /** @returns `undefined` if there is no such node */
  async get(path: string): Promise<ObservedNode | undefined> {
    const node = (await this.ask('get', { path: this.absolute(path) })) as WireNode | null;
    return node === null ? undefined : fromWire(node, this.root);
  }

  /** Creates missing parents too. @returns the path, with the number that the server appended */
  async create(path: string, plan: Omit<NodePlan, 'path'> & { acl?: readonly ObserverAcl[] } = {}): Promise<string> {
    const { data, ...rest } = plan;
    const made = await this.ask('create', { path: this.absolute(path), data: toBase64(data), ...rest });
    return (made as string).slice(this.root.length);
  }

  /** Creates many nodes quickly, in the order given; parents must exist. @returns their paths */
  async createMany(plans: readonly NodePlan[]): Promise<string[]> {
    const nodes = plans.map(({ path, data, ...rest }) => ({
      path: this.absolute(path),
      data: toBase64(data),
      ...rest,
    }));
    const made = (await this.ask('create_many', { nodes })) as string[];
    return made.map(path => path.slice(this.root.length));
  }

  async set(path: string, data: string | Uint8Array): Promise<void> {
    await this.ask('set', { path: this.absolute(path), data: toBase64(data) });
  }

  /** @returns false if it was gone already */
  async delete(path: string, options: { recursive?: boolean } = {}): Promise<boolean> {
    return (await this.ask('delete', { path: this.absolute(path), ...options })) as boolean;
  }

  /** Creates a persistent node and its parents where they are missing. */
  async ensure(path: string): Promise<void> {
    await this.ask('ensure', { path: this.absolute(path) });
  }

  async setAcl(path: string, acl: readonly ObserverAcl[]): Promise<void> {
    await this.ask('set_acl', { path: this.absolute(path), acl });
  }

  async addAuth(scheme: string, credential: string): Promise<void> {
    await this.ask('add_auth', { scheme, credential });
  }

  /** Waits until the observed server has caught up with the leader. */
  async sync(path = '/'): Promise<void> {
    await this.ask('sync', { path: this.absolute(path) });
  }

  /** Ends the program and all its sessions. */
  async stop(): Promise<void> {
    await this.program.close();
  }

  /** Ends the program at once; what was asked of it fails. */
  async kill(): Promise<void> {
    await this.program.kill();
  }

  /** Freezes all its sessions: they expire unless `resume` comes in time. */
  pause(): void {
    this.program.pause();
  }

  resume(): void {
    this.program.resume();
  }

  private ask(command: string, args: Record<string, unknown>): Promise<unknown> {
    return this.program.request(command, { session: this.session, ...args });
  }

  private absolute(path: string): string {
    if (this.root === '') return path;
    return path === '/' ? this.root : this.root + path;
  }
}

/** Starts an observer of the whole tree. */
export async function startObserver(connectString: string): Promise<Observer> {
  const script = fileURLToPath(new URL('kazoo/observer.py', import.meta.url));
  const program = new JsonLines('observer', python(), [script, connectString]);
  const sessionId = (await program.request('open', { session: 'test' })) as string;
  return new Observer(program, 'test', BigInt(sessionId), '');
}
