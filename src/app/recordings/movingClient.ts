import { DisposableStore, toDisposable, type Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { callListener } from '../../base/event.ts';
import type {
  Acl,
  CreateOptions,
  Identity,
  ReadManyOptions,
  ReadOptions,
  ReadRequest,
  ReadResult,
  SessionState,
  SessionStateChange,
  Stat,
  TreeEvent,
  ZooKeeperClient,
} from '../../zookeeper/client.ts';
import type { RecordedTime } from '../clusters/recordedTime.ts';

/**
 * A session with the past: reads what was there at the moment of a recording. When the moment moves, every tree watch reports that
 * all must be read again, as after a reconnect, so that what reads locks follows unchanged. Writes are refused by the recording.
 */
export class MovingClient implements ZooKeeperClient {
  readonly sessionId = 0n;
  readonly sessionTimeoutMs = 0;
  readonly server = undefined;
  private readonly time: Pick<RecordedTime, 'recording' | 'moment' | 'onMove'>;
  private readonly logger: Logger;
  private readonly owned = new DisposableStore();
  private readonly watches = new Set<{ path: string; listener: (event: TreeEvent) => void }>();
  private readonly stateListeners = new Set<(change: SessionStateChange) => void>();
  private current: ZooKeeperClient;
  private zxid: bigint;
  private standing: SessionState = 'connected';

  constructor(time: Pick<RecordedTime, 'recording' | 'moment' | 'onMove'>, logger: Logger) {
    this.time = time;
    this.logger = logger;
    this.zxid = time.moment.zxid;
    this.current = time.recording.at({ zxid: this.zxid });
    this.owned.add(time.onMove(() => this.move()));
  }

  get state(): SessionState {
    return this.standing;
  }

  /** The moment that is read. */
  get lastContactAt(): number {
    return this.time.moment.time;
  }

  onState(listener: (change: SessionStateChange) => void): Disposable {
    const entry = (change: SessionStateChange): void => listener(change);
    this.stateListeners.add(entry);
    return toDisposable(() => this.stateListeners.delete(entry));
  }

  confirmByQuorum(): Disposable {
    return toDisposable(() => undefined);
  }

  create(path: string, options?: CreateOptions): Promise<{ path: string; stat: Stat }> {
    return this.current.create(path, options);
  }

  setData(path: string, data: Uint8Array, version: number): Promise<Stat> {
    return this.current.setData(path, data, version);
  }

  remove(path: string, version: number): Promise<void> {
    return this.current.remove(path, version);
  }

  exists(path: string, options?: ReadOptions): Promise<Stat | undefined> {
    return this.current.exists(path, options);
  }

  getData(path: string, options?: ReadOptions): Promise<{ data: Uint8Array; stat: Stat }> {
    return this.current.getData(path, options);
  }

  getChildren(path: string, options?: ReadOptions): Promise<{ children: string[]; stat: Stat }> {
    return this.current.getChildren(path, options);
  }

  getAcl(path: string): Promise<{ acl: Acl[]; stat: Stat }> {
    return this.current.getAcl(path);
  }

  whoAmI(): Promise<Identity[] | undefined> {
    return Promise.resolve([]);
  }

  sync(): Promise<void> {
    return Promise.resolve();
  }

  readMany(reads: readonly ReadRequest[], options?: ReadManyOptions): Promise<ReadResult[]> {
    return this.current.readMany(reads, options);
  }

  watchTree(path: string, listener: (event: TreeEvent) => void): Promise<Disposable> {
    const watch = { path, listener };
    this.watches.add(watch);
    return Promise.resolve(toDisposable(() => this.watches.delete(watch)));
  }

  close(): Promise<void> {
    this.owned.dispose();
    this.watches.clear();
    if (this.standing !== 'closed') {
      this.standing = 'closed';
      const change: SessionStateChange = { state: 'closed', reason: 'closed', lastContactAt: this.lastContactAt };
      for (const listener of [...this.stateListeners]) callListener(listener, change, this.logger);
    }
    return Promise.resolve();
  }

  private move(): void {
    const { zxid } = this.time.moment;
    if (zxid === this.zxid) return;
    this.zxid = zxid;
    this.current = this.time.recording.at({ zxid });
    // As during a reconnect: what is being read now mixes two moments, and must not be reported.
    this.standing = 'uncertain';
    for (const watch of [...this.watches]) {
      if (this.watches.has(watch)) callListener(watch.listener, { type: 'reread', path: watch.path }, this.logger);
    }
    this.standing = 'connected';
  }
}
