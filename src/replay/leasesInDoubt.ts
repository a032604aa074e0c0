import type { Contender, LockQueue } from '../locks/lockQueue.ts';

/**
 * Settles whether a lease of Curator's semaphore holds that may be the one with which the head of the queue waits, since one of the two was
 * gone before it could be read. Only the head makes leases: a lease belongs to the head under which it came, and holds once there is another
 * head or none.
 */
export class LeasesInDoubt {
  /** Paths of the heads, by the paths of the leases that came under them. */
  private readonly heads = new Map<string, string>();

  /** @param isHeld whether it held before: then it does so until it is gone */
  settled({ dialect, contenders }: LockQueue, contender: Contender, isHeld: boolean): Contender {
    const { mayHold, ...facts } = contender;
    if (dialect !== 'curator-semaphore' || mayHold !== true) return contender;
    const head = contenders.find(each => each.role === 'waiter' && each.mayHold !== true)?.path ?? '';
    const own = this.heads.get(contender.path) ?? head;
    this.heads.set(contender.path, own);
    return isHeld || own !== head ? { ...facts, role: 'holder' } : contender;
  }

  /** The node is gone. */
  forget(path: string): void {
    this.heads.delete(path);
  }
}
