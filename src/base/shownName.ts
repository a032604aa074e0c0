import { createHash } from 'node:crypto';
import { displayText } from './displayText.ts';

const nameLength = 160;
const hashLength = 32;

/**
 * A node's name as the page shows it. The page also names nodes by it, so two different names never give the same text: escapes keep
 * short names apart, and a name that was cut gets a part of its SHA-256 hash.
 */
export function shownName(name: string): string {
  const shown = displayText(name, nameLength);
  // Every name with an ellipsis gets the hash: a name may contain an ellipsis itself and look like another one that was cut.
  return shown.includes('…')
    ? `${shown}${createHash('sha256').update(name).digest('hex').slice(0, hashLength)}`
    : shown;
}
