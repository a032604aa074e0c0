import { createHash } from 'node:crypto';
import type { Contender } from '../../locks/lockQueue.ts';
import { displayText } from '../text/displayText.ts';

const nameLength = 160;

/**
 * A node's name for the page, which also names the node in the page's intents: so two different names never look the same.
 * Escaping keeps them apart by itself; a name that was cut gets a part of its hash.
 */
export function shownName(name: string): string {
  const shown = displayText(name, nameLength);
  // An ellipsis at the end comes from the cut, or the name itself ends so; a hash does no harm to that one.
  return shown.endsWith('…') ? `${shown}${createHash('sha256').update(name).digest('hex').slice(0, 16)}` : shown;
}

/** The contender that the page means, if it is still in the queue. */
export function contenderNamed(contenders: readonly Contender[], shown: string): Contender | undefined {
  // Nearly all names are shown as they are: the others are worked out only if none of those is meant.
  const plain = contenders.find(({ name }) => name === shown);
  if (plain !== undefined && shownName(plain.name) === shown) return plain;
  return contenders.find(({ name }) => shownName(name) === shown);
}
