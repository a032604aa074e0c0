import type { ReadOnlyCluster } from '../../app/clusters/clusterErrors.ts';
import type { LogFolderError, LogFolderFault } from '../../app/recordings/logFolderError.ts';
import { displayText } from '../../base/displayText.ts';
import type { StoredDataError } from '../../replay/storedDataError.ts';
import type { Language } from './language.ts';
import type { ErrorText } from './serverText.ts';

/** What may not be written to. */
export function readOnlyText(l10n: Language, { cluster, refused, isRecording }: ReadOnlyCluster): ErrorText {
  const name = displayText(cluster);
  const isDelete = refused === 'delete';
  if (isRecording) {
    return {
      what: isDelete
        ? l10n.t('"{0}" is a record of the past: nothing in it can be deleted.', name)
        : l10n.t('"{0}" is a record of the past: no locks can be taken in it.', name),
      next: l10n.t('Connect to the cluster itself to change something there.'),
    };
  }
  return {
    what: isDelete
      ? l10n.t('The cluster "{0}" is marked read-only: nothing is deleted there.', name)
      : l10n.t('The cluster "{0}" is marked read-only: no locks are taken there.', name),
    next: l10n.t('Edit the cluster to change that.'),
  };
}

const folderTexts: Readonly<Record<LogFolderFault, (l10n: Language, folder: string) => ErrorText>> = {
  missing: (l10n, folder) => ({
    what: l10n.t('There is no folder "{0}".', folder),
    next: l10n.t('Choose the folder "version-2" of a server, or a copy of it.'),
  }),
  'no-folder': (l10n, folder) => ({
    what: l10n.t('"{0}" is no folder.', folder),
    next: l10n.t('Choose the folder "version-2" of a server, or a copy of it.'),
  }),
  'no-permission': (l10n, folder) => ({
    what: l10n.t('This account may not read the folder "{0}".', folder),
    next: l10n.t('Copy the files with an account that may, and open the copy.'),
  }),
  nothing: (l10n, folder) => ({
    what: l10n.t('In "{0}" there is no transaction log and no snapshot that can be read.', folder),
    next: l10n.t('Choose the folder "version-2" of a server: it holds files called log.… and snapshot.…'),
  }),
  'nothing recorded': (l10n, folder) => ({
    what: l10n.t('In "{0}" there is no recording that can be read.', folder),
    next: l10n.t('Record Locks begins one; while it runs, Open Recording shows it a moment later.'),
  }),
  unreadable: (l10n, folder) => ({
    what: l10n.t('The folder "{0}" cannot be read.', folder),
    next: l10n.t('Check the disk, or copy the files and open the copy.'),
  }),
};

/** Why a folder cannot be opened as a recording. */
export function logFolderText(l10n: Language, { folder, fault }: LogFolderError): ErrorText {
  return folderTexts[fault](l10n, displayText(folder, 200));
}

/** Why data of the past cannot be shown. */
export function storedDataText(l10n: Language, { file }: StoredDataError): ErrorText {
  return {
    what: l10n.t('The data cannot be read: the file "{0}" is gone or has changed.', displayText(file, 200)),
    next: l10n.t('Open the transaction logs again.'),
  };
}
