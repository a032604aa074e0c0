import { isLockPath } from '../clusters/clusterProfile.ts';
import { longestMs } from '../testLocks/durations.ts';
import type { ApiLockRequest } from './api.ts';
import { ApiFailure } from './apiFailure.ts';

/** A request whose every field was looked at, once. */
export type CheckedRequest = Required<Omit<ApiLockRequest, 'signal' | 'identifier'>> & {
  identifier: string;
  signal: AbortSignal | undefined;
};

const recipes = ['mutex', 'exclusive', 'read', 'write', 'semaphore'] as const;

const shortestReleaseMs = 1_000;
/** An extension that forgets a lock must not stop real services for longer. */
const longestReleaseMs = 3_600_000;
const longestIdentifier = 100;
const longestPath = 10_000;

function refuse(field: keyof ApiLockRequest, rule: string): never {
  throw new ApiFailure('BAD_REQUEST', `"${field}" ${rule}.`);
}

function wholeNumber(field: keyof ApiLockRequest, value: unknown, fallback: number, min: number, max: number): number {
  if (value === undefined) return fallback;
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  return refuse(field, `must be a whole number from ${String(min)} to ${String(max)}`);
}

function text(field: keyof ApiLockRequest, value: unknown, max: number): string {
  if (typeof value === 'string' && value.trim() !== '' && value.length <= max && !/\p{Cc}/u.test(value)) return value;
  return refuse(field, `must be a text of 1 to ${String(max)} characters`);
}

/** An absolute path in its normal form. @throws ApiFailure BAD_REQUEST */
export function checkedPath(value: unknown): string {
  const path = text('path', value, longestPath);
  return isLockPath(path) ? path : refuse('path', 'must be an absolute path without "." and ".."');
}

/** @throws ApiFailure BAD_REQUEST */
export function checkedSignal(value: unknown): AbortSignal | undefined {
  return value === undefined || value instanceof AbortSignal ? value : refuse('signal', 'must be an AbortSignal');
}

/**
 * Checks what another extension asks for; it may be JavaScript and pass anything.
 *
 * @param defaultReleaseMs from the settings
 * @throws ApiFailure BAD_REQUEST
 */
export function checkedRequest(given: unknown, defaultReleaseMs: number): CheckedRequest {
  if (typeof given !== 'object' || given === null)
    throw new ApiFailure('BAD_REQUEST', 'The request must be an object.');
  const { extensionId, clusterId, path, recipe, maxLeases, identifier, timeoutMs, autoReleaseMs, signal } =
    given as Record<string, unknown>;
  const release = Math.min(longestReleaseMs, defaultReleaseMs);
  return {
    extensionId: text('extensionId', extensionId, 200),
    clusterId: text('clusterId', clusterId, longestPath),
    path: checkedPath(path),
    recipe: recipes.find(known => known === recipe) ?? refuse('recipe', `must be one of ${recipes.join(', ')}`),
    maxLeases: wholeNumber('maxLeases', maxLeases, 1, 1, 999_999),
    identifier: identifier === undefined ? '' : text('identifier', identifier, longestIdentifier),
    timeoutMs: wholeNumber('timeoutMs', timeoutMs, 60_000, 0, longestMs),
    autoReleaseMs: wholeNumber('autoReleaseMs', autoReleaseMs, release, shortestReleaseMs, longestReleaseMs),
    signal: checkedSignal(signal),
  };
}
