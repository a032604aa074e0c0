import { textOf, type ServerFailure } from './connectFailure.ts';
import { sessionReason, type LoginCause, type SessionCause } from './sessionCause.ts';

/** Names of the server's error codes (KeeperException.java, 3.4 to 3.9). */
const codeNames = new Map<number, string>([
  [-1, 'SYSTEM_ERROR'],
  [-2, 'RUNTIME_INCONSISTENCY'],
  [-3, 'DATA_INCONSISTENCY'],
  [-4, 'CONNECTION_LOSS'],
  [-5, 'MARSHALLING_ERROR'],
  [-6, 'UNIMPLEMENTED'],
  [-7, 'OPERATION_TIMEOUT'],
  [-8, 'BAD_ARGUMENTS'],
  [-12, 'UNKNOWN_SESSION'],
  [-13, 'NEW_CONFIG_NO_QUORUM'],
  [-14, 'RECONFIG_IN_PROGRESS'],
  [-100, 'API_ERROR'],
  [-101, 'NO_NODE'],
  [-102, 'NO_AUTH'],
  [-103, 'BAD_VERSION'],
  [-108, 'NO_CHILDREN_FOR_EPHEMERALS'],
  [-110, 'NODE_EXISTS'],
  [-111, 'NOT_EMPTY'],
  [-112, 'SESSION_EXPIRED'],
  [-113, 'INVALID_CALLBACK'],
  [-114, 'INVALID_ACL'],
  [-115, 'AUTH_FAILED'],
  [-118, 'SESSION_MOVED'],
  [-119, 'NOT_READONLY'],
  [-120, 'EPHEMERAL_ON_LOCAL_SESSION'],
  [-121, 'NO_WATCHER'],
  [-122, 'REQUEST_TIMEOUT'],
  [-123, 'RECONFIG_DISABLED'],
  [-124, 'SESSION_CLOSED_REQUIRE_SASL_AUTH'],
  [-125, 'QUOTA_EXCEEDED'],
  [-127, 'THROTTLED_OP'],
]);

const advice = new Map<string, string>([
  ['NO_NODE', 'It does not exist (any more). Refresh the view.'],
  [
    'NO_AUTH',
    'Your credentials lack the right for it. Check the ACL of the node, or of its parent for create and delete.',
  ],
  ['BAD_VERSION', 'It changed since it was read. Read it again before you decide.'],
  ['NODE_EXISTS', 'Somebody else created it first.'],
  ['NOT_EMPTY', 'It has children. Remove them first if they are not needed.'],
  ['NO_CHILDREN_FOR_EPHEMERALS', 'The parent is an ephemeral node. Choose another path.'],
  ['NOT_READONLY', 'The server lost its quorum and only serves reads. Wait until the ensemble has a leader again.'],
  ['THROTTLED_OP', 'The server is overloaded and refused the request. Try again later.'],
  ['QUOTA_EXCEEDED', 'The quota of this part of the tree is used up. Ask who runs the ensemble.'],
  ['UNIMPLEMENTED', 'This server is too old for the request, or the feature is switched off there.'],
  ['SESSION_EXPIRED', 'The session is over and its ephemeral nodes are gone. Connect again.'],
  ['SESSION_MOVED', 'The session is attached to another server. Try again.'],
  ['BAD_ARGUMENTS', 'The server does not allow this for that path.'],
]);

/**
 * The server answered a request with an error code.
 *
 * `codeName` is the constant of KeeperException (`NO_NODE`, ...) or `CODE_<n>` for one that this version does not know.
 */
export class ZooKeeperError extends Error {
  readonly code: number;
  readonly codeName: string;
  readonly path: string;
  /** Which request: `create`, `getData`, ... */
  readonly operation: string;

  constructor(code: number, operation: string, path: string) {
    const codeName = codeNames.get(code) ?? `CODE_${String(code)}`;
    const next = advice.get(codeName) ?? 'See the log of the ZooKeeper server for the cause.';
    super(`${operation} ${path} failed: ${codeName} (${String(code)}). ${next}`);
    this.name = 'ZooKeeperError';
    this.code = code;
    this.codeName = codeName;
    this.path = path;
    this.operation = operation;
  }
}

