import { directoryOfNode } from '../../locks/libraries/queueBeside.ts';
import { DisposableSlot, DisposableStore, type Disposable } from '../../base/disposable.ts';
import { lastSegment } from '../../base/paths.ts';
import { unlessAborted } from '../../base/unlessAborted.ts';
import { placeOf, type Contender, type LockQueue } from '../../locks/lockQueue.ts';
import { LockCancelled, NodeLeftBehind } from '../../recipes/errors.ts';
import type { Lease, Lock, Place } from '../../recipes/lock.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import type { Standing, TestLockRequest } from './testLock.ts';

/** Watches the queues at a path with the browsing session. */
export type WatchQueue = (path: string, listener: (queues: LockQueue[]) => void) => Promise<Disposable>;

interface AttemptParts {
  /** The lock session; the attempt may be cancelled while it is opened. */
  client: Promise<ZooKeeperClient>;
  openLock(client: ZooKeeperClient, request: TestLockRequest): Promise<Lock>;
  watch: WatchQueue;
  signal: AbortSignal;
  onStanding(standing: Standing): void;
  /** The session lost its confirmed contact, or has it again. */
  onContact(confirmed: boolean): void;
}

/**
 * Carries out one request.
 *
 * @throws what connecting throws; what `Lock.acquire` throws. No own node stays behind then, unless it is a NodeLeftBehind
 */
export async function acquireLease(request: TestLockRequest, parts: AttemptParts): Promise<Lease> {
  const { signal } = parts;
  const { paths, timeoutMs } = request;
  const owned = new DisposableStore();
  const standing = owned.add(new StandingWatch(paths, parts.watch, next => parts.onStanding(next)));
  try {
    const client = await unlessAborted(parts.client, signal, () => new LockCancelled(paths[0] ?? ''));
    owned.add(client.onState(({ state }) => parts.onContact(state === 'connected')));
    const lock = await parts.openLock(client, request);
    const lease = await lock.acquire({ timeoutMs, signal, onWaiting: place => standing.update(place) });
    if (!signal.aborted) return lease;
    const cancelled = new LockCancelled(lease.path);
    await lease.release().catch((cause: unknown) => {
      throw new NodeLeftBehind(cancelled, [{ path: lease.path, cause }]);
    });
    throw cancelled;
  } finally {
    owned.dispose();
  }
}

/**
 * Follows the standing of a waiting attempt. The recipe reads only when its predecessor is gone; the queue is watched as well,
 * so that the position is right when a contender further ahead leaves.
 */
class StandingWatch implements Disposable {
  private readonly paths: readonly string[];
  private readonly watch: WatchQueue;
  private readonly onStanding: (standing: Standing) => void;
  private readonly slot = new DisposableSlot();
  private watched: string | undefined;
  private place: Place | undefined;
  private queues: readonly LockQueue[] = [];

  constructor(paths: readonly string[], watch: WatchQueue, onStanding: (standing: Standing) => void) {
    this.paths = paths;
    this.watch = watch;
    this.onStanding = onStanding;
  }

  update(place: Place): void {
    this.place = place;
    const path = pathOfPlace(this.paths, place);
    const directory = directoryOfNode(path, place.path ?? path) ?? path;
    if (directory !== this.watched) void this.start(directory);
    this.announce();
  }

  dispose(): void {
    this.place = undefined;
    this.slot.dispose();
  }

  private announce(): void {
    const { place } = this;
    if (place === undefined) return;
    const path = pathOfPlace(this.paths, place);
    this.onStanding(standingInQueues(path, place, this.queues) ?? standingOfPlace(path, place));
  }

  private async start(directory: string): Promise<void> {
    this.watched = directory;
    this.queues = [];
    try {
      this.slot.value = await this.watch(directory, queues => {
        if (this.watched !== directory) return;
        this.queues = queues;
        this.announce();
      });
    } catch {
      // There is no browsing session, or it may not read: the places that the recipe reports are enough.
    }
  }
}

function nameOf(contender: Contender | undefined): string {
  if (contender === undefined) return '';
  return contender.identifier.trim() === '' ? contender.name : contender.identifier;
}

/** The standing from the recipe's own listing: available at once, but without identifiers. */
export function standingOfPlace(path: string, place: Place): Standing {
  const waitsFor = place.waitsFor === undefined ? '' : lastSegment(place.waitsFor);
  return { position: place.path === undefined ? undefined : place.ahead + 1, waitsFor, holder: '', path };
}

/**
 * The standing of an own node in fresh snapshots, for as long as it waits.
 *
 * @returns `undefined` if no queue says more than `standingOfPlace`
 */
export function standingInQueues(path: string, place: Place, queues: readonly LockQueue[]): Standing | undefined {
  const queue =
    place.path === undefined
      ? queues[0]
      : queues.find(({ contenders }) => contenders.some(contender => contender.path === place.path));
  if (queue === undefined) return undefined;
  const { contenders } = queue;
  const index = contenders.findIndex(contender => contender.path === place.path);
  const own = contenders[index];
  const holder = contenders.find((contender, at) => contender.role === 'holder' && at !== index);
  const waitsFor = contenders.find(contender => contender.name === own?.waitsFor);
  return {
    position: own && placeOf(own, index),
    // The node that it waits for may not be readable: then only its name is known.
    waitsFor: waitsFor === undefined ? (own?.waitsFor ?? nameOf(holder)) : nameOf(waitsFor),
    holder: nameOf(holder),
    path,
  };
}

/** The path of a request that a place belongs to: of several locks the one that it waits for now. */
export function pathOfPlace(paths: readonly string[], place: Place): string {
  const node = place.path ?? place.waitsFor ?? '';
  const fitting = paths.filter(path => directoryOfNode(path, node) !== undefined);
  return fitting.sort((a, b) => b.length - a.length)[0] ?? paths[0] ?? '';
}
