import { sessionText } from '../../base/sessionText.ts';
import type { Contender } from '../../locks/lockQueue.ts';

/**
 * Tests the columns of a table of contenders that hold only a number for a part of it.
 *
 * @param wanted what is looked for
 * @param fits whether a text has it as a part
 * @param millions how the table writes a number with separators, 1234567: they may be left out
 */
export function numberFilter(
  wanted: string,
  fits: (text: string) => boolean,
  millions: string,
): (contender: Contender, position: number) => boolean {
  const isHexadecimal = /^0?x?[0-9a-f]*$/iu.test(wanted);
  const isDecimal = /^-?\d*$/u.test(wanted);
  const isPosition = plainNumber(wanted, millions);
  return ({ ownerSession, sequence, czxid, isUnread }, position) =>
    (isHexadecimal && ownerSession !== 0n && fits(sessionText(ownerSession))) ||
    isPosition(position) ||
    (isDecimal && ((sequence !== undefined && fits(String(sequence))) || (isUnread !== true && fits(String(czxid)))));
}

function plainNumber(wanted: string, millions: string): (value: number) => boolean {
  const [separator] = /\D/u.exec(millions) ?? [''];
  const digits = separator === '' ? wanted : wanted.replaceAll(separator, '');
  return /^#?\d+$/u.test(digits) ? value => `#${value}`.includes(digits) : () => false;
}
