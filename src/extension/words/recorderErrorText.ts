import type { RecorderError, RecorderFault } from '../../app/recorder/recorderError.ts';
import { nameText, type Language } from './language.ts';
import type { ErrorText } from './serverText.ts';

type FaultText = (l10n: Language, path: string, limit: number) => ErrorText;

const faultTexts: Readonly<Record<RecorderFault, FaultText>> = {
  'disk-full': (l10n, path) => ({
    what: l10n.t('The disk is full, so nothing more can be recorded in {0}.', path),
    next: l10n.t(
      'Make room, or run Delete Recordings; then run Record Locks again. What was recorded before is there.',
    ),
  }),
  'read-only': (l10n, path) => ({
    what: l10n.t('Nothing can be recorded: {0} may not be written to.', path),
    next: l10n.t('Give this account the right to write there, then run Record Locks again.'),
  }),
  'folder-gone': (l10n, path) => ({
    what: l10n.t('The folder of the recording was deleted while it was written: {0}.', path),
    next: l10n.t('Run Record Locks again to begin a new one.'),
  }),
  'too-slow': (l10n, path) => ({
    what: l10n.t('The locks change faster than this machine can write it down in {0}.', path),
    next: l10n.t(
      'Choose fewer lock roots for the cluster, then run Record Locks again. What was recorded before is there.',
    ),
  }),
  'no-room': (l10n, path, limit) => ({
    what: l10n.t(
      'The nodes of the locks take most of the {0} MB that the recording in {1} may have.',
      Math.ceil(limit / 1_000_000),
      path,
    ),
    next: l10n.t(
      'Allow more megabytes in the settings, then run Record Locks again. What was recorded before is there.',
    ),
  }),
  unwritable: (l10n, path) => ({
    what: l10n.t('The file system refuses to write the recording in {0}.', path),
    next: l10n.t(
      'Check the disk, then run Record Locks again. What was recorded before is there. See the log for details.',
    ),
  }),
  'too-many-nodes': (l10n, path, limit) => ({
    what: l10n.t('There are too many nodes below {0} to record its locks: more than {1}.', path, limit),
    next: l10n.t('Choose lock roots closer to the locks, or raise the limit of a search in the settings.'),
  }),
  'old-server': (l10n, path) => ({
    what: l10n.t('The locks below {0} cannot be recorded: the server is older than ZooKeeper 3.6.', path),
    next: l10n.t('Its transaction logs say the same: Open Transaction Logs reads them.'),
  }),
};

/** Why locks are not recorded. */
export function recorderErrorText(l10n: Language, { kind, path, limit }: RecorderError): ErrorText {
  return faultTexts[kind](l10n, nameText(path, 300, l10n), limit ?? 0);
}
