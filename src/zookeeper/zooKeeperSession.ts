import type { Disposable } from '../base/disposable.ts';
import type * as api from './client.ts';
import { isZooKeeperError } from './errors.ts';
import { readMany, type ReadPort } from './readMany.ts';
import * as requests from './requests.ts';
import type { Session } from './session.ts';
import { TreeWatches } from './treeWatches.ts';
import { toClientPath } from './paths.ts';
import { readAcl, readStat } from './wire/records.ts';

const nothing = new Uint8Array(0);

/** The operations of a session. What each server cannot do is learnt once, from its own answer. */
export class ZooKeeperSession implements api.ZooKeeperClient {
  private readonly session: Session;
  private readonly trees: TreeWatches;
  private readonly readPort: ReadPort;
  private readonly toServer = (path: string): string => this.session.toServer(path);

  constructor(session: Session) {
    this.session = session;
    this.readPort = { send: request => session.send(request), toServer: this.toServer, canMultiRead: true };
    this.trees = new TreeWatches(
      {
        addWatch: path => this.addWatch(path),
        removeWatch: path => this.removeWatch(path),
        watchOnce: (path, fired) => this.watchOnce(path, fired),
      },
      session.logger,
    );
    session.onEvent(event => this.trees.dispatch(event));
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
    const { data = nothing, mode = 'persistent', acl } = options;
    checkSize(data);
    try {
      const reply = await this.session.send(requests.createRequest(this.toServer, path, mode, data, acl));
      return { path: toClientPath(this.session.chroot, reply.string()) ?? path, stat: readStat(reply) };
    } catch (error) {
      // Containers came with 3.5.1; a plain parent only stays behind when it is empty.
      if (mode !== 'container' || !isZooKeeperError(error, 'UNIMPLEMENTED')) throw error;
      return this.create(path, { ...options, mode: 'persistent' });
    }
  }

  async exists(path: string, options: api.ReadOptions = {}): Promise<api.Stat | undefined> {
    const { watch } = options;
    try {
      const reply = await this.session.send(requests.readRequest(this.toServer, 'exists', path, watch !== undefined));
      if (watch !== undefined) this.session.addOneShot('data', path, watch);
      return readStat(reply);
    } catch (error) {
      if (!isZooKeeperError(error, 'NO_NODE')) throw error;
      if (watch !== undefined) this.session.addOneShot('exist', path, watch);
      return undefined;
    }
  }

  async getData(path: string, options: api.ReadOptions = {}): Promise<{ data: Uint8Array; stat: api.Stat }> {
    const { watch } = options;
    const reply = await this.session.send(requests.readRequest(this.toServer, 'getData', path, watch !== undefined));
    if (watch !== undefined) this.session.addOneShot('data', path, watch);
    return { data: reply.bytes(), stat: readStat(reply) };
  }

  async getChildren(path: string, options: api.ReadOptions = {}): Promise<{ children: string[]; stat: api.Stat }> {
    const { watch } = options;
    const request = requests.readRequest(this.toServer, 'getChildren2', path, watch !== undefined);
    const reply = await this.session.send(request);
    if (watch !== undefined) this.session.addOneShot('child', path, watch);
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

  async sync(path: string): Promise<void> {
    await this.session.send(requests.syncRequest(this.toServer, path));
  }

  readMany(reads: readonly api.ReadRequest[], options?: api.ReadManyOptions): Promise<api.ReadResult[]> {
    return readMany(this.readPort, reads, options);
  }

  watchTree(path: string, listener: (event: api.TreeEvent) => void): Promise<Disposable> {
    return this.trees.add(path, listener);
  }

  async close(): Promise<void> {
    await this.session.close();
    this.trees.clear();
  }

  private async addWatch(path: string): Promise<void> {
    // Remembered first: if the connection breaks now, the reconnect sets it.
    this.session.watches.addRecursive(this.toServer(path));
    try {
      await this.session.send(requests.addWatchRequest(this.toServer, path));
    } catch (error) {
      this.session.watches.removeRecursive(this.toServer(path));
      throw error;
    }
  }

  private async removeWatch(path: string): Promise<void> {
    this.session.watches.removeRecursive(this.toServer(path));
    // The server would take our one-shot watches on this path with it; then the recursive one stays, ignored.
    if (this.session.watches.hasOneShot(this.toServer(path))) return;
    try {
      await this.session.send(requests.removeWatchesRequest(this.toServer, path));
    } catch (error) {
      this.session.logger.debug(`Removing the watch on ${path} failed: ${String(error)}`);
    }
  }

  private async watchOnce(path: string, fired: () => void): Promise<void> {
    let hasFired = false;
    const once = (): void => {
      if (hasFired) return;
      hasFired = true;
      fired();
    };
    const stat = await this.exists(path, { watch: once });
    if (stat === undefined) return;
    try {
      await this.getChildren(path, { watch: once });
    } catch (error) {
      // Deleted in between: the first watch tells.
      if (!isZooKeeperError(error, 'NO_NODE')) throw error;
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
