import { isObject } from '../clusters/clusterProfile.ts';
import { sessionText } from '../../base/sessionText.ts';
import { readSubject, type Subject, type SubjectFields } from '../sessions/subject.ts';
import { readSavedRecording, type SavedRecording } from './savedLock.ts';

/** What a session page shows, as it is kept while the window is closed. Everything in it is foreign text. */
export interface SavedSession {
  cluster: string;
  /** For a cluster that was removed meanwhile. */
  clusterName: string;
  subject: SubjectFields;
  /** Present for a session of a recording. */
  recording?: SavedRecording;
}

/** The subject as text fields. */
export function subjectFields(subject: Subject): SubjectFields {
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
export function readSavedSession(value: unknown): (SavedSession & { of: Subject }) | undefined {
  if (!isObject(value)) return undefined;
  const { cluster, clusterName, subject, recording } = value;
  const of = isObject(subject) ? readSubject(subject) : undefined;
  if (of === undefined || !isShort(cluster)) return undefined;
  const saved = { cluster, clusterName: isShort(clusterName) ? clusterName : '', subject: subjectFields(of), of };
  if (recording === undefined) return saved;
  const read = readSavedRecording(recording);
  return read && { ...saved, recording: read };
}

/** In characters: ids of recordings hold paths of files. */
const longestId = 100_000;

function isShort(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longestId;
}