/** Whether `error` is the server's answer `codeName`. */
export function isZooKeeperError(error: unknown, codeName: string): boolean {
  return error instanceof ZooKeeperError && error.codeName === codeName;
}

/** There is no confirmed connection: nothing was sent, so nothing has happened. */
export class NotConnectedError extends Error {
  readonly operation: string;
  readonly path: string;

  constructor(operation: string, path: string, why: string) {
    super(`${operation} ${path} was not sent: ${why}. Wait until the connection is back and try again.`);
    this.name = 'NotConnectedError';
    this.operation = operation;
    this.path = path;
  }
}

/** A read was sent and its reply was lost or came too late. Reading again is safe. */
export class ReplyLostError extends Error {
  readonly operation: string;
  readonly path: string;

  constructor(operation: string, path: string, why: string) {
    super(`${operation} ${path} got no answer: ${why}. Try again.`);
    this.name = 'ReplyLostError';
    this.operation = operation;
    this.path = path;
  }
}

/** The reply was larger than this tool keeps; the connection goes on. */
export class ReplyTooLargeError extends Error {
  readonly operation: string;
  readonly path: string;
  readonly bytes: number;

  constructor(operation: string, path: string, bytes: number) {
    super(
      `${operation} ${path}: the answer has ${String(bytes)} bytes, too many to show. Open a smaller part of the tree.`,
    );
    this.name = 'ReplyTooLargeError';
    this.operation = operation;
    this.path = path;
    this.bytes = bytes;
  }
}

/** A write was sent and its reply was lost: it may or may not have happened. Never repeat it before looking. */
export class OutcomeUnknownError extends Error {
  readonly operation: string;
  readonly path: string;

  constructor(operation: string, path: string, why: string) {
    super(`${operation} ${path}: outcome unknown, ${why}. Look at the node before you try again.`);
    this.name = 'OutcomeUnknownError';
    this.operation = operation;
    this.path = path;
  }
}

/** The session is over: its ephemeral nodes and watches are gone. */
export class SessionLostError extends Error {
  readonly why: SessionCause;

  constructor(why: SessionCause, message = `The session is lost: ${sessionReason(why)}. Connect again.`) {
    super(message);
    this.name = 'SessionLostError';
    this.why = why;
  }
}

/** A server refused the credentials, so there is no session. The text names the scheme, never the secret. */
export class AuthenticationFailedError extends SessionLostError {
  declare readonly why: LoginCause;

  constructor(why: LoginCause) {
    super(why, `The credentials were refused: ${sessionReason(why)}. Check scheme, user and password.`);
    this.name = 'AuthenticationFailedError';
  }
}

/** The page, person or program asked to stop. */
export class CancelledError extends Error {
  constructor(what: string) {
    super(`${what} was cancelled.`);
    this.name = 'CancelledError';
  }
}

/** No server could be used within the deadline; one cause per server. */
export class ConnectError extends Error {
  readonly causes: readonly ServerFailure[];

  constructor(causes: readonly ServerFailure[], timeoutMs: number) {
    const list = causes.map(cause => `${cause.host}:${String(cause.port)} (${textOf(cause)})`).join('; ');
    super(`No ZooKeeper server answered within ${String(timeoutMs)} ms: ${list === '' ? 'none was tried' : list}.`);
    this.name = 'ConnectError';
    this.causes = causes;
  }
}

export type ConnectStringFault = 'empty' | 'blank' | 'host' | 'port' | 'chroot' | 'separator';

/** The connect string cannot be used; `fault` and `part` (foreign text) say where. */
export class ConnectStringError extends Error {
  readonly fault: ConnectStringFault;
  readonly part: string;

  constructor(fault: ConnectStringFault, part: string, message: string) {
    super(message);
    this.name = 'ConnectStringError';
    this.fault = fault;
    this.part = part;
  }
}
