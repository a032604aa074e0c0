import { directoryOfNode } from '../../locks/libraries/queueBeside.ts';
import { DisposableSlot, type Disposable } from '../../base/disposable.ts';
import { lastSegment } from '../../base/paths.ts';
import type { Contender, LockQueue } from '../../locks/lockQueue.ts';
import type { Place } from '../../recipes/lock.ts';
import type { Standing } from './testLock.ts';

/** Watches the queues at a path with the browsing session. */
export type WatchQueue = (path: string, listener: (queues: LockQueue[]) => void) => Promise<Disposable>;

/**
 * Follows the standing of a waiting attempt. The recipe reads only when its predecessor is gone; the queue is watched as well,
 * so that the position is right when a contender further ahead leaves.
 *
 * @returns `update` takes the places that the recipe reports
 */
export function followStanding(
  paths: readonly string[],
  watch: WatchQueue,
  onStanding: (standing: Standing) => void,
): Disposable & { update(place: Place): void } {
  const slot = new DisposableSlot();
  let watched: string | undefined;
  let place: Place | undefined;
  let queues: readonly LockQueue[] = [];
  const report = (): void => {
    if (place === undefined) return;
    const path = pathOfPlace(paths, place);
    onStanding(standingInQueues(path, place, queues) ?? standingOfPlace(path, place));
  };
  const start = async (directory: string): Promise<void> => {
    watched = directory;
    queues = [];
    try {
      slot.value = await watch(directory, next => {
        if (watched !== directory) return;
        queues = next;
        report();
      });
    } catch {
      // There is no browsing session, or it may not read: the places that the recipe reports are enough.
    }
  };
  return {
    update(next) {
      place = next;
      const path = pathOfPlace(paths, place);
      const directory = directoryOfNode(path, place.path ?? path) ?? path;
      if (directory !== watched) void start(directory);
      report();
    },
    dispose() {
      place = undefined;
      slot.dispose();
    },
  };
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
    position: own && index + 1,
    // A child that is no contender can be what it waits for: then only its name is known.
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
