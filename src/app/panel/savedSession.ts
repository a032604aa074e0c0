import { isObject } from '../clusters/clusterProfile.ts';
import { sessionText } from '../../base/sessionText.ts';
import type { PageSubject } from '../../sessionProtocol.ts';
import { readSubject, type Subject } from '../sessions/subject.ts';
import { isText, readSavedRecording, type SavedRecording } from './savedLock.ts';

/** What a session page shows: which subject, of which cluster. Foreign text. */
export interface ShownSubject {
  cluster: string;
  /** For a cluster that is not in the list. */
  clusterName: string;
  subject: Subject;
  /** Of a recording that may not be open: what opens it. */
  recording?: SavedRecording | undefined;
}

/** The same as JSON, as it is kept while the window is closed. */
export interface SavedSession extends Omit<ShownSubject, 'subject'> {
  subject: PageSubject;
}

/** The subject as text fields. */
export function subjectFields(subject: Subject): PageSubject {
  switch (subject.kind) {
    case 'session':
      return { session: sessionText(subject.id) };
    case 'address':
      return { address: subject.address };
    case 'identifier':
      return { identifier: subject.identifier };
  }
}

/** Checks what was kept: another version, or another program, may have written it. @returns `undefined` if it names no subject */
export function readSavedSession(value: unknown): ShownSubject | undefined {
  if (!isObject(value)) return undefined;
  const { cluster, clusterName, recording } = value;
  const subject = isObject(value['subject']) ? readSubject(value['subject']) : undefined;
  if (subject === undefined || !isText(cluster, longestId)) return undefined;
  const shown = { cluster, clusterName: isText(clusterName, longestId) ? clusterName : '', subject };
  if (recording === undefined) return shown;
  const read = readSavedRecording(recording);
  return read && { ...shown, recording: read };
}

/** In characters: ids of recordings hold paths of files. */
const longestId = 100_000;
