import { dialectLabels, type Contender, type DialectId } from '../../locks/lockQueue.ts';
import { sessionText } from '../../base/sessionText.ts';
import { inEditor, l10n, type Language, nameText } from './language.ts';

/** Who a contender is: its identifier, else its session, else its node's name; ready to stand in a sentence. */
export function whoText(
  { identifier, ownerSession, name }: Pick<Contender, 'identifier' | 'ownerSession' | 'name'>,
  maxLength = 60,
): string {
  if (identifier.trim() !== '') return nameText(identifier, maxLength);
  if (ownerSession !== 0n) return l10n.t('session {0}', sessionText(ownerSession));
  return nameText(name, maxLength);
}

const kindTexts: Readonly<Record<Contender['kind'], () => string>> = {
  exclusive: () => l10n.t('exclusive'),
  read: () => l10n.t('read'),
  write: () => l10n.t('write'),
  lease: () => l10n.t('lease'),
  candidate: () => l10n.t('candidate'),
};

/** The kind of access that a contender requests, in a word. */
export function kindText(kind: Contender['kind']): string {
  return kindTexts[kind]();
}

/** The library or naming scheme of a queue. */
export function dialectText(dialect: DialectId, l10n: Language = inEditor): string {
  switch (dialect) {
    case 'generic':
      return l10n.t('unknown library');
    case 'rw-letters':
      return l10n.t('R-/W- names');
    case 'named-lock':
      return l10n.t('named lock');
    case 'session-named':
      return l10n.t('names with session id');
    case 'exclusive-node':
      return l10n.t('single node');
    default:
      return dialectLabels[dialect];
  }
}
