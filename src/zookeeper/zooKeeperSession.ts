import type { Disposable } from '../base/disposable.ts';
import type * as api from './client.ts';
import * as requests from './requests.ts';
import { Abilities, type WireRequest } from './requests.ts';
import { isZooKeeperError, OutcomeUnknownError } from './errors.ts';
import { readMany } from './readMany.ts';
import type { Session } from './session.ts';
import { SessionWatches } from './sessionWatches.ts';
import { TreeWatches } from './treeWatches.ts';
import { toClientPath } from './connectString.ts';
import { readAcl, readIdentities, readStat } from './wire/records.ts';

const nothing = new Uint8Array(0);

/** The operations of a session. What the server lacks is learnt once, from its own answer. */
export class ZooKeeperSession implements api.ZooKeeperClient {
  private readonly session: Session;
  private readonly abilities: Abilities;
  private readonly watches: SessionWatches;
  private readonly trees: TreeWatches;
  private readonly toServer = (path: string): string => this.session.toServer(path);

  constructor(session: Session) {
    this.session = session;
    this.abilities = new Abilities(() => session.renewed());
    this.watches = new SessionWatches(session, this.abilities);
    this.trees = new TreeWatches(this.watches, session.logger);
    session.delivery.onEvent(event => this.trees.dispatch(event));
    session.onReattached(() => this.trees.reread());
  }

  get sessionId(): bigint {
    return this.session.id;
  }

  get sessionTimeoutMs(): number {
    return this.session.timeoutMs;
  }

  get state(): api.SessionState {
    return this.session.state;
  }

  get lastContactAt(): number {
    return this.session.lastContactAt;
  }

  get server(): string | undefined {
    return this.session.server;
  }

  onState(listener: (change: api.SessionStateChange) => void): Disposable {
    return this.session.onState(listener);
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
    try {
      return readStat(await this.watches.read('exists', path, options));
    } catch (error) {
      if (isZooKeeperError(error, 'NO_NODE')) return undefined;
      throw error;
    }
  }

  async getData(path: string, options: api.ReadOptions = {}): Promise<{ data: Uint8Array; stat: api.Stat }> {
    const reply = await this.watches.read('getData', path, options);
    return { data: reply.bytes(), stat: readStat(reply) };
  }

  async getChildren(path: string, options: api.ReadOptions = {}): Promise<{ children: string[]; stat: api.Stat }> {
    const reply = await this.watches.read('getChildren2', path, options);
    return { children: reply.strings(), stat: readStat(reply) };
  }

  async setData(path: string, data: Uint8Array, version: number): Promise<api.Stat> {
    checkVersion(version);
    checkSize(data);
    return readStat(await this.session.send(requests.setDataRequest(this.toServer, path, data, version)));
  }

  async remove(path: string, version: number): Promise<void> {
    checkVersion(version);
    await this.session.send(requests.removeRequest(this.toServer, path, version));
  }

  async getAcl(path: string): Promise<{ acl: api.Acl[]; stat: api.Stat }> {
    const reply = await this.session.send(requests.getAclRequest(this.toServer, path));
    return { acl: readAcl(reply), stat: readStat(reply) };
  }

  whoAmI(): Promise<api.Identity[] | undefined> {
    return this.abilities.orElse<api.Identity[] | undefined>(
      'whoAmI',
      async () => readIdentities(await this.session.send(requests.whoAmIRequest())),
      () => Promise.resolve(undefined),
    );
  }

  async sync(path: string): Promise<void> {
    await this.session.send(requests.syncRequest(this.toServer, path));
  }

  readMany(reads: readonly api.ReadRequest[], options?: api.ReadManyOptions): Promise<api.ReadResult[]> {
    const port = {
      send: (request: WireRequest) => this.session.send(request),
      toServer: this.toServer,
      abilities: this.abilities,
    };
    return readMany(port, reads, options);
  }

  watchTree(path: string, listener: (event: api.TreeEvent) => void): Promise<Disposable> {
    return this.trees.add(path, listener);
  }

  async close(): Promise<void> {
    await this.session.close();
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
    const reply = await this.session.send(requests.createRequest(this.toServer, path, options));
    return { path: toClientPath(this.session.chroot, reply.string()) ?? path, stat: readStat(reply) };
  }

  /** Before 3.5 the answer has no stat: a second request reads it. */
  private async createWithoutStat(path: string, options: api.CreateOptions): Promise<{ path: string; stat: api.Stat }> {
    const reply = await this.session.send(requests.oldCreateRequest(this.toServer, path, options));
    const created = toClientPath(this.session.chroot, reply.string()) ?? path;
    try {
      return { path: created, stat: readStat(await this.watches.read('exists', created)) };
    } catch (error) {
      throw new OutcomeUnknownError('create', created, `it was created, but then: ${String(error)}`);
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
