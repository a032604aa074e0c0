import type * as api from './client.ts';
import * as requests from './requests.ts';
import { Abilities } from './requests.ts';
import { isZooKeeperError, OutcomeUnknownError, unlessAnswered } from './errors.ts';
import { JoinedReads } from './joinedReads.ts';
import { readMany } from './readMany.ts';
import { Session } from './session.ts';
import { TreeWatches, type TreeWatchPort } from './treeWatches.ts';
import type { JuteReader } from './wire/jute.ts';
import { toClientPath } from './connectString.ts';
import { readAcl, readIdentities, readStat, type ServerEvent } from './wire/records.ts';

const nothing = new Uint8Array(0);

/**
 * A session with its operations. What the server lacks is learnt once, from its own answer. One-shot watches, set with reads, and
 * watches of trees do not remove each other. Paths are the client's.
 */
export class ZooKeeperSession extends Session implements api.ZooKeeperClient, TreeWatchPort {
  readonly abilities = new Abilities(() => this.renewed());
  private readonly trees = new TreeWatches(this, this.logger);
  private readonly joined = new JoinedReads((...request) => readMany(this, ...request));
  /** Recursive watches that the server has not confirmed yet, by the client's path. */
  private readonly adding = new Map<string, Promise<unknown>>();

  protected override reattached(): void {
    this.trees.reread();
  }

  protected override treeChanged(event: ServerEvent): void {
    this.trees.dispatch(event);
  }

  async create(path: string, options: api.CreateOptions = {}): Promise<{ path: string; stat: api.Stat }> {
    checkSize(options.data ?? nothing);
    if (options.mode !== 'container') return this.createPlain(path, options);
    // Containers came with 3.5.1; a persistent parent remains when it is empty, which does no harm.
    return this.abilities.orElse(
      'createContainer',
      () => this.sendCreate(path, options),
      () => this.createPlain(path, { ...options, mode: 'persistent' }),
    );
  }

  async exists(path: string, options: api.ReadOptions = {}): Promise<api.Stat | undefined> {
    const reply = await unlessAnswered(this.read('exists', path, options), 'NO_NODE');
    return reply && readStat(reply);
  }

  async getData(path: string, options: api.ReadOptions = {}): Promise<{ data: Uint8Array; stat: api.Stat }> {
    const reply = await this.read('getData', path, options);
    return { data: reply.bytes(), stat: readStat(reply) };
  }

  async getChildren(path: string, options: api.ReadOptions = {}): Promise<{ children: string[]; stat: api.Stat }> {
    const reply = await this.read('getChildren2', path, options);
    return { children: reply.strings(), stat: readStat(reply) };
  }

  async setData(path: string, data: Uint8Array, version: number): Promise<api.Stat> {
    checkVersion(version);
    checkSize(data);
    return readStat(await this.send(requests.setDataRequest(path, data, version)));
  }

  async remove(path: string, version: number): Promise<void> {
    checkVersion(version);
    await this.send(requests.removeRequest(path, version));
  }

  async getAcl(path: string): Promise<{ acl: api.Acl[]; stat: api.Stat }> {
    const reply = await this.send(requests.getAclRequest(path));
    return { acl: readAcl(reply), stat: readStat(reply) };
  }

  whoAmI(): Promise<api.Identity[] | undefined> {
    return this.abilities.orElse<api.Identity[] | undefined>(
      'whoAmI',
      async () => readIdentities(await this.send(requests.whoAmIRequest())),
      () => Promise.resolve(undefined),
    );
  }

  async sync(path: string): Promise<void> {
    await this.send(requests.syncRequest(path));
  }

  readMany(reads: readonly api.ReadRequest[], options?: api.ReadManyOptions): Promise<api.ReadResult[]> {
    return this.joined.read(reads, options);
  }

  async watchTree(
    path: string,
    listener: (event: api.TreeEvent) => void,
    { mayLag = false }: api.TreeWatchOptions = {},
  ): Promise<api.TreeWatch> {
    const watch = await this.trees.add(path, listener);
    if (!mayLag) return watch;
    const lag = this.allowLag();
    const dispose = (): void => {
      lag.dispose();
      watch.dispose();
    };
    return { ...watch, dispose };
  }

  override async close(): Promise<void> {
    await super.close();
    this.trees.clear();
  }

  private createPlain(path: string, options: api.CreateOptions): Promise<{ path: string; stat: api.Stat }> {
    return this.abilities.orElse(
      'create2',
      () => this.sendCreate(path, options),
      () => this.createWithoutStat(path, options),
    );
  }

