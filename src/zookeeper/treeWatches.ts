import { backOffMs } from '../base/backOff.ts';
import { callListener } from '../base/event.ts';
import { toDisposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import { parentPath } from '../base/paths.ts';
import type { TreeEvent, TreeWatch } from './client.ts';
import { SessionLostError } from './errors.ts';
import type { ServerEvent } from './wire/records.ts';

export type TreeListener = (event: TreeEvent) => void;

/** What tree watches need of a session; paths are the client's. */
export interface TreeWatchPort {
  /** @returns false if the server is older than 3.6 and has no such watches */
  addWatch(path: string): Promise<boolean>;
  /** Never rejects: a watch that stays on the server costs little and is ignored. */
  removeWatch(path: string): Promise<void>;
  /** Sets one-shot watches on a node and on its children list; calls back once when either fires. */
  watchOnce(path: string, fired: () => void): Promise<void>;
}

interface Root {
  listeners: Set<TreeListener>;
  /** Before 3.6: one-shot watches, set again after each event. */
  isOneShot: boolean;
  /** Identifies the one-shot watches that were set last; earlier ones are ignored. */
  armed: object | undefined;
  /** Set while they could not be set again. */
  retry: NodeJS.Timeout | undefined;
}

/** Persistent recursive watches, one per path for any number of listeners, with one-shot watches instead before 3.6. */
export class TreeWatches {
  private readonly port: TreeWatchPort;
  private readonly logger: Logger;
  private readonly roots = new Map<string, Root>();

  constructor(port: TreeWatchPort, logger: Logger) {
    this.port = port;
    this.logger = logger;
  }

  async add(path: string, listener: TreeListener): Promise<TreeWatch> {
    // Wrapped, so that the same function may listen twice.
    const entry: TreeListener = event => listener(event);
    const root: Root = this.roots.get(path) ?? {
      listeners: new Set(),
      isOneShot: false,
      armed: undefined,
      retry: undefined,
    };
    root.listeners.add(entry);
    this.roots.set(path, root);
    const subscription = toDisposable(() => this.remove(path, root, entry));
    try {
      if (await this.port.addWatch(path)) return subscription;
      const isFirst = !root.isOneShot;
      root.isOneShot = true;
      if (isFirst) await this.arm(path, root);
    } catch (error) {
      subscription.dispose();
      throw error;
    }
    return { ...subscription, isOneShot: true };
  }

  private remove(path: string, root: Root, entry: TreeListener): void {
    root.listeners.delete(entry);
    if (root.listeners.size > 0 || this.roots.get(path) !== root) return;
    this.roots.delete(path);
    clearTimeout(root.retry);
    if (!root.isOneShot) void this.port.removeWatch(path);
  }

  private async arm(path: string, root: Root): Promise<void> {
    const armed = {};
    root.armed = armed;
    try {
      await this.port.watchOnce(path, () => {
        // Set before the listeners read again: a change during their reading fires again.
        if (root.armed === armed) void this.rearm(path, root);
      });
    } catch (error) {
      if (root.armed === armed) root.armed = undefined;
      throw error;
    }
  }

  /** Sets the watches again, then reports `reread`. The first failure is reported too: the listeners' own reads show why. */
  private async rearm(path: string, root: Root, failures = 0): Promise<void> {
    clearTimeout(root.retry);
    if (this.roots.get(path) !== root) return;
    try {
      await this.arm(path, root);
    } catch (error) {
      this.logger.debug(`Watching ${path} again failed: ${String(error)}`);
      if (!(error instanceof SessionLostError)) this.retryLater(path, root, failures + 1);
      if (failures > 0) return;
    }
    this.report(root, { type: 'reread', path });
  }

  private retryLater(path: string, root: Root, failures: number): void {
    if (this.roots.get(path) !== root || root.armed !== undefined) return;
    root.retry = setTimeout(() => void this.rearm(path, root, failures), backOffMs(failures));
  }

  /** Calls all listeners whose tree contains the path of `event`, nearest first; costs the depth of the path, not the watches. */
  dispatch(event: ServerEvent): void {
    const { type, path, zxid } = event;
    if (type === 'childrenChanged') return;
    const changed: TreeEvent = zxid === undefined ? { type, path } : { type, path, zxid };
    for (let at = path; ; at = parentPath(at)) {
      const root = this.roots.get(at);
      if (root !== undefined && !root.isOneShot) this.report(root, changed);
      if (at === '/') return;
    }
  }

  /**
   * After a reconnect: events may have been missed. One-shot watches that could not be set are set again, and report `reread`
   * once more then.
   */
  reread(): void {
    for (const [path, root] of this.roots) {
      this.report(root, { type: 'reread', path });
      if (root.isOneShot && root.armed === undefined) void this.rearm(path, root);
    }
  }

  /** The session is over. */
  clear(): void {
    for (const root of this.roots.values()) clearTimeout(root.retry);
    this.roots.clear();
  }

  private report(root: Root, event: TreeEvent): void {
    for (const listener of [...root.listeners]) callListener(listener, event, this.logger);
  }
}
