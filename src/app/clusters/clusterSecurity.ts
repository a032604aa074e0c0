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

function isObject(value: unknown): value is Record<string, unknown> {
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

/** Reads `auth` and `tls` of an entry of the setting. Never throws; a fault is the part that cannot be used. */
export function readSecurity(fields: { auth?: unknown; tls?: unknown }): ClusterSecurity | SecurityFault {
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
