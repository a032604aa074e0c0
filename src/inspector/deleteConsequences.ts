import { placeOf, type Contender, type DialectId, type LockQueue } from '../locks/lockQueue.ts';
import { ownerStatus, type OwnerFacts, type OwnerStatus } from './owners/ownerFacts.ts';
import type { WatchFacts } from './owners/readWatchers.ts';
import { listensForRevoke, type Listening } from './revocable.ts';
import { holdersWithout, type Succession } from './turnsWithout.ts';

/** What a person should know before a contender's node is deleted. */
export interface DeleteConsequences {
  lock: { path: string; lockName?: string; dialect: DialectId };
  contender: Contender;
  /** 1 is the head of the queue. */
  position: number;
  owner: OwnerStatus;
  /** By the clocks of server and this machine; 0 if they disagree. */
  ageMs: number;
  succession: Succession;
  /** They get the lock by it; empty if nobody does, or with `race`. */
  nextHolders: Contender[];
  /** They hold it now and go on. */
  remainingHolders: Contender[];
  /** The client behind the node is not told: it goes on as if nothing had happened (docs/faults.md, L24). */
  ownerIsNotTold: boolean;
  /** The old holder may still act on the lock while the next one does. */
  twoHoldersPossible: boolean;
  /** What to offer first: give it back (it is ours), or ask its holder to (Curator). */
  gentler: 'release' | 'revoke' | undefined;
  revokeListener: Listening;
}

/** Everything beside the queue that the consequences depend on. */
export interface ConsequenceFacts {
  /** Epoch ms. */
  now: number;
  owners?: OwnerFacts;
  watches?: WatchFacts;
  /** Sessions of this tool. */
  ownSessions?: ReadonlySet<bigint>;
}

/**
 * Says what deleting a contender's node would do, by the dialect's own rule with the contender taken out.
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
  const owner = ownerStatus(contender.ownerSession, facts.owners);
  const mayLive = owner.alive !== 'no';
  const revokeListener = listensForRevoke(queue, contender, facts.watches);
  return {
    lock: {
      path: queue.path,
      ...(queue.lockName === undefined ? {} : { lockName: queue.lockName }),
      dialect: queue.dialect,
    },
    contender,
    position: placeOf(contender, at),
    owner,
    ageMs: Math.max(0, facts.now - contender.createdAt),
    succession,
    nextHolders: holders.filter(holder => !heldBefore.has(holder.path)),
    remainingHolders: holders.filter(holder => heldBefore.has(holder.path)),
    ownerIsNotTold: mayLive,
    twoHoldersPossible: mayLive && contender.role === 'holder',
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
