import { FactError } from '../base/factError.ts';
import { textOf, type ServerFailure } from './connectFailure.ts';
import { ErrorCode } from './wire/errorCodes.ts';
import { sessionReason, type LoginCause, type SessionCause } from './sessionCause.ts';

const codeNames = new Map<number, string>(Object.entries(ErrorCode).map(([name, code]) => [code, name]));

/**
 * The server answered a request with an error code.
 *
 * `codeName` is the constant of KeeperException (`NO_NODE`, ...) or `CODE_<n>` for an unknown code.
 */
export class ZooKeeperError extends FactError {
  readonly code: number;
  readonly codeName: string;
  readonly path: string;
  /** Which request: `create`, `getData`, ... */
  readonly operation: string;

  /** @param detail what else is known, for the message */
  constructor(code: number, operation: string, path: string, detail = '') {
    const codeName = codeNames.get(code) ?? `CODE_${String(code)}`;
    super('ZooKeeperError', `${operation} ${path}: ${codeName}${detail}`);
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

/** What a request yields; `undefined` if the server answers it with one of `codeNames`. @throws what else `request` throws */
export async function unlessAnswered<T>(request: Promise<T>, ...codeNames: string[]): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (codeNames.some(codeName => isZooKeeperError(error, codeName))) return undefined;
    throw error;
  }
}

/** A request without an answer. */
abstract class RequestError extends FactError {
  readonly operation: string;
  readonly path: string;

  constructor(name: string, operation: string, path: string, outcome: string) {
    super(name, `${operation} ${path}: ${outcome}`);
    this.operation = operation;
    this.path = path;
  }
}

/** There is no confirmed connection: nothing was sent, so nothing has happened. */
export class NotConnectedError extends RequestError {
  constructor(operation: string, path: string, why: string) {
    super('NotConnectedError', operation, path, `not sent (${why})`);
  }
}

/** A read was sent and its reply was lost or came too late. Reading again is safe. */
export class ReplyLostError extends RequestError {
  constructor(operation: string, path: string, why: string) {
    super('ReplyLostError', operation, path, `no answer (${why})`);
  }
}

/** The reply was larger than this tool keeps; the connection goes on. */
export class ReplyTooLargeError extends RequestError {
  readonly bytes: number;

  constructor(operation: string, path: string, bytes: number) {
    super('ReplyTooLargeError', operation, path, `reply too large (${String(bytes)} bytes)`);
    this.bytes = bytes;
  }
}

/** A write was sent and its reply was lost: it may or may not have happened. Read the node before you repeat the write. */
export class OutcomeUnknownError extends RequestError {
  constructor(operation: string, path: string, why: string) {
    super('OutcomeUnknownError', operation, path, `outcome unknown (${why})`);
  }
}

/** The session is over: its ephemeral nodes and watches are gone. */
export class SessionLostError extends FactError {
  readonly why: SessionCause;

  constructor(why: SessionCause, name = 'SessionLostError') {
    super(name, sessionReason(why));
    this.why = why;
  }
}

/** A server refused the credentials, so there is no session. The message names the scheme, never the secret. */
export class AuthenticationFailedError extends SessionLostError {
  declare readonly why: LoginCause;

  constructor(why: LoginCause) {
    super(why, 'AuthenticationFailedError');
  }
}

/** The user, or the program that called, cancelled `what`. */
export class CancelledError extends FactError {
  constructor(what: string) {
    super('CancelledError', `${what} was cancelled`);
  }
}

/** No server could be used; the latest cause of each. */
export class ConnectError extends FactError {
  readonly causes: readonly ServerFailure[];

  /** @param elapsedMs how long it was tried */
  constructor(causes: readonly ServerFailure[], elapsedMs: number) {
    const list = causes.map(cause => `${cause.host}:${String(cause.port)} (${textOf(cause)})`);
    super('ConnectError', `after ${Math.round(elapsedMs)} ms: ${list.join('; ')}`);
    this.causes = causes;
  }
}

export type ConnectStringFault = 'empty' | 'blank' | 'host' | 'port' | 'chroot' | 'separator';

/** The connect string cannot be used; `fault` and `part` (foreign text) say where. */
export class ConnectStringError extends FactError {
  readonly fault: ConnectStringFault;
  readonly part: string;

  constructor(fault: ConnectStringFault, part: string) {
    super('ConnectStringError', `${fault} "${part}"`);
    this.fault = fault;
    this.part = part;
  }
}
