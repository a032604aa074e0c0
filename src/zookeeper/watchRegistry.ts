import type { WatchEvent } from './client.ts';
import { Xid } from './library.ts';
import { JuteWriter } from './wire/jute.ts';
import { Op, type ServerEvent } from './wire/records.ts';

export type OneShotKind = 'data' | 'exist' | 'child';
export type OneShotListener = (event: WatchEvent) => void;

/** Which one-shot watches an event consumes (ClientCnxn's rules). */
const consumed: Readonly<Record<ServerEvent['type'], readonly OneShotKind[]>> = {
  created: ['data', 'exist'],
  dataChanged: ['data', 'exist'],
  deleted: ['data', 'exist', 'child'],
  childrenChanged: ['child'],
};

/** Listeners of one path, each with the function that stops to listen to its signal. */
type OneShotWatches = Map<OneShotListener, () => void>;

/**
 * The watches of a session: finds the listeners of an event, and registers all watches again after a reconnect.
 * Paths are the server's, chroot included.
 */
export class WatchRegistry {
  private readonly oneShot: Readonly<Record<OneShotKind, Map<string, OneShotWatches>>> = {
    data: new Map(),
    exist: new Map(),
    child: new Map(),
  };
  /** Paths of the recursive watches. */
  readonly recursive = new Set<string>();
  /** Pending reads that set a one-shot watch, by path. */
  private readonly reading = new Map<string, number>();

  /** How many one-shot listeners there are. */
  get oneShotCount(): number {
    const paths = Object.values(this.oneShot).flatMap(watches => [...watches.values()]);
    return paths.reduce((count, listeners) => count + listeners.size, 0);
  }

  /**
   * A listener that is there already stays as it is.
   *
   * @param signal forgets the listener; nothing of it stays on the signal once the watch has fired
   */
  addOneShot(kind: OneShotKind, path: string, listener: OneShotListener, signal?: AbortSignal): void {
    const listeners = this.oneShot[kind].get(path) ?? new Map<OneShotListener, () => void>();
    if (signal?.aborted === true || listeners.has(listener)) return;
    const forget = (): void => this.removeOneShot(kind, path, listener);
    signal?.addEventListener('abort', forget);
    this.oneShot[kind].set(
      path,
      listeners.set(listener, () => signal?.removeEventListener('abort', forget)),
    );
  }

  private removeOneShot(kind: OneShotKind, path: string, listener: OneShotListener): void {
    const listeners = this.oneShot[kind].get(path);
    listeners?.get(listener)?.();
    listeners?.delete(listener);
    if (listeners?.size === 0) this.oneShot[kind].delete(path);
  }

  /** Whether the server has a one-shot watch on `path`, or will have one when a pending read is answered. */
  hasOneShot(path: string): boolean {
    return this.reading.has(path) || Object.values(this.oneShot).some(watches => watches.has(path));
  }

  /** A read that sets a one-shot watch is being sent; `readEnded` follows. */
  readStarted(path: string): void {
    this.reading.set(path, (this.reading.get(path) ?? 0) + 1);
  }

  readEnded(path: string): void {
    const left = (this.reading.get(path) ?? 1) - 1;
    if (left === 0) this.reading.delete(path);
    else this.reading.set(path, left);
  }

  /** Removes and returns the listeners that `event` consumes; each is to be called once. */
  take(event: ServerEvent): OneShotListener[] {
    const taken = consumed[event.type].flatMap(kind => this.takePath(kind, event.path));
    return [...new Set(taken)];
  }

  /** Removes and returns all one-shot listeners with their paths: the session is over. */
  takeAll(): { path: string; listener: OneShotListener }[] {
    const kinds: readonly OneShotKind[] = ['data', 'exist', 'child'];
    return kinds.flatMap(kind =>
      [...this.oneShot[kind].keys()].flatMap(path => this.takePath(kind, path).map(listener => ({ path, listener }))),
    );
  }

  private takePath(kind: OneShotKind, path: string): OneShotListener[] {
    const listeners = this.oneShot[kind].get(path);
    if (listeners === undefined) return [];
    this.oneShot[kind].delete(path);
    for (const stop of listeners.values()) stop();
    return [...listeners.keys()];
  }

  /**
   * @param lastZxid the last transaction that the session has seen: the server sends events for what changed since then
   * @param frameLimit largest frame, bytes; only one with a single long path is larger
   * @returns frames that register all watches again; `setWatches` (3.4+) for one-shot ones, `setWatches2` (3.6+) if
   *   there are recursive ones, which only such servers have
   */
  frames(lastZxid: bigint, frameLimit: number): Buffer[] {
    const { data, exist, child } = this.oneShot;
    return [
      ...batches([[...data.keys()], [...exist.keys()], [...child.keys()]], frameLimit).map(lists =>
        frame(Op.setWatches, lastZxid, lists),
      ),
      ...batches([[], [], [], [], [...this.recursive]], frameLimit).map(lists =>
        frame(Op.setWatches2, lastZxid, lists),
      ),
    ];
  }
}

function frame(opcode: number, lastZxid: bigint, lists: readonly string[][]): Buffer {
  const writer = new JuteWriter(4096).int(Xid.setWatches).int(opcode).long(lastZxid);
  for (const list of lists) writer.strings(list);
  return writer.toFrame();
}

/** Splits parallel lists so that each part fits into one frame. */
function batches(lists: readonly string[][], frameLimit: number): string[][][] {
  const parts: string[][][] = [];
  let bytes = Infinity;
  for (const [index, list] of lists.entries()) {
    for (const path of list) {
      const size = 4 + Buffer.byteLength(path);
      if (bytes + size > frameLimit) {
        parts.push(lists.map(() => []));
        bytes = 64;
      }
      parts.at(-1)?.[index]?.push(path);
      bytes += size;
    }
  }
  return parts;
}
