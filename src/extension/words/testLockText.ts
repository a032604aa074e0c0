import { displayText } from '../../base/displayText.ts';
import { inEditor, joined, l10n, type Language, listed, nameText } from './language.ts';
import { spanParts } from '../../app/testLocks/durations.ts';
import type { Summary, Standing, TestLockRequest, TestRecipe } from '../../app/testLocks/testLock.ts';

const recipeTexts: Readonly<Record<TestRecipe, (l10n: Language) => string>> = {
  exclusive: l10n => l10n.t('exclusive'),
  read: l10n => l10n.t('read'),
  write: l10n => l10n.t('write'),
  mutex: l10n => l10n.t('mutex'),
  semaphore: l10n => l10n.t('semaphore'),
  several: l10n => l10n.t('several locks'),
};

/** The word for a recipe, as it stands in a row. */
export function recipeText(recipe: TestRecipe, l10n: Language = inEditor): string {
  return recipeTexts[recipe](l10n);
}

/** The lock paths of a request, short enough for a title. */
export function pathsText(
  { paths, lockName }: Pick<TestLockRequest, 'paths' | 'lockName'>,
  l10n: Language = inEditor,
): string {
  const [first = ''] = paths;
  const name = lockName === undefined ? displayText(first) : displayText(`${first} (${lockName})`);
  return othersText(name, { paths }, l10n);
}

/** The name of the first lock of a request, and how many others there are. @param name clean */
export function othersText(name: string, { paths }: Pick<TestLockRequest, 'paths'>, l10n: Language = inEditor): string {
  return paths.length > 1 ? l10n.t('{0} and {1} more', name, paths.length - 1) : name;
}

const unitTexts: Readonly<Record<ReturnType<typeof spanParts>['unit'], (count: number) => string>> = {
  s: count => l10n.t('{0} s', count),
  min: count => l10n.t('{0} min', count),
  h: count => l10n.t('{0} h', count),
};

/** A span of time: `10 s`, `5 min`. */
export function spanText(ms: number): string {
  const { count, unit } = spanParts(ms);
  return unitTexts[unit](count);
}

/** Where a waiter stands: its position, and who is in front. */
export function standingText(standing: Standing | undefined): string {
  if (standing === undefined) return '';
  const { position, waitsFor, holder } = standing;
  return joined([
    position === undefined ? '' : l10n.t('position {0}', position),
    waitsFor === '' ? '' : l10n.t('{0} is in front', nameText(waitsFor)),
    holder === '' || holder === waitsFor ? '' : l10n.t('held by {0}', nameText(holder)),
  ]);
}

/** A fencing token as ZooKeeper's tools write a czxid. */
export function tokenText(token: bigint): string {
  return `0x${token.toString(16)}`;
}

/** For the status bar: how many, in words. */
export function summaryText({ held, waiting, uncertain, lost }: Summary): string {
  const parts: string[] = [];
  if (held > 0) parts.push(l10n.t('{0} held', held));
  if (waiting > 0) parts.push(l10n.t('{0} waiting', waiting));
  if (uncertain > 0) parts.push(l10n.t('{0} uncertain', uncertain));
  if (lost > 0) parts.push(l10n.t('{0} lost', lost));
  return listed(parts);
}
