import { displayText } from '../../base/displayText.ts';
import type { IncidentError, IncidentFault } from '../../incident/incidentError.ts';
import type { Language } from './language.ts';
import type { ErrorText } from './serverText.ts';

const faultTexts: Readonly<Record<IncidentFault, (l10n: Language, path: string, version: string) => ErrorText>> = {
  missing: (l10n, path) => ({
    what: l10n.t('There is no file "{0}".', path),
    next: l10n.t('It may have been moved or deleted: choose it where it is now.'),
  }),
  'no-file': (l10n, path) => ({
    what: l10n.t('"{0}" is no file.', path),
    next: l10n.t('Choose a file whose name ends in .zkincident.'),
  }),
  'no-permission': (l10n, path) => ({
    what: l10n.t('This account may not read the file "{0}".', path),
    next: l10n.t('Copy it with an account that may, and open the copy.'),
  }),
  unreadable: (l10n, path) => ({
    what: l10n.t('The file "{0}" cannot be read.', path),
    next: l10n.t('Check the disk, or copy the file and open the copy.'),
  }),
  foreign: (l10n, path) => ({
    what: l10n.t('"{0}" is no incident file, or its beginning is damaged.', path),
    next: l10n.t('Choose a file that "Save Incident" has written, or get it once more from whom you have it.'),
  }),
  newer: (l10n, path, version) => ({
    what: l10n.t('"{0}" has the version {1} of the format, which is newer than this extension.', path, version),
    next: l10n.t('Update the extension.'),
  }),
  'too-large': (l10n, path) => ({
    what: l10n.t('"{0}" is larger than an incident file can be.', path),
    next: l10n.t('Save the incident again with a shorter time or fewer locks.'),
  }),
  empty: (l10n, path) => ({
    what: l10n.t('Of "{0}" nothing about locks could be read: it is damaged.', path),
    next: l10n.t('Get it once more from whom you have it.'),
  }),
  'read-only': (l10n, path) => ({
    what: l10n.t('"{0}" was not saved: nothing may be written there.', path),
    next: l10n.t('Choose another folder.'),
  }),
  'disk-full': (l10n, path) => ({
    what: l10n.t('"{0}" was not saved: the disk is full.', path),
    next: l10n.t('Make room, or choose a folder on another disk.'),
  }),
  'not-saved': (l10n, path) => ({
    what: l10n.t('"{0}" was not saved: the file system refused it.', path),
    next: l10n.t('Choose another folder.'),
  }),
};

/** Why an incident file could not be opened or saved. */
export function incidentErrorText(l10n: Language, { path, fault, version }: IncidentError): ErrorText {
  return faultTexts[fault](l10n, displayText(path, 200), displayText(version, 20));
}
