import {
  LockCancelled,
  LockTimeout,
  NodeLeftBehind,
  QueueCorrupted,
  RemovedFromQueue,
  SessionLost,
  WrongDialect,
} from '../../recipes/errors.ts';
import {
  CancelledError,
  isZooKeeperError,
  NotConnectedError,
  ReplyLostError,
  SessionLostError,
} from '../../zookeeper/errors.ts';
import { ClusterChanged, type ClusterChange, ReadOnlyCluster } from '../clusters/clusterErrors.ts';
import { SelfBlocked } from '../testLocks/testLock.ts';
import type { ApiError, ApiErrorCode } from './api.ts';
import { ApiRefusal, type ApiRefusalReason } from './apiRefusal.ts';

/** The one error that leaves the API. */
export class ApiFailure extends Error implements ApiError {
  readonly code: ApiErrorCode;

  constructor(code: ApiErrorCode, message: string) {
    super(message);
    this.name = 'ZooKeeperLocksApiError';
    this.code = code;
  }
}

type ErrorClass = abstract new (...values: never[]) => Error;

const codes: readonly (readonly [ErrorClass, ApiErrorCode])[] = [
  [ReadOnlyCluster, 'READ_ONLY'],
  [SelfBlocked, 'SELF_BLOCKED'],
  [LockTimeout, 'TIMEOUT'],
  [LockCancelled, 'CANCELLED'],
  [NodeLeftBehind, 'NODE_LEFT'],
  [CancelledError, 'CANCELLED'],
  [SessionLost, 'SESSION_LOST'],
  [SessionLostError, 'SESSION_LOST'],
  [RemovedFromQueue, 'REMOVED'],
  [WrongDialect, 'WRONG_DIALECT'],
  [QueueCorrupted, 'WRONG_DIALECT'],
  [NotConnectedError, 'NOT_CONNECTED'],
  [ReplyLostError, 'NOT_CONNECTED'],
];

const changeCodes: Record<ClusterChange, ApiErrorCode> = {
  removed: 'UNKNOWN_CLUSTER',
  changed: 'CANCELLED',
  disconnected: 'NOT_CONNECTED',
};

const refusalCodes: Record<ApiRefusalReason, ApiErrorCode> = {
  untrusted: 'UNTRUSTED',
  'unknown-cluster': 'UNKNOWN_CLUSTER',
  'not-connected': 'NOT_CONNECTED',
  'not-installed': 'NOT_ALLOWED',
  'not-allowed': 'NOT_ALLOWED',
  'too-many': 'TOO_MANY',
  'released-at-once': 'CANCELLED',
};

/** The words for an error in the display language; `withAdvice`: and what to do next. */
export type ErrorWords = (error: unknown, withAdvice: boolean) => string;

function codeOf(error: unknown): ApiErrorCode | undefined {
  if (error instanceof ApiRefusal) return refusalCodes[error.reason];
  if (error instanceof ClusterChanged) return changeCodes[error.change];
  if (isZooKeeperError(error, 'NO_AUTH')) return 'NO_AUTH';
  return codes.find(([kind]) => error instanceof kind)?.[1];
}

/** Any error as one with a code. Only its words are passed on: the objects belong to the layers below. */
export function apiFailure(error: unknown, words: ErrorWords): ApiError {
  if (error instanceof ApiFailure) return error;
  const code = codeOf(error);
  // The advice for other errors names the log, which has no entry of what a caller caught.
  return new ApiFailure(code ?? 'FAILED', words(error, code !== undefined));
}
