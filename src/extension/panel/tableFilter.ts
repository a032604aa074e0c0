import { l10n } from 'vscode';
import type { Contender } from '../../locks/lockQueue.ts';
import { sessionText } from '../../base/sessionText.ts';
import { kindText } from '../words/kindText.ts';
import { ageWriter } from './ageWriter.ts';

/** Whether a contender is shown; called for each of ten thousand, ten times a second. */
export type RowTest = (contender: Contender, position: number) => boolean;

/**
 * Looks for the filter's text in every column and in the node's name, in any case. A pattern is tried on the texts as they
 * are, so that nothing is made for a row that is not shown; a column is left out where no value of it could fit.
 *
 * @param now epoch ms
 * @returns `undefined` if everything is shown
 */
export function rowTest(filter: string, addresses: ReadonlyMap<bigint, string>, now: number): RowTest | undefined {
  const wanted = filter.trim();
  if (wanted === '') return undefined;
  const pattern = new RegExp(wanted.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, '\\$&'), 'iu');
  const fits = (text: string | undefined): boolean => text !== undefined && pattern.test(text);
  const kinds = remember((kind: Contender['kind']) => fits(kindText(kind)));
  const writeAge = ageWriter();
  const ages = remember((age: number) => fits(writeAge(age)));
  const numbers = numberTest(wanted, fits);
  const noSession = fits(l10n.t('not ephemeral'));
  return (contender, position) =>
    fits(contender.identifier) ||
    fits(contender.name) ||
    fits(contender.waitsFor) ||
    fits(addresses.get(contender.ownerSession)) ||
    kinds(contender.kind) ||
    (contender.ownerSession === 0n && noSession) ||
    numbers(contender, position) ||
    ages(shownAge(now - contender.createdAt));
}

/** The columns that hold nothing but a number. */
function numberTest(wanted: string, fits: (text: string) => boolean): RowTest {
  const isHexadecimal = /^0?x?[0-9a-f]*$/iu.test(wanted);
  const isDecimal = /^-?\d*$/u.test(wanted);
  return ({ ownerSession, sequence, czxid }, position) =>
    (isHexadecimal && ownerSession !== 0n && fits(sessionText(ownerSession))) ||
    (isDecimal &&
      (fits(String(position)) || (sequence !== undefined && fits(String(sequence))) || fits(String(czxid))));
}

/** The least age that is shown as the same text, so that few texts are made for many ages. */
function shownAge(ageMs: number): number {
  const age = Math.max(0, ageMs);
  if (age < 1_000) return age;
  const unit = age < 3_600_000 ? 1_000 : age < 86_400_000 ? 60_000 : 3_600_000;
  return age - (age % unit);
}

function remember<K>(test: (key: K) => boolean): (key: K) => boolean {
  const known = new Map<K, boolean>();
  return key => {
    const answer = known.get(key) ?? test(key);
    known.set(key, answer);
    return answer;
  };
}
