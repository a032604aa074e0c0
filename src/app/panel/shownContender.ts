import { shownName } from '../../base/shownName.ts';
import type { Contender } from '../../locks/lockQueue.ts';

/** The contender that the page shows under this identity, if that very node is still in the queue. */
export function contenderOf(
  contenders: readonly Contender[],
  { name, czxid }: { name: string; czxid: string },
): Contender | undefined {
  const created = BigInt(czxid);
  return contenders.find(contender => contender.czxid === created && shownName(contender.name) === name);
}
