import { ReadOnlyCluster } from '../../../../src/app/clusters/clusterErrors.ts';
import { LogFolderError, type LogFolderFault } from '../../../../src/app/recordings/logFolderError.ts';
import { StoredDataError } from '../../../../src/replay/storedDataError.ts';

const folderFaults: Record<LogFolderFault, 1> = {
  missing: 1,
  'no-folder': 1,
  'no-permission': 1,
  nothing: 1,
  unreadable: 1,
};

/** The errors of recordings. @param text foreign text in them */
export function pastErrors(text: string): Record<string, Error> {
  const past = { name: text, isRecording: true } as const;
  const faults = Object.keys(folderFaults) as LogFolderFault[];
  return {
    'ReadOnlyCluster acquire, recording': new ReadOnlyCluster(past),
    'ReadOnlyCluster delete, recording': new ReadOnlyCluster(past, 'delete'),
    StoredDataError: new StoredDataError({ file: text, offset: 1, length: 1 }),
    ...Object.fromEntries(faults.map(fault => [`LogFolderError ${fault}`, new LogFolderError(text, fault)])),
  };
}
