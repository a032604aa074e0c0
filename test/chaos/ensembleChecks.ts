import type { HeldInterval } from './lockPlay.ts';
import type { NodeLife } from './transactionLog.ts';

export type Library = 'ours' | 'curator' | 'kazoo';

/** A lease of one program, in one run. */
export interface Grant extends HeldInterval {
  library: Library;
  /** Number of the program. */
  program: number;
}

/** Two leases that exclude each other and were believed at one moment. */
export interface Overlap {
  late: Library;
  ms: number;
}

export interface Verdict {
  /** What no fault explains: must be empty. */
  violations: string[];
  /** Another library still believed in a lease whose node was gone when the next holder was granted. */
  lateness: Overlap[];
  /** The same, for a program that stops at its library's first report of a lost connection. */
  carefulLateness: Overlap[];
  /** Another library was granted the lock while the node of the holder before it stood. */
  early: Overlap[];
}

/**
 * Judges who was late where two leases were believed at one moment. The transaction log is the referee: the lease with the older
 * node held first; if its node was gone when the other was granted, its program was late, otherwise the other was early.
 *
 * A lease of ours may be neither, whatever it meets. Other libraries go on believing in a partition: that is counted.
 *
 * @param wallOffsetMs to be added to the monotonic clock to get epoch milliseconds, at most
 */
export function judge(grants: readonly Grant[], lives: ReadonlyMap<string, NodeLife>, wallOffsetMs: number): Verdict {
  const verdict: Verdict = { violations: [], lateness: [], carefulLateness: [], early: [] };
  for (const [index, one] of grants.entries()) {
    for (const other of grants.slice(index + 1)) {
      if (one.program === other.program || isShared(one, other) || overlapMs(one, other) < 0) continue;
      judgePair(inOrder(one, other, lives), lives, wallOffsetMs, verdict);
    }
  }
  verdict.violations.push(...outOfOrder(grants, lives), ...refusedWhileHeld(grants));
  return verdict;
}

function isShared(one: Grant, other: Grant): boolean {
  return one.recipe === 'read' && other.recipe === 'read';
}

/** Negative where they do not touch. */
function overlapMs(one: Grant, other: Grant): number {
  return Math.min(one.until, other.until) - Math.max(one.from, other.from);
}

function czxid(grant: Grant, lives: ReadonlyMap<string, NodeLife>): bigint {
  return lives.get(grant.path)?.czxid ?? BigInt(grant.token ?? 0);
}

/** The one with the older node first. */
function inOrder(one: Grant, other: Grant, lives: ReadonlyMap<string, NodeLife>): [Grant, Grant] {
  return czxid(one, lives) < czxid(other, lives) ? [one, other] : [other, one];
}

function judgePair(
  [first, second]: [Grant, Grant],
  lives: ReadonlyMap<string, NodeLife>,
  wallOffsetMs: number,
  verdict: Verdict,
): void {
  const life = lives.get(first.path);
  const ms = overlapMs(first, second);
  const goneAt = (life?.deletedAt ?? Infinity) - wallOffsetMs;
  const wasGone = goneAt <= second.from;
  const [guilty, other] = wasGone ? [first, second] : [second, first];
  if (guilty.library === 'ours' || life === undefined) {
    const why = wasGone ? 'was believed after its node had gone' : 'was granted while the other node stood';
    verdict.violations.push(
      `${describe(guilty)} ${why}, ${ms.toFixed(1)} ms beside ${describe(other)}; the older node went at ${goneAt.toFixed(1)}`,
    );
    return;
  }
  (wasGone ? verdict.lateness : verdict.early).push({ late: guilty.library, ms });
  if (!wasGone) return;
  const careful = overlapMs(untilSuspended(first), second);
  if (careful >= 0) verdict.carefulLateness.push({ late: guilty.library, ms: careful });
}

function untilSuspended(grant: Grant): Grant {
  return { ...grant, until: Math.min(grant.until, grant.suspendedAt ?? Infinity) };
}

/** Our leases whose tokens do not rise with the clock. Readers share. */
function outOfOrder(grants: readonly Grant[], lives: ReadonlyMap<string, NodeLife>): string[] {
  const ours = grants.filter(({ library, recipe }) => library === 'ours' && recipe !== 'read');
  ours.sort((a, b) => a.from - b.from);
  return ours.flatMap((grant, index) => {
    const life = lives.get(grant.path);
    if (life !== undefined && String(life.czxid) !== grant.token)
      return [`${describe(grant)}: the log has ${life.czxid}`];
    const before = ours[index - 1];
    if (before === undefined || BigInt(before.token!) < BigInt(grant.token!)) return [];
    return [`${describe(grant)} has an older token than ${describe(before)}`];
  });
}

/** The register has seen a newer token, and yet the lease still said that it was held. */
function refusedWhileHeld(grants: readonly Grant[]): string[] {
  return grants
    .filter(({ heldAfterRefusal }) => heldAfterRefusal === true)
    .map(grant => `${describe(grant)} was held although the register had seen a newer token`);
}

function describe({ library, program, recipe, from, until, path, token }: Grant): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return `${library} ${program} ${recipe} ${from.toFixed(1)}-${until.toFixed(1)} ${name} token ${token ?? '?'}`;
}
