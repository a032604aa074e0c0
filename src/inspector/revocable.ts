import { isCuratorMutexName } from '../locks/libraries/curator.ts';
import type { Contender, LockQueue } from '../locks/lockQueue.ts';
import type { WatchFacts } from './owners/readWatchers.ts';

/** Whether the owner of a node listens for a request to give the lock back. */
export type Listening = 'yes' | 'maybe' | 'no';

/**
 * Whether the owner listens for Curator's revoke request, as far as can be known (docs/dialects.md, section 1). Only
 * InterProcessMutex can; one that does has an empty node, and its session watches its own node.
 *
 * @param watches with every server's answer there is certainty; without it an empty node says `maybe`, since a mutex may
 *   also have been given empty data
 */
export function listensForRevoke(queue: LockQueue, contender: Contender, watches?: WatchFacts): Listening {
  if (queue.dialect !== 'curator' || !isCuratorMutexName(contender.name) || contender.ownerSession === 0n) return 'no';
  if (contender.identifier !== '') return 'no';
  if (watches?.watchers.get(contender.path)?.has(contender.ownerSession) === true) return 'yes';
  return watches?.isComplete === true ? 'no' : 'maybe';
}
