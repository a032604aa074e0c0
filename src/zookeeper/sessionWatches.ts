import type { ReadOptions, WatchEvent } from './client.ts';
import * as requests from './requests.ts';
import type { Abilities } from './requests.ts';
import { isZooKeeperError } from './errors.ts';
import type { Session } from './session.ts';
import type { TreeWatchPort } from './treeWatches.ts';
import type { OneShotKind } from './watchRegistry.ts';
import type { JuteReader } from './wire/jute.ts';

type WatchListener = (event: WatchEvent) => void;

/** Sets one-shot watches with reads, and watches of trees, so that neither kind removes the other. Paths are the client's. */
export class SessionWatches implements TreeWatchPort {
  private readonly session: Session;
  private readonly abilities: Abilities;
  /** Recursive watches that the server has not confirmed yet, by the client's path. */
  private readonly adding = new Map<string, Promise<unknown>>();

  constructor(session: Session, abilities: Abilities) {
    this.session = session;
    this.abilities = abilities;
  }

  /** Reads a node, and with it sets a one-shot watch if there is a listener. A failed read sets none. */
  async read(
    op: 'exists' | 'getData' | 'getChildren2',
    path: string,
    { watch, signal }: ReadOptions = {},
  ): Promise<JuteReader> {
    if (watch === undefined) return this.session.send(requests.readRequest(op, path, false));
    const kind = op === 'getChildren2' ? 'child' : 'data';
    const { watches } = this.session;
    const serverPath = this.session.toServer(path);
    if (kind === 'data') await this.adding.get(path)?.catch(() => undefined);
    // Before 3.9 a session has one data watch per path, and a one-shot watch would take the place of the recursive one
    // (ZOOKEEPER-4466). The recursive one has the same events.
    const isCovered = kind === 'data' && watches.recursive.has(serverPath);
    watches.readStarted(serverPath);
    try {
      const reply = await this.session.send(requests.readRequest(op, path, !isCovered));
      this.remember(kind, path, watch, signal);
      return reply;
    } catch (error) {
      if (op === 'exists' && isZooKeeperError(error, 'NO_NODE')) this.remember('exist', path, watch, signal);
      throw error;
    } finally {
      watches.readEnded(serverPath);
    }
  }

  private remember(kind: OneShotKind, path: string, watch: WatchListener, signal: AbortSignal | undefined): void {
    if (signal?.aborted === true) return;
    this.session.addOneShot(kind, path, watch);
    const forget = (): void => this.session.watches.removeOneShot(kind, this.session.toServer(path), watch);
    signal?.addEventListener('abort', forget, { once: true });
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
    const { watches } = this.session;
    // Registered first: if the connection breaks now, the reconnect sets it.
    watches.recursive.add(this.session.toServer(path));
    try {
      await this.session.send(requests.addWatchRequest(path));
      return true;
    } catch (error) {
      // Such a server would refuse it at the reconnect too.
      if (isZooKeeperError(error, 'UNIMPLEMENTED')) watches.recursive.delete(this.session.toServer(path));
      throw error;
    }
  }

  async removeWatch(path: string): Promise<void> {
    const { watches, logger } = this.session;
    watches.recursive.delete(this.session.toServer(path));
    // The server would remove our one-shot watches on this path too; so the recursive one stays there, ignored.
    if (watches.hasOneShot(this.session.toServer(path))) return;
    try {
      await this.session.send(requests.removeWatchesRequest(path));
    } catch (error) {
      logger.debug(`Removing the watch on ${path} failed: ${String(error)}`);
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
