import { sessionText } from '../../base/sessionText.ts';
import type { Contender, LockQueue } from '../../locks/lockQueue.ts';
import { mayHold, type Hold, type TestLock } from '../testLocks/testLock.ts';
import type { TestLockRegistry } from '../testLocks/testLockRegistry.ts';
import type { ApiContender, ApiQueue, ApiTestLock } from './api.ts';

/** A number of 64 bits that is not negative, as text. */
function hexText(id: bigint): string {
  return `0x${id.toString(16)}`;
}

function apiContender({ ownerSession, czxid, heldSince, ...fields }: Contender): ApiContender {
  const held = heldSince === undefined ? {} : { heldSince: Object.freeze({ ...heldSince }) };
  return Object.freeze({ ...fields, ...held, ownerSession: sessionText(ownerSession), czxid: hexText(czxid) });
}

/** A queue for another extension: a frozen copy without a bigint. */
export function apiQueue({ contenders, strangers, hazards, ...fields }: LockQueue): ApiQueue {
  return Object.freeze({
    ...fields,
    contenders: Object.freeze(contenders.map(contender => apiContender(contender))),
    strangers: Object.freeze([...strangers]),
    hazards: Object.freeze(hazards.map(({ kind, names }) => Object.freeze({ kind, names: Object.freeze([...names]) }))),
  });
}

type Registry = Pick<TestLockRegistry, 'has' | 'sync' | 'release' | 'onChange'>;

function stateOf(lock: TestLock, registry: Registry): ApiTestLock['state'] {
  const { kind } = lock.state;
  if (kind === 'lost') return 'lost';
  // Being released, or not to be released: in either case nothing more may be done under it.
  if (!registry.has(lock)) return 'released';
  return kind === 'held' || kind === 'uncertain' ? kind : 'released';
}

/** Runs a call of the API. @throws ApiError and nothing else */
export type Guarded = <T>(call: () => Promise<T>) => Promise<T>;

/** A lock that was acquired, for another extension. */
export function apiTestLock(
  lock: TestLock,
  { paths, token }: Hold,
  autoReleaseMs: number,
  registry: Registry,
  guarded: Guarded,
): ApiTestLock {
  const over = new AbortController();
  const listener = registry.onChange(changed => {
    if (changed === lock) follow();
  });
  const follow = (): void => {
    const state = stateOf(lock, registry);
    if (state === 'held' || state === 'uncertain') return;
    listener.dispose();
    over.abort();
  };
  // It may be over again since it was acquired.
  follow();
  return Object.freeze({
    paths: Object.freeze([...paths]),
    fencingToken: hexText(token),
    autoReleaseMs,
    get state(): ApiTestLock['state'] {
      registry.sync();
      return stateOf(lock, registry);
    },
    signal: over.signal,
    release: () =>
      guarded(async () => {
        // A row that says that the lock is lost stays for the person to read.
        if (registry.has(lock) && mayHold(lock)) await registry.release(lock);
      }),
  });
}
