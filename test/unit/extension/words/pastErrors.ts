import { ReadOnlyCluster } from '../../../../src/app/clusters/clusterErrors.ts';
import { LogFolderError, type LogFolderFault } from '../../../../src/app/recordings/logFolderError.ts';
import { RecorderError, type RecorderFault } from '../../../../src/app/recorder/recorderError.ts';
import { StoredDataError } from '../../../../src/replay/storedDataError.ts';

const folderFaults: Record<LogFolderFault, 1> = {
  missing: 1,
  'no-folder': 1,
  'no-permission': 1,
  nothing: 1,
  'nothing recorded': 1,
  unreadable: 1,
};

const recorderFaults: Record<RecorderFault, 1> = {
  'disk-full': 1, 'read-only': 1, 'folder-gone': 1, 'too-slow': 1, 'no-room': 1, unwritable: 1, 'too-many-nodes': 1,
  'old-server': 1,
}; // prettier-ignore

/** The errors of recordings and of the recorder. @param text foreign text in them */
export function pastErrors(text: string): Record<string, Error> {
  const past = { name: text, isRecording: true } as const;
  const faults = Object.keys(folderFaults) as LogFolderFault[];
  const kinds = Object.keys(recorderFaults) as RecorderFault[];
  return {
    'ReadOnlyCluster acquire, recording': new ReadOnlyCluster(past),
    'ReadOnlyCluster delete, recording': new ReadOnlyCluster(past, 'delete'),
    StoredDataError: new StoredDataError({ file: text, offset: 1, length: 1 }),
    ...Object.fromEntries(faults.map(fault => [`LogFolderError ${fault}`, new LogFolderError(text, fault)])),
    ...Object.fromEntries(kinds.map(kind => [`RecorderError ${kind}`, new RecorderError(kind, text, { limit: 500 })])),
  };
}
