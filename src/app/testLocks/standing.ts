import type { Contender, LockQueue } from '../../locks/lockQueue.ts';
import { placeOf } from '../../locks/placeOf.ts';
import type { Place } from '../../recipes/lock.ts';
import type { Standing } from './testLock.ts';

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function nameOf(contender: Contender | undefined): string {
  if (contender === undefined) return '';
  return contender.identifier.trim() === '' ? contender.name : contender.identifier;
}

/** What the recipe itself says: known at once, but without names of people. */
export function standingOfPlace(path: string, place: Place): Standing {
  const waitsFor = place.waitsFor === undefined ? '' : lastName(place.waitsFor);
  return { position: place.path === undefined ? undefined : place.ahead + 1, waitsFor, holder: '', path };
}

/**
 * Where an own node stands in fresh snapshots, for as long as it waits.
 *
 * @returns `undefined` if no queue tells more than the place does
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
    // Whom it waits for may not be read: then the name is all.
    waitsFor: waitsFor === undefined ? (own?.waitsFor ?? nameOf(holder)) : nameOf(waitsFor),
    holder: nameOf(holder),
    path,
  };
}

/** The path of a request that a place belongs to: of several locks the one that it waits for now. */
export function pathOfPlace(paths: readonly string[], place: Place): string {
  const node = place.path ?? place.waitsFor ?? '';
  const fitting = paths.filter(
    path => node === path || node.startsWith(`${path}/`) || node.startsWith(`${path}-__lock__/`),
  );
  return fitting.sort((a, b) => b.length - a.length)[0] ?? paths[0] ?? '';
}
