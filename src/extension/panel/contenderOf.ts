import { shownName } from '../../base/shownName.ts';
import type { Contender } from '../../locks/lockQueue.ts';
import type { NodeIdentity } from '../../protocol.ts';

/** The contender that the page means, if that very node is still in the queue. */
export function contenderOf(contenders: readonly Contender[], { name, czxid }: NodeIdentity): Contender | undefined {
  const created = BigInt(czxid);
  return contenders.find(contender => contender.czxid === created && shownName(contender.name) === name);
}
