import type { Contender, DialectId, LockQueue } from '../locks/lockQueue.ts';
import { ownerOf, type OwnerFacts, type OwnerStatus } from './owners/ownerFacts.ts';
import type { WatchFacts } from './owners/readWatchers.ts';
import { listensForRevoke, type Listening } from './requestRevoke.ts';
import { holdersWithout, type Succession } from './turnsWithout.ts';

/** What changes when a contender's node is deleted, to be shown before. */
export interface DeleteConsequences {
  lock: { path: string; lockName?: string; dialect: DialectId };
  contender: Contender;
  /** 1 is the head of the queue. */
  position: number;
  owner: OwnerStatus;
  /** Epoch ms of the server's clock, when this was found out. */
  now: number;
  succession: Succession;
  /** Contenders that get the lock; empty if none does, or with `race`. */
  nextHolders: Contender[];
  /** Whether others wait, whether or not one of them gets it. */
  hasWaiters: boolean;
  /** Contenders that hold it now and still do afterwards. */
  remainingHolders: Contender[];
  /** The old holder may be alive. It is not notified (docs/faults.md, L24), so it may go on while the next one holds. */
  twoHoldersPossible: boolean;
  /** What to offer first: to release it (our own test lock), or to ask its holder to (Curator). */
  gentler: 'release' | 'revoke' | undefined;
  revokeListener: Listening;
}

/** Facts besides the queue that the consequences depend on. */
export interface ConsequenceFacts {
  /** Epoch ms of the server's clock. */
  now: number;
  owners?: OwnerFacts;
  watches?: WatchFacts;
  /** Sessions of this window. */
  ownSessions?: ReadonlySet<bigint>;
}

/**
 * The consequences of deleting a contender's node: who holds by the dialect's own rule once it is gone.
 *
 * @returns `undefined` if the queue has no contender at that path
 */
export function deleteConsequences(
  queue: LockQueue,
  path: string,
  facts: ConsequenceFacts,
): DeleteConsequences | undefined {
  const at = queue.contenders.findIndex(contender => contender.path === path);
  const contender = queue.contenders[at];
  if (contender === undefined) return undefined;
  const { succession, holders } = holdersWithout(queue, contender);
  const heldBefore = new Set(queue.contenders.filter(({ role }) => role === 'holder').map(each => each.path));
  const owner = ownerOf(contender, facts.owners);
  const revokeListener = listensForRevoke(queue, contender, facts.watches);
  return {
    lock: {
      path: queue.path,
      ...(queue.lockName === undefined ? {} : { lockName: queue.lockName }),
      dialect: queue.dialect,
    },
    contender,
    position: at + 1,
    owner,
    now: facts.now,
    succession,
    nextHolders: holders.filter(holder => !heldBefore.has(holder.path)),
    hasWaiters: queue.contenders.some(each => each.role === 'waiter' && each !== contender),
    remainingHolders: holders.filter(holder => heldBefore.has(holder.path)),
    twoHoldersPossible: owner.alive !== 'no' && (contender.role === 'holder' || contender.mayHold === true),
    gentler: gentlerWay(contender, facts.ownSessions, revokeListener),
    revokeListener,
  };
}

function gentlerWay(
  contender: Contender,
  ownSessions: ReadonlySet<bigint> | undefined,
  listener: Listening,
): DeleteConsequences['gentler'] {
  if (ownSessions?.has(contender.ownerSession) === true) return 'release';
  return contender.role === 'holder' && (listener === 'yes' || listener === 'maybe') ? 'revoke' : undefined;
}
