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
import { ClusterChanged, type ClusterChange, ReadOnlyCluster } from '../../app/clusters/clusterErrors.ts';
import { SelfBlocked } from '../../app/testLocks/testLock.ts';
import { englishText } from '../words/errorText.ts';
import type { ApiError, ApiErrorCode } from './api.ts';

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

/** Any error as one with a code. Only its message is passed on: the objects belong to the layers below. */
export function apiFailure(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error;
  const message = englishText(error);
  if (error instanceof ClusterChanged) return new ApiFailure(changeCodes[error.change], message);
  if (isZooKeeperError(error, 'NO_AUTH')) return new ApiFailure('NO_AUTH', message);
  return new ApiFailure(codes.find(([kind]) => error instanceof kind)?.[1] ?? 'FAILED', message);
}

/** Runs a call of the API. @throws ApiFailure and nothing else */
export async function guarded<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw apiFailure(error);
  }
}
