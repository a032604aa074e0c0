import { expect } from 'vitest';
import type { Deadlock } from '../../../src/inspector/findDeadlocks.ts';
import type { StaleFinding } from '../../../src/inspector/findStale.ts';
import { queueByWatches } from '../../../src/inspector/queueByWatches.ts';
import { downgradedReaders, WaitWatches, withHolders, type ServerFacts } from '../../../src/inspector/waitWatches.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';

/** Who holds, or waits, for certain, and who may, those included. */
export interface Claim {
  certain: string[];
  possible: string[];
}

/** Healthy nodes stay unmarked when they are older than this, ms: some marks are not made of nodes that have just come. */
export const laterMs = 60_000;

/** @param truth names or sessions, sorted */
export function expectTrue({ certain, possible }: Claim, truth: readonly string[], what: string): void {
  if (certain.length === possible.length) expect(certain, what).toEqual(truth);
  else {
    expect(truth, what).toEqual(expect.arrayContaining(certain));
    expect(possible, what).toEqual(expect.arrayContaining([...truth]));
  }
}

/** An assertion's message with both sides. */
export function describeFailure(error: unknown): string {
  const { actual, expected } = error as { actual?: unknown; expected?: unknown };
  return `${String(error)}\nsaid: ${JSON.stringify(actual)}\ntrue: ${JSON.stringify(expected)}`;
}

/** Stale nodes in words. */
export function signs(findings: readonly StaleFinding[]): string[] {
  return findings.map(
    ({ contender, reasons }) => `${contender.name}: ${reasons.map(({ reason }) => reason).join(' ')}`,
  );
}

/** Deadlocks in words. */
export function circles(deadlocks: readonly Deadlock[]): string[] {
  return deadlocks.map(({ members, locks }) => `${members.join(' ')} at ${locks.map(({ path }) => path).join(' ')}`);
}

/** The queues as the inspector shows them once it knows the watches. */
export function withWatches(queues: readonly LockQueue[], facts: ServerFacts): LockQueue[] {
  const watches = WaitWatches.from(facts);
  return queues.map(queue => {
    const known = queueByWatches(queue, watches);
    return withHolders(known, downgradedReaders(known, watches));
  });
}

/**
 * What the live picture must have in common with one that was read at once.
 *
 * @param doubtful names of contenders of which nothing is claimed: which of them stands first is left open, too
 */
export function outline(queues: readonly LockQueue[], doubtful: ReadonlySet<string>): unknown {
  return queues.map(({ path, dialect, contenders, strangers, hazards }) => {
    if (doubtful.size > 0) return { path, dialect, names: contenders.map(({ name }) => name).sort() };
    const rows = contenders.map(({ name, role, kind, waitsFor }) => `${role} ${kind} ${name} ${waitsFor ?? ''}`);
    return { path, dialect, rows, strangers, hazards };
  });
}
