import { createHash } from 'node:crypto';
import type { Contender } from '../../locks/lockQueue.ts';
import type { NodeIdentity } from '../../protocol.ts';
import { displayText } from '../../base/displayText.ts';

const nameLength = 160;
const hashLength = 32;

/**
 * A node's name for the page, which also names the node in the page's intents: so two different names never look the same.
 * Escaping keeps them apart by itself; a name that was cut gets a part of its hash.
 */
export function shownName(name: string): string {
  const shown = displayText(name, nameLength);
  // Whatever has an ellipsis gets the hash: else a name that has it in itself could look like another one that was cut.
  return shown.includes('…')
    ? `${shown}${createHash('sha256').update(name).digest('hex').slice(0, hashLength)}`
    : shown;
}

/** The contender that the page means, if that very node is still in the queue. */
export function contenderOf(contenders: readonly Contender[], { name, czxid }: NodeIdentity): Contender | undefined {
  const created = BigInt(czxid);
  return contenders.find(contender => contender.czxid === created && shownName(contender.name) === name);
}
