import type { OwnerFacts } from '../../inspector/owners/ownerFacts.ts';
import { ownerStatus } from '../../inspector/owners/ownerFacts.ts';
import type { Contender } from '../../locks/lockQueue.ts';

/** Whether a session lived when the servers were asked, epoch ms of this machine. */
export interface SeenSession {
  isAlive: boolean;
  at: number;
}

/** What the servers said of the owners of a queue. They were asked once, so it says nothing of sessions that came later. */
export class FoundOwners {
  /** Of the clients as the servers see them, or as they were recorded, by session. Foreign text. */
  readonly addresses: ReadonlyMap<bigint, string>;
  private readonly facts: OwnerFacts | undefined;
  private readonly asked: ReadonlySet<bigint>;

  /** @param asked the owners that were in the queue before the servers were asked */
  constructor(facts?: OwnerFacts, asked: Iterable<bigint> = []) {
    this.facts = facts;
    this.asked = new Set(asked);
    // A client may have connected again, from another port.
    const known = [...(facts?.recorded ?? []), ...(facts?.connections ?? [])];
    this.addresses = new Map(known.map(([session, { address }]) => [session, address]));
  }

  /** @returns `undefined` if no server reported it either way, and for nodes without an owner */
  sessionOf({ ownerSession, isUnread }: Contender): SeenSession | undefined {
    if (this.facts === undefined || isUnread === true || !this.asked.has(ownerSession)) return undefined;
    const { alive } = ownerStatus(ownerSession, this.facts);
    return alive === 'yes' || alive === 'no' ? { isAlive: alive === 'yes', at: this.facts.askedAt } : undefined;
  }
}
