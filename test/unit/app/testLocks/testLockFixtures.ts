import type { AcquireDraft } from '../../../../src/app/testLocks/acquireDraft.ts';
import type { Hold, TestLock, TestLockRequest, TestLockState } from '../../../../src/app/testLocks/testLock.ts';
import { clusterNode } from '../../extension/fixtures.ts';

export const hold: Hold = { token: 0x1fn, paths: ['/locks/a/n-1'], since: 0, releasesAt: 60_000 };

const cluster = clusterNode();

export function requestFor(fields: Partial<TestLockRequest> = {}): TestLockRequest {
  return {
    cluster,
    recipe: 'mutex',
    paths: ['/locks/a'],
    dialect: 'curator',
    identifier: 'tester',
    timeoutMs: 0,
    autoReleaseMs: 60_000,
    ...fields,
  };
}

export function testLock(
  state: TestLockState = { kind: 'held', hold },
  fields: Partial<TestLockRequest> = {},
): TestLock {
  return { type: 'testLock', id: `${state.kind} ${fields.recipe ?? 'mutex'}`, request: requestFor(fields), state };
}

/** The answers of a user who acquires a mutex. */
export function draftFor(fields: Partial<AcquireDraft> = {}): AcquireDraft {
  return {
    title: 'Acquire',
    recipe: 'mutex',
    browser: undefined,
    asksCluster: false,
    paths: ['/locks/a'],
    asksPath: true,
    inUse: [],
    dialect: { dialect: 'curator', withHostName: false, inUse: false },
    maxLeases: 1,
    lockName: undefined,
    timeoutMs: 60_000,
    autoReleaseMs: 60_000,
    identifier: 'me',
    withOptions: false,
    ...fields,
  };
}
