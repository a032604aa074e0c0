export const authSchemes = ['digest', 'sasl'] as const;

/** `digest`: user and password as they are. `sasl`: DIGEST-MD5, which does not send the password itself. */
export type AuthScheme = (typeof authSchemes)[number];

/** A log-in; its password lives in the secret storage. */
export interface ClusterAuth {
  scheme: AuthScheme;
  user: string;
}

/** The connection is encrypted and the server verified. Files are absolute paths on the machine that connects. */
export interface ClusterTls {
  /** Certificates to trust; default: those that the machine trusts. */
  caFile?: string;
  certFile?: string;
  /** Its passphrase, if any, lives in the secret storage. */
  keyFile?: string;
  /** Expected in the server's certificate; default: the host that is dialled. */
  serverName?: string;
}

/** How a cluster is reached and who we are there. Never holds a secret. */
export interface ClusterSecurity {
  auth?: readonly ClusterAuth[];
  tls?: ClusterTls;
}

export type SecurityFault = 'auth' | 'tls' | 'credentials';

/** Words that a person might write a secret under. Such an entry is refused, so that nobody believes it to be read from there. */
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
  // A connection has one SASL identity; digest identities add up.
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
  // One without the other is a slip that a server would only answer with a closed connection.
  return (tls.certFile === undefined) === (tls.keyFile === undefined) ? tls : 'tls';
}

/** Reads `auth` and `tls` of an entry of the setting. Total; a fault says which of them cannot be used. */
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

/** Equal for two profiles whose sessions are interchangeable: same servers, same identity, same verification. */
export function connectionKey(profile: ClusterSecurity & { connectString: string }): string {
  const { connectString, auth = [], tls } = profile;
  return JSON.stringify([
    connectString,
    auth.map(({ scheme, user }) => [scheme, user]),
    tls === undefined,
    ...tlsFields.map(name => tls?.[name] ?? ''),
  ]);
}