  private async sendCreate(path: string, options: api.CreateOptions): Promise<{ path: string; stat: api.Stat }> {
    const reply = await this.send(requests.createRequest(path, options));
    return { path: toClientPath(this.chroot, reply.string()) ?? path, stat: readStat(reply) };
  }

  /** Before 3.5 the answer has no stat: a second request reads it. */
  private async createWithoutStat(path: string, options: api.CreateOptions): Promise<{ path: string; stat: api.Stat }> {
    const reply = await this.send(requests.oldCreateRequest(path, options));
    const created = toClientPath(this.chroot, reply.string()) ?? path;
    try {
      return { path: created, stat: readStat(await this.read('exists', created)) };
    } catch (error) {
      throw new OutcomeUnknownError('create', created, `it was created, but then: ${String(error)}`);
    }
  }

  /** Reads a node, and with it sets a one-shot watch if there is a listener. A failed read sets none. */
  private async read(
    op: 'exists' | 'getData' | 'getChildren2',
    path: string,
    { watch, signal }: api.ReadOptions = {},
  ): Promise<JuteReader> {
    if (watch === undefined) return this.send(requests.readRequest(op, path, false));
    const kind = op === 'getChildren2' ? 'child' : 'data';
    const serverPath = this.toServer(path);
    if (kind === 'data') await this.adding.get(path)?.catch(() => undefined);
    // Before 3.9 a session has one data watch per path, and a one-shot watch would take the place of the recursive one
    // (ZOOKEEPER-4466). The recursive one has the same events.
    const isCovered = kind === 'data' && this.watches.recursive.has(serverPath);
    this.watches.readStarted(serverPath);
    try {
      const reply = await this.send(requests.readRequest(op, path, !isCovered));
      this.addOneShot(kind, path, watch, signal);
      return reply;
    } catch (error) {
      if (op === 'exists' && isZooKeeperError(error, 'NO_NODE')) this.addOneShot('exist', path, watch, signal);
      throw error;
    } finally {
      this.watches.readEnded(serverPath);
    }
  }

  addWatch(path: string): Promise<boolean> {
    const adding = this.abilities.aloneOrElse(
      'addWatch',
      () => this.sendAddWatch(path),
      () => Promise.resolve(false),
    );
    this.adding.set(path, adding);
    return adding.finally(() => {
      if (this.adding.get(path) === adding) this.adding.delete(path);
    });
  }

  private async sendAddWatch(path: string): Promise<true> {
    // Registered first: if the connection breaks now, the reconnect sets it.
    this.watches.recursive.add(this.toServer(path));
    try {
      await this.send(requests.addWatchRequest(path));
      return true;
    } catch (error) {
      // Such a server would refuse it at the reconnect too.
      if (isZooKeeperError(error, 'UNIMPLEMENTED')) this.watches.recursive.delete(this.toServer(path));
      throw error;
    }
  }

  async removeWatch(path: string): Promise<void> {
    const serverPath = this.toServer(path);
    this.watches.recursive.delete(serverPath);
    // The server would remove our one-shot watches on this path too; so the recursive one stays there, ignored.
    if (this.watches.hasOneShot(serverPath)) return;
    try {
      await this.send(requests.removeWatchesRequest(path));
    } catch (error) {
      this.logger.debug(`Removing the watch on ${path} failed: ${String(error)}`);
    }
  }

  async watchOnce(path: string, fired: () => void): Promise<void> {
    const given = new AbortController();
    const once = (): void => {
      if (given.signal.aborted) return;
      // An event consumes one of the two; the other would stay beside those that are set next.
      given.abort();
      fired();
    };
    try {
      await this.read('exists', path, { watch: once, signal: given.signal });
      await this.read('getChildren2', path, { watch: once, signal: given.signal });
    } catch (error) {
      // Missing, or deleted in between: the watch of `exists` fires when the node is created, or for the delete.
      if (isZooKeeperError(error, 'NO_NODE')) return;
      // The next attempt sets both again; those of this one would accumulate.
      given.abort();
      throw error;
    }
  }
}

function checkVersion(version: number): void {
  if (!Number.isInteger(version) || version < 0) {
    throw new RangeError(`Writing needs the version that was read before, not ${version}.`);
  }
}

function checkSize(data: Uint8Array): void {
  if (data.length > requests.largestData) {
    throw new RangeError(`Data of ${data.length} bytes is too large: ${requests.largestData} bytes are allowed.`);
  }
}
