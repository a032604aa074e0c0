import { expect } from 'vitest';
import type { StaleFinding } from '../../../src/inspector/findStale.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';

/** Who holds, or waits, for certain, and who may, those included. */
export interface Claim {
  certain: string[];
  possible: string[];
}

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

/** What the live picture must have in common with one that was read at once. */
export function outline(queues: readonly LockQueue[]): unknown {
  return queues.map(({ path, dialect, contenders, strangers, hazards }) => ({
    path,
    dialect,
    contenders: contenders.map(({ name, role, kind, waitsFor }) => `${role} ${kind} ${name} ${waitsFor ?? ''}`),
    strangers,
    hazards,
  }));
}
