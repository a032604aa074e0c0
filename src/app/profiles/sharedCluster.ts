import { parseConnectString } from '../../zookeeper/connectString.ts';
import {
  environments,
  hasCredentials,
  longestClusterName,
  readProfiles,
  type ClusterProfile,
} from '../clusters/clusterProfile.ts';
import type { ClusterAuth, SecurityFault } from '../clusters/clusterSecurity.ts';
import { escapeUnseen } from '../../base/displayText.ts';

/**
 * A cluster as it is written into a file for others.
 *
 * - No id: it is the key of the secrets on this machine, so a foreign file must not choose it.
 * - No password and no passphrase: those never leave the secret storage. The *user* of a log-in is no secret: it is in the
 *   settings in plain text, and in ACLs that every client may read.
 * - No paths of certificate files: they are valid on one machine only, contain the names of accounts and folders, and a foreign
 *   file must not choose which files of this machine are read or which key is presented. That TLS is used, and the name
 *   expected in the certificate, are written; the files are chosen again in *Edit Cluster*.
 */
export interface SharedCluster extends Omit<ClusterProfile, 'id' | 'auth' | 'tls'> {
  auth?: readonly ClusterAuth[];
  tls?: { serverName?: string };
}

export type EntryFault =
  | 'not-an-object'
  | 'name'
  | 'connectString'
  | 'environment'
  | 'lockRoots'
  | 'readOnly'
  | 'unknown-field'
  | 'file-path'
  | SecurityFault;

interface Refusal {
  fault: EntryFault;
  field?: string;
}

/** Characters. Longer texts are mistakes or attacks. */
const longest = { name: longestClusterName, connectString: 2_000, path: 1_000, user: 200, serverName: 255 };
const most = { lockRoots: 100, auth: 20 };

const entryFields: ReadonlySet<string> = new Set([
  'name', 'connectString', 'environment', 'lockRoots', 'readOnly', 'auth', 'tls',
]); // prettier-ignore
const authFields: ReadonlySet<string> = new Set(['scheme', 'user']);
const tlsFields: ReadonlySet<string> = new Set(['serverName']);
const filePaths: ReadonlySet<string> = new Set(['caFile', 'certFile', 'keyFile']);
const secretWords = /pass|secret|credential/i;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text without control characters, bidi marks or other invisible characters. */
function isPlain(value: unknown, maxLength: number): value is string {
  return typeof value === 'string' && value.length <= maxLength && escapeUnseen(value) === value;
}

/** `Object.keys` includes `__proto__` if JSON.parse made it an own field. */
function unknownField(value: object, known: ReadonlySet<string>): Refusal | undefined {
  const field = Object.keys(value).find(name => !known.has(name));
  if (field === undefined) return undefined;
  if (filePaths.has(field)) return { fault: 'file-path', field };
  return { fault: secretWords.test(field) ? 'credentials' : 'unknown-field', field };
}

function connectStringFault(value: unknown): Refusal | undefined {
  if (typeof value === 'string' && hasCredentials(value)) return { fault: 'credentials' };
  if (!isPlain(value, longest.connectString)) return { fault: 'connectString' };
  try {
    parseConnectString(value);
    return undefined;
  } catch {
    // The exact fault is shown when the same text is typed into *Add Cluster*.
    return { fault: 'connectString' };
  }
}

function lockRootsFault(value: unknown): Refusal | undefined {
  if (value === undefined) return undefined;
  const isGood =
    Array.isArray(value) && value.length <= most.lockRoots && value.every(root => isPlain(root, longest.path));
  return isGood ? undefined : { fault: 'lockRoots' };
}

function authFault(value: unknown): Refusal | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || value.length > most.auth) return { fault: 'auth' };
  for (const entry of value as unknown[]) {
    if (!isObject(entry)) return { fault: 'auth' };
    const refusal = unknownField(entry, authFields);
    if (refusal !== undefined) return refusal;
    const { user } = entry;
    if (typeof user === 'string' && user.includes(':')) return { fault: 'credentials' };
    if (!isPlain(user, longest.user)) return { fault: 'auth' };
  }
  return undefined;
}

function tlsFault(value: unknown): Refusal | undefined {
  if (value === undefined) return undefined;
  if (!isObject(value)) return { fault: 'tls' };
  const { serverName = 'left-out' } = value;
  return unknownField(value, tlsFields) ?? (isPlain(serverName, longest.serverName) ? undefined : { fault: 'tls' });
}

function fieldsFault(entry: Record<string, unknown>): Refusal | undefined {
  const { name, connectString, environment, lockRoots, readOnly, auth, tls } = entry;
  if (!isPlain(name, longest.name) || name.trim() === '') return { fault: 'name' };
  const refusal = connectStringFault(connectString);
  if (refusal !== undefined) return refusal;
  // In the settings an unknown word counts as production; a file must name a known environment.
  if (!environments.some(known => known === environment)) return { fault: 'environment' };
  if (readOnly !== undefined && typeof readOnly !== 'boolean') return { fault: 'readOnly' };
  return lockRootsFault(lockRoots) ?? authFault(auth) ?? tlsFault(tls);
}

/**
 * Reads one entry of a file. Stricter than the setting: unknown fields, invisible characters and values out of bounds are refused,
 * then the rules of the setting apply. Never throws.
 */
export function readSharedCluster(entry: unknown): SharedCluster | Refusal {
  if (!isObject(entry)) return { fault: 'not-an-object' };
  const refusal = unknownField(entry, entryFields) ?? fieldsFault(entry);
  if (refusal !== undefined) return refusal;
  // Field by field, so that no other property of the foreign object is taken over.
  const { name, connectString, environment, lockRoots, readOnly, auth, tls } = entry;
  const saved = readProfiles([{ id: 'shared', name, connectString, environment, lockRoots, readOnly, auth, tls }]);
  const [profile] = saved.profiles;
  if (profile === undefined) {
    const fault = saved.refused[0]?.fault;
    return { fault: fault === undefined || fault === 'duplicate' ? 'not-an-object' : fault };
  }
  return sharedFields(profile);
}

/** The fields of a saved cluster that are written into a file, in reading order; see `SharedCluster` for what is left out. */
export function sharedFields(profile: ClusterProfile): SharedCluster {
  const { name, connectString, environment, lockRoots, readOnly, auth, tls } = profile;
  return {
    name: name.trim(),
    connectString: connectString.trim(),
    environment,
    lockRoots: [...lockRoots],
    ...(readOnly === true ? { readOnly } : {}),
    ...(auth === undefined ? {} : { auth: auth.map(({ scheme, user }) => ({ scheme, user })) }),
    ...(tls === undefined ? {} : { tls: tls.serverName === undefined ? {} : { serverName: tls.serverName } }),
  };
}
