import { Emitter } from '../base/event.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import type { WatchEvent } from './client.ts';
import { toClientPath } from './paths.ts';
import type { OneShotListener, WatchRegistry } from './watchRegistry.ts';
import type { ServerEvent } from './wire/records.ts';

/** Brings the server's events to those who wait for them, with the client's paths. */
export class WatchDelivery {
  private readonly chroot: string;
  private readonly watches: WatchRegistry;
  private readonly logger: Logger;
  private readonly events: Emitter<ServerEvent>;
  private undelivered: ServerEvent[] = [];

  constructor(chroot: string, watches: WatchRegistry, logger: Logger) {
    this.chroot = chroot;
    this.watches = watches;
    this.logger = logger;
    this.events = new Emitter(logger);
  }

  /** Every event of a watch. */
  onEvent(listener: (event: ServerEvent) => void): Disposable {
    return this.events.event(listener);
  }

  /**
   * Events wait until the replies that came before them have reached their readers (promise continuations run first):
   * a listing that still names a node must not be taken in after the event that the node is gone.
   */
  enqueue(event: ServerEvent): void {
    this.undelivered.push(event);
    if (this.undelivered.length > 1) return;
    setImmediate(() => {
      const events = this.undelivered;
      this.undelivered = [];
      for (const each of events) this.deliver(each);
    });
  }

  /** The session is over: no one-shot watch will fire any more. */
  tellLost(): void {
    for (const { path, listener } of this.watches.takeAll()) {
      this.call(listener, { type: 'lost', path: toClientPath(this.chroot, path) ?? path });
    }
  }

  private deliver(event: ServerEvent): void {
    const path = toClientPath(this.chroot, event.path);
    if (path === undefined) return;
    for (const listener of this.watches.take(event)) this.call(listener, { type: event.type, path });
    this.events.fire({ type: event.type, path });
  }

  private call(listener: OneShotListener, event: WatchEvent): void {
    try {
      listener(event);
    } catch (error) {
      this.logger.error(`A watch listener failed: ${error instanceof Error ? (error.stack ?? '') : String(error)}`);
    }
  }
}
