import { type OwnerFacts } from '../inspector/owners/ownerFacts.ts';
import type { Contender, LockQueue } from '../locks/lockQueue.ts';
import type { AttachedBy } from './scenario.ts';

/**
 * Whether a contender of another program is the one that an `attach` means.
 *
 * @param owners what the servers said of the sessions; without it no address is known
 */
export function isMeant(by: AttachedBy, one: Contender, queue: LockQueue, owners: OwnerFacts | undefined): boolean {
  if (by.kind === 'dialect') return queue.dialect === by.dialect;
  if (by.kind === 'identifier') return one.identifier === by.text;
  const address = owners?.connections.get(one.ownerSession)?.address;
  return address === by.text || address?.replace(/:\d+$/u, '') === by.text;
}
