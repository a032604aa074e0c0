import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { startObserver, type Observer } from './observer.ts';

/** Where a test works: a part of the shared server that no one else uses. Valid while a test runs. */
export interface TestRealm {
  /** With the chroot at its end: what is `/` for the client under test. */
  readonly connectString: string;
  /** Without the chroot. */
  readonly serverConnectString: string;
  /** `/test-<random>` */
  readonly chroot: string;
  /** Sees the same `/` as the client under test. */
  readonly observer: Observer;
}

/** Creates a random chroot by way of `observer`, so that it exists before the client under test connects. */
export async function freshChroot(observer: Observer): Promise<string> {
  const chroot = `/test-${randomBytes(6).toString('hex')}`;
  await observer.ensure(chroot);
  return chroot;
}

/**
 * Gives every test of the calling file or `describe` a fresh chroot on the shared server and removes it afterwards.
 *
 * @returns an object whose fields change with every test: read them inside tests only
 */
export function useTestRealm(): TestRealm {
  const serverConnectString = inject('zooKeeper');
  let all: Observer | undefined;
  let chroot = '';
  beforeAll(async () => {
    all = await startObserver(serverConnectString);
  });
  beforeEach(async () => {
    chroot = await freshChroot(all!);
  });
  afterEach(async () => {
    await all!.delete(chroot, { recursive: true });
  });
  afterAll(async () => {
    await all?.stop();
  });
  return {
    serverConnectString,
    get connectString() {
      return serverConnectString + chroot;
    },
    get chroot() {
      return chroot;
    },
    get observer() {
      return all!.within(chroot);
    },
  };
}
