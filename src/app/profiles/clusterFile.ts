import { FactError } from '../../base/factError.ts';
import {
  type ClusterProfile,
  environments,
  hasCredentials,
  isObject,
  longestClusterName,
  readProfiles,
  type ClusterAuth,
  type SecurityFault,
} from '../clusters/clusterProfile.ts';
import { parseConnectString } from '../../zookeeper/connectString.ts';
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
export interface SharedCluster extends Omit<
  ClusterProfile,
  'id' | 'auth' | 'tls' | 'isSandbox' | 'isRecording' | 'recorded'
> {
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
  /** The field that is unknown. */
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
function readSharedCluster(entry: unknown): SharedCluster | Refusal {
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

/** Marks a file as a file of clusters, whatever its name. */
export const clusterFileKind = 'zookeeper-lock-inspector/clusters';

/** Goes up when an older version of this extension could misread a new file. */
export const clusterFileVersion = 1;

/** A larger file was chosen by mistake. Bytes. */
export const largestClusterFile = 1024 * 1024;

const mostClusters = 500;

/** An entry of a file that cannot be used. `name` and `field` are foreign text. */
export interface RefusedEntry extends Omit<Refusal, 'fault'> {
  index: number;
  name: string | undefined;
  fault: EntryFault | 'duplicate';
}

export interface ClusterFileContent {
  clusters: SharedCluster[];
  refused: RefusedEntry[];
}

/** Why a file of clusters cannot be used as a whole. */
export type ClusterFileFault =
  'too-large' | 'not-json' | 'kind' | 'version' | 'newer' | 'unknown-field' | 'clusters' | 'too-many' | 'unreadable';

/** A file of clusters cannot be used. Of its content, only the name of a field that should not be there is shown. */
export class ClusterFileError extends FactError {
  readonly fault: ClusterFileFault;
  /** Foreign text. */
  readonly field: string;

  constructor(fault: ClusterFileFault, field = '') {
    super('ClusterFileError', `${fault} ${JSON.stringify(field)}`);
    this.fault = fault;
    this.field = field;
  }
}

const topFields: ReadonlySet<string> = new Set(['$schema', 'kind', 'version', 'clusters']);

function parse(bytes: Uint8Array): unknown {
  if (bytes.byteLength > largestClusterFile) throw new ClusterFileError('too-large');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    // The parser's own text would repeat a piece of the file.
    throw new ClusterFileError('not-json');
  }
}

function checkVersion(version: unknown): void {
  if (version === clusterFileVersion) return;
  throw new ClusterFileError(typeof version === 'number' && version > clusterFileVersion ? 'newer' : 'version');
}

function entriesOf(content: unknown): readonly unknown[] {
  if (!isObject(content) || content['kind'] !== clusterFileKind) throw new ClusterFileError('kind');
  const { version, clusters } = content;
  checkVersion(version);
  const unknown = Object.keys(content).find(name => !topFields.has(name));
  if (unknown !== undefined) throw new ClusterFileError('unknown-field', unknown);
  if (!Array.isArray(clusters)) throw new ClusterFileError('clusters');
  if (clusters.length > mostClusters) throw new ClusterFileError('too-many');
  return clusters;
}

function nameOf(entry: unknown): string | undefined {
  return isObject(entry) && typeof entry['name'] === 'string' ? entry['name'] : undefined;
}

/**
 * Reads a file of clusters from another machine. Every field is checked; an entry with a field that is unknown or wrong
 * is refused and reported, the others can be used. Two entries of one name: the second is refused.
 *
 * @throws ClusterFileError when the file as a whole cannot be used
 */
export function readClusterFile(bytes: Uint8Array): ClusterFileContent {
  const content: ClusterFileContent = { clusters: [], refused: [] };
  const names = new Set<string>();
  for (const [index, entry] of entriesOf(parse(bytes)).entries()) {
    const read = readSharedCluster(entry);
    if ('fault' in read) content.refused.push({ index, name: nameOf(entry), ...read });
    else if (names.has(read.name)) content.refused.push({ index, name: read.name, fault: 'duplicate' });
    else {
      names.add(read.name);
      content.clusters.push(read);
    }
  }
  return content;
}

/**
 * Writes clusters for others: never a password, passphrase, id or path of a certificate file (see `sharedFields`). A cluster
 * that `readClusterFile` would refuse, because it was written into the settings by hand, is left out and returned.
 *
 * @returns the text of the file, and what it does not contain
 */
export function clusterFileText(profiles: readonly ClusterProfile[]): { text: string; leftOut: ClusterProfile[] } {
  const names = new Set<string>();
  const clusters: object[] = [];
  const leftOut: ClusterProfile[] = [];
  for (const profile of profiles) {
    const fields = sharedFields(profile);
    if ('fault' in readSharedCluster(fields) || names.has(profile.name.trim())) leftOut.push(profile);
    else clusters.push(fields);
    names.add(profile.name.trim());
  }
  const content = { kind: clusterFileKind, version: clusterFileVersion, clusters };
  return { text: `${JSON.stringify(content, undefined, 2)}\n`, leftOut };
}
