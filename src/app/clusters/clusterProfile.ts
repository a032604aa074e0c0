export const authSchemes = ['digest', 'sasl'] as const;

/** `digest`: sends user and password in plain text. `sasl`: DIGEST-MD5, which does not send the password itself. */
export type AuthScheme = (typeof authSchemes)[number];

/** A log-in; the secret storage keeps its password. */
export interface ClusterAuth {
  scheme: AuthScheme;
  user: string;
}

/** The connection is encrypted and the server verified. Files are absolute paths on this machine. */
export interface ClusterTls {
  /** Certificates to trust; default: those of the machine. */
  caFile?: string;
  certFile?: string;
  /** The secret storage keeps its passphrase, if it has one. */
  keyFile?: string;
  /** The name expected in the server's certificate; default: the host of the connect string. */
  serverName?: string;
}

/** How to log in to a cluster and encrypt the connection. Never holds a secret. */
export interface ClusterSecurity {
  auth?: readonly ClusterAuth[];
  tls?: ClusterTls;
}

export type SecurityFault = 'auth' | 'tls' | 'credentials';

/** Fields under which a secret may be written by hand. Such an entry is refused: secrets are not read from settings. */
const secretFields = ['password', 'credential', 'passphrase', 'keyPassword', 'secret'];

/** Whether a value from JSON is an object with fields. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function holdsSecret(fields: Record<string, unknown>): boolean {
  return secretFields.some(name => Object.hasOwn(fields, name));
}

/** Why a user name cannot be used: `credentials` if it carries a password behind a colon. */
export function userFault(user: string): 'auth' | 'credentials' | undefined {
  if (user.includes(':')) return 'credentials';
  return user.trim() === '' || /\p{Cc}/u.test(user) ? 'auth' : undefined;
}

function readAuthEntry(entry: unknown): ClusterAuth | SecurityFault {
  if (!isObject(entry)) return 'auth';
  if (holdsSecret(entry)) return 'credentials';
  const scheme = authSchemes.find(known => known === entry['scheme']);
  const { user } = entry;
  if (scheme === undefined || typeof user !== 'string') return 'auth';
  return userFault(user) ?? { scheme, user };
}

function readAuth(value: unknown): ClusterAuth[] | SecurityFault {
  if (!Array.isArray(value)) return 'auth';
  const auth: ClusterAuth[] = [];
  for (const entry of value) {
    const read = readAuthEntry(entry);
    if (typeof read === 'string') return read;
    if (!auth.some(({ scheme, user }) => scheme === read.scheme && user === read.user)) auth.push(read);
  }
  // A connection has one SASL identity, but any number of digest identities.
  return auth.filter(({ scheme }) => scheme === 'sasl').length > 1 ? 'auth' : auth;
}

const tlsFields = ['caFile', 'certFile', 'keyFile', 'serverName'] as const satisfies (keyof ClusterTls)[];

function readTls(value: unknown): ClusterTls | SecurityFault {
  if (!isObject(value)) return 'tls';
  if (holdsSecret(value)) return 'credentials';
  const tls: ClusterTls = {};
  for (const name of tlsFields) {
    const text = value[name];
    if (text === undefined) continue;
    if (typeof text !== 'string' || text.trim() === '' || /\p{Cc}/u.test(text)) return 'tls';
    tls[name] = text;
  }
  // With only one of them the server would close the connection without a reason.
  return (tls.certFile === undefined) === (tls.keyFile === undefined) ? tls : 'tls';
}

function readSecurity(fields: { auth: unknown; tls: unknown }): ClusterSecurity | SecurityFault {
  const security: ClusterSecurity = {};
  if (fields.auth !== undefined) {
    const auth = readAuth(fields.auth);
    if (typeof auth === 'string') return auth;
    if (auth.length > 0) security.auth = auth;
  }
  if (fields.tls !== undefined) {
    const tls = readTls(fields.tls);
    if (typeof tls === 'string') return tls;
    security.tls = tls;
  }
  return security;
}

export const environments = ['development', 'staging', 'production'] as const;

export type Environment = (typeof environments)[number];

