import { FoundOwners } from '../../../../src/app/owners/foundOwners.ts';
import type { OwnerFacts } from '../../../../src/inspector/owners/ownerFacts.ts';
import { now } from '../../extension/fixtures.ts';

export interface SeenOwner {
  session: bigint;
  address: string;
}

/** What the leader says when it is asked for the sessions of a queue: only these live. */
export function ownerFacts(...owners: SeenOwner[]): OwnerFacts {
  const server = '10.0.0.1:2181';
  return {
    connections: new Map(owners.map(({ session, address }) => [session, { address, server }])),
    live: { ids: new Set(owners.map(({ session }) => session)), listedBy: 'leader', server },
    sources: [],
    askedAt: now,
  };
}

export function foundOwners(...owners: SeenOwner[]): FoundOwners {
  return new FoundOwners(
    ownerFacts(...owners),
    owners.map(({ session }) => session),
  );
}
