import type { Disposable } from '../base/disposable.ts';
import type * as api from './client.ts';
import * as requests from './requests.ts';
import { Abilities } from './requests.ts';
import { isZooKeeperError, OutcomeUnknownError } from './errors.ts';
import { readMany } from './readMany.ts';
import { Session } from './session.ts';
import { SessionWatches } from './sessionWatches.ts';
import { TreeWatches } from './treeWatches.ts';
import { toClientPath } from './connectString.ts';
import { readAcl, readIdentities, readStat, type ServerEvent } from './wire/records.ts';

const nothing = new Uint8Array(0);

/** A session with its operations. What the server lacks is learnt once, from its own answer. */
export class ZooKeeperSession extends Session implements api.ZooKeeperClient {
  readonly abilities = new Abilities(() => this.renewed());
  private readonly reads = new SessionWatches(this, this.abilities);
  private readonly trees = new TreeWatches(this.reads, this.logger);

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
    try {
      return readStat(await this.reads.read('exists', path, options));
    } catch (error) {
      if (isZooKeeperError(error, 'NO_NODE')) return undefined;
      throw error;
    }
  }

  async getData(path: string, options: api.ReadOptions = {}): Promise<{ data: Uint8Array; stat: api.Stat }> {
    const reply = await this.reads.read('getData', path, options);
    return { data: reply.bytes(), stat: readStat(reply) };
  }

  async getChildren(path: string, options: api.ReadOptions = {}): Promise<{ children: string[]; stat: api.Stat }> {
    const reply = await this.reads.read('getChildren2', path, options);
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
    return readMany(this, reads, options);
  }

  watchTree(path: string, listener: (event: api.TreeEvent) => void): Promise<Disposable> {
    return this.trees.add(path, listener);
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
      return { path: created, stat: readStat(await this.reads.read('exists', created)) };
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