/** A cluster of the list. Never holds a secret: the secret storage keeps those, under `id`. */
export interface ClusterProfile extends ClusterSecurity {
  /** Identity of its rows and secrets; stays when the cluster is renamed. */
  id: string;
  name: string;
  connectString: string;
  environment: Environment;
  /** Where the search for locks starts. */
  lockRoots: readonly string[];
  /** Every write is refused, from commands, panels and other extensions alike. */
  readOnly?: boolean;
  /** The sandbox of this window: in no setting, so it is neither edited nor exported, and forgotten when it ends. */
  isSandbox?: true;
  /** A record of the past that this window has opened: in no setting, and `readOnly`. */
  isRecording?: true;
  /** Whose past it is; of a recording only. Foreign text: a file may say it. */
  recorded?: RecordedCluster;
}

/** The cluster of a record of the past. */
export interface RecordedCluster {
  name: string;
  /** '': not known. */
  environment: string;
}

/** Whether a cluster ends with this window, since no setting has it. */
export function isOfWindow({ isSandbox, isRecording }: Pick<ClusterProfile, 'isSandbox' | 'isRecording'>): boolean {
  return isSandbox === true || isRecording === true;
}

/** Characters, for names that are typed or imported; a setting written by hand may hold longer ones. */
export const longestClusterName = 200;

/** An entry of the setting that cannot be used. `fault`: the part that is wrong. */
export interface RefusedProfile {
  index: number;
  fault: 'not-an-object' | 'name' | 'connectString' | 'lockRoots' | 'duplicate' | SecurityFault;
}

export interface SavedClusters {
  profiles: ClusterProfile[];
  refused: RefusedProfile[];
}

/** Whether a connect string carries `user:password@`; such a string is never stored. */
export function hasCredentials(connectString: string): boolean {
  return connectString.includes('@');
}

/** Whether `path` is an absolute ZooKeeper path in its normal form. */
export function isLockPath(path: string): boolean {
  if (path === '/') return true;
  if (!path.startsWith('/')) return false;
  return path
    .slice(1)
    .split('/')
    .every(name => name !== '' && name !== '.' && name !== '..' && !name.includes('\0'));
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function environmentOf(value: unknown): Environment {
  // An unknown word counts as production, the strictest.
  return environments.find(known => known === value) ?? (value === undefined ? 'development' : 'production');
}

function lockRootsOf(value: unknown): string[] | undefined {
  if (value === undefined) return ['/'];
  if (!Array.isArray(value) || !value.every((root): root is string => typeof root === 'string' && isLockPath(root))) {
    return undefined;
  }
  return value.length === 0 ? ['/'] : [...new Set(value)];
}

function readEntry(entry: unknown): ClusterProfile | RefusedProfile['fault'] {
  if (!isObject(entry)) return 'not-an-object';
  const { id, name, connectString, environment, lockRoots, readOnly, auth, tls } = entry;
  if (!isText(name)) return 'name';
  if (!isText(connectString)) return 'connectString';
  if (hasCredentials(connectString)) return 'credentials';
  const roots = lockRootsOf(lockRoots);
  if (roots === undefined) return 'lockRoots';
  const security = readSecurity({ auth, tls });
  if (typeof security === 'string') return security;
  return {
    id: isText(id) ? id : connectString,
    name,
    connectString,
    environment: environmentOf(environment),
    lockRoots: roots,
    // Any value but `false` counts as read-only: it was meant as a protection.
    ...(readOnly === undefined || readOnly === false ? {} : { readOnly: true }),
    ...security,
  };
}

/**
 * Reads the setting of saved clusters. Never throws: entries that cannot be used are returned in `refused`.
 *
 * @param setting the raw value, of any type
 */
export function readProfiles(setting: unknown): SavedClusters {
  const saved: SavedClusters = { profiles: [], refused: [] };
  if (!Array.isArray(setting)) return saved;
  const ids = new Set<string>();
  for (const [index, entry] of setting.entries()) {
    const profile = readEntry(entry);
    if (typeof profile === 'string') saved.refused.push({ index, fault: profile });
    else if (ids.has(profile.id)) saved.refused.push({ index, fault: 'duplicate' });
    else {
      ids.add(profile.id);
      saved.profiles.push(profile);
    }
  }
  return saved;
}

/** Equal for two profiles that can share a session: same servers, log-ins and TLS fields. */
export function connectionKey(profile: ClusterSecurity & { connectString: string }): string {
  const { connectString, auth = [], tls } = profile;
  return JSON.stringify([
    connectString,
    auth.map(({ scheme, user }) => [scheme, user]),
    tls === undefined,
    ...tlsFields.map(name => tls?.[name] ?? ''),
  ]);
}
