import type { TestLock } from './testLock.ts';

/** An own node could not be deleted, and other test locks need the session that would take it along: its row must stay. */
export class NodeRemains extends Error {
  readonly lock: TestLock;

  constructor(lock: TestLock, cause: unknown) {
    super(`${lock.request.paths.join(', ')} was not released.`, { cause });
    this.name = 'NodeRemains';
    this.lock = lock;
  }
}

/** This window holds the lock already, so that waiting for it would never end by itself. */
export class SelfBlocked extends Error {
  readonly path: string;
  readonly lock: TestLock;

  constructor(path: string, lock: TestLock) {
    super(`${path} is held by this window already: ${lock.request.recipe} at ${lock.request.paths.join(', ')}.`);
    this.name = 'SelfBlocked';
    this.path = path;
    this.lock = lock;
  }
}
