import { expect, it } from 'vitest';
import { errorSentence } from '../../../../src/extension/words/errorText.ts';
import { pastErrors } from './pastErrors.ts';

it('the words of errors of recordings and of the recorder are these sentences', () => {
  const sentences = Object.entries(pastErrors('/a')).map(([name, error]) => [name, errorSentence(error)]);
  expect(Object.fromEntries(sentences)).toMatchInlineSnapshot(`
    {
      "LogFolderError missing": "There is no folder "/a". Choose the folder "version-2" of a server, or a copy of it.",
      "LogFolderError no-folder": ""/a" is no folder. Choose the folder "version-2" of a server, or a copy of it.",
      "LogFolderError no-permission": "This account may not read the folder "/a". Copy the files with an account that may, and open the copy.",
      "LogFolderError nothing": "In "/a" there is no transaction log and no snapshot that can be read. Choose the folder "version-2" of a server: it holds files called log.… and snapshot.…",
      "LogFolderError nothing recorded": "In "/a" there is no recording that can be read. Record Locks begins one; while it runs, Open Recording shows it a moment later.",
      "LogFolderError unreadable": "The folder "/a" cannot be read. Check the disk, or copy the files and open the copy.",
      "ReadOnlyCluster acquire, recording": ""/a" is a record of the past: no locks can be taken in it. Connect to the cluster itself to change something there.",
      "ReadOnlyCluster delete, recording": ""/a" is a record of the past: nothing in it can be deleted. Connect to the cluster itself to change something there.",
      "RecorderError disk-full": "The disk is full, so nothing more can be recorded in /a. Make room, or run Delete Recordings; then run Record Locks again. What was recorded before is there.",
      "RecorderError folder-gone": "The folder of the recording was deleted while it was written: /a. Run Record Locks again to begin a new one.",
      "RecorderError no-room": "The nodes of the locks take most of the 1 MB that the recording in /a may have. Allow more megabytes in the settings, then run Record Locks again. What was recorded before is there.",
      "RecorderError old-server": "The locks below /a cannot be recorded: the server is older than ZooKeeper 3.6. Its transaction logs say the same: Open Transaction Logs reads them.",
      "RecorderError read-only": "Nothing can be recorded: /a may not be written to. Give this account the right to write there, then run Record Locks again.",
      "RecorderError too-many-nodes": "There are too many nodes below /a to record its locks: more than 500. Choose lock roots closer to the locks, or raise the limit of a search in the settings.",
      "RecorderError too-slow": "The locks change faster than this machine can write it down in /a. Choose fewer lock roots for the cluster, then run Record Locks again. What was recorded before is there.",
      "RecorderError unwritable": "The file system refuses to write the recording in /a. Check the disk, then run Record Locks again. What was recorded before is there. See the log for details.",
      "StoredDataError": "The data cannot be read: the file "/a" is gone or has changed. Open the transaction logs again.",
    }
  `);
});
