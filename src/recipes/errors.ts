/** The lock was not free within the time limit; the attempt has left the queue. */
export class LockTimeout extends Error {
  readonly path: string;
  readonly timeoutMs: number;

  constructor(path: string, timeoutMs: number) {
    const limit = timeoutMs === 0 ? 'it is not free now' : `it was not free within ${timeoutMs} ms`;
    super(`${path} was not acquired: ${limit}. The queue shows who holds it.`);
    this.name = 'LockTimeout';
    this.path = path;
    this.timeoutMs = timeoutMs;
  }
}

/** The attempt was cancelled and has left the queue. */
export class LockCancelled extends Error {
  readonly path: string;

  constructor(path: string) {
    super(`Acquiring ${path} was cancelled.`);
    this.name = 'LockCancelled';
    this.path = path;
  }
}

/** The session ended while the attempt waited; its node is gone with it. */
export class SessionLost extends Error {
  readonly path: string;

  constructor(path: string, why: string) {
    super(`${path} was not acquired: ${why}. Connect again and make a new attempt.`);
    this.name = 'SessionLost';
    this.path = path;
  }
}

/** Somebody deleted our waiting node. The attempt does not queue up again by itself: its place is gone. */
export class RemovedFromQueue extends Error {
  readonly path: string;

  constructor(path: string) {
    super(`${path} was deleted by somebody else while it waited. Acquire again to queue up at the end.`);
    this.name = 'RemovedFromQueue';
    this.path = path;
  }
}

/** The path is in use in a way that this lock would not exclude, or is excluded from. */
export class WrongDialect extends Error {
  readonly path: string;

  constructor(path: string, why: string) {
    super(`${path} was not touched: ${why}`);
    this.name = 'WrongDialect';
    this.path = path;
  }
}

/** The order of the queue cannot be trusted: the parent's counter has run out (L16). */
export class QueueCorrupted extends Error {
  readonly path: string;

  constructor(path: string, why: string) {
    super(`${path} cannot be used: ${why}. Drain the queue and re-create the lock's directory.`);
    this.name = 'QueueCorrupted';
    this.path = path;
  }
}

/** Some locks of a multi-lock were not released; all were tried, in reverse order. */
export class MultiReleaseError extends AggregateError {
  constructor(failures: readonly Error[]) {
    super(failures, `${failures.length} of the locks were not released: ${failures.map(f => f.message).join('; ')}`);
    this.name = 'MultiReleaseError';
  }
}
