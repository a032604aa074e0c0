import type { ServerFailure } from './connectFailure.ts';

/**
 * Why a credential was refused.
 *
 * `malformed`: it is not `user:password`; nothing was sent. `credential`: the server's answer to any scheme but SASL.
 * `no-sasl`, `no-digest-md5`: the server has no SASL, or not this mechanism. `wrong-account`: user or password.
 * `bad-challenge`, `demands-more`: what the server requires in SASL is not what RFC 2831 allows, or more than
 * authentication. `no-proof`: the server could not prove its knowledge of the password. `required`: the server serves no session
 * without a log-in, and there was none that it counts (`zookeeper.sessionRequireClientSASLAuth`, 3.6+; `enforce.auth.enabled`, 3.7+).
 */
export type LoginRefusal =
  | 'malformed'
  | 'credential'
  | 'no-sasl'
  | 'no-digest-md5'
  | 'wrong-account'
  | 'bad-challenge'
  | 'demands-more'
  | 'no-proof'
  | 'required';

/** A log-in that was refused. `server` is `host:port`, absent if nothing was sent; `detail` is for the log and holds no secret. */
export interface LoginCause {
  kind: 'login';
  server: string | undefined;
  scheme: string;
  refusal: LoginRefusal;
  detail: string;
}

/** The server refused a credential; the text contains no secret. */
export class CredentialRefused extends Error {
  private readonly scheme: string;
  private readonly refusal: LoginRefusal;

  constructor(scheme: string, refusal: LoginRefusal, detail: string) {
    super(detail);
    this.scheme = scheme;
    this.refusal = refusal;
  }

  /** @param server `host:port` */
  by(server: string): LoginCause {
    return { kind: 'login', server, scheme: this.scheme, refusal: this.refusal, detail: this.message };
  }
}

/** SESSION_CLOSED_REQUIRE_SASL_AUTH: the server's answer to any request but a log-in; then it closes the connection. */
const logInRequired = -124;

/** @returns the refusal that a server's error code stands for; `undefined` for any other code */
export function refusalOf(error: number): CredentialRefused | undefined {
  if (error !== logInRequired) return undefined;
  return new CredentialRefused('sasl', 'required', 'the server requires a SASL log-in, or another that it counts');
}

/**
 * Why a session has no confirmed contact though there is a connection.
 *
 * `late`: its acknowledgements are late. `unconfirmed`: there is no recent proof that the leader knows of the session: the server
 * may be cut off from it, or slow. `stopped`: this program, or the machine, stood still for so long that it kept nothing alive.
 */
export type Doubt = { kind: 'late' | 'unconfirmed' } | { kind: 'stopped'; forMs: number };

/**
 * Why a session has no confirmed contact, or is over, as a closed list that an interface can translate.
 *
 * `connection`: it ended, or could not be made again.
 * `silent`: presumed lost, after `timeoutMs` without confirmed contact. `expired`: a server says so. `replaced`: a server
 * handed out another session. `login`: refused at a reconnect. `closed`: by us.
 */
export type SessionCause =
  | Doubt
  | { kind: 'closed' }
  | { kind: 'connection'; failure: ServerFailure }
  | { kind: 'silent'; timeoutMs: number }
  | { kind: 'expired' | 'replaced'; server: string }
  | LoginCause;

const plainReasons = {
  late: 'answers late',
  unconfirmed: 'no recent confirmation by the leader',
  closed: 'closed',
} as const;

/** A cause in a few technical words, for logs and messages of errors. */
export function sessionReason(cause: SessionCause): string {
  if (cause.kind === 'connection') return `${serverName(cause.failure)}: ${cause.failure.detail}`;
  if (cause.kind === 'silent') return `no confirmed contact for ${String(cause.timeoutMs)} ms`;
  if (cause.kind === 'stopped') return `this program stood still for ${String(cause.forMs)} ms`;
  if (cause.kind === 'login') return cause.server === undefined ? cause.detail : `${cause.server}: ${cause.detail}`;
  if (!('server' in cause)) return plainReasons[cause.kind];
  return `${cause.kind === 'expired' ? 'expired, reported by' : 'another session from'} ${cause.server}`;
}

function serverName({ host, port }: ServerFailure): string {
  return host.includes(':') ? `[${host}]:${String(port)}` : `${host}:${String(port)}`;
}
