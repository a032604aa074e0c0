import { atOnce, forEachInParts, type Interruptible } from '../base/interruptible.ts';
import type { Dialect } from './dialect.ts';
import { isPersistent, type Contender, type Hazard } from './lockQueue.ts';

const NEARLY_EXHAUSTED = 2_000_000_000;

/** What a dialect contributes to hazards. */
type HazardRules = Pick<Dialect, 'sharesNumber' | 'joinsOutOfOrder' | 'makesPersistent' | 'isHandWritten'>;

/**
 * The hazards that one ordered queue shows by itself. None that correct programs make: several contenders of one session are its
 * threads, and where programs may make nodes without an owner, those are no hazard.
 *
 * @param contenders in grant order, with their turns
 */
export function hazardsOf(contenders: readonly Contender[], dialect: HazardRules): Hazard[] {
  return atOnce(findingHazards(contenders, dialect));
}

/** As `hazardsOf`; it may be interrupted. */
export function* findingHazards(contenders: readonly Contender[], dialect: HazardRules): Interruptible<Hazard[]> {
  const negative: string[] = [];
  const exhausted: string[] = [];
  const notEphemeral: string[] = [];
  yield* forEachInParts(contenders, contender => {
    const { name, sequence = 0 } = contender;
    if (sequence < 0) negative.push(name);
    if (sequence > NEARLY_EXHAUSTED) exhausted.push(name);
    if (isPersistent(contender)) notEphemeral.push(name);
  });
  yield;
  const sharing = duplicates(contenders, dialect);
  yield;
  return [
    hazard('duplicate-sequence', sharing),
    hazard('negative-sequence', negative),
    hazard('sequence-nearly-exhausted', exhausted),
    hazard('order-differs-from-creation', yield* createdEarlier(contenders, dialect)),
    hazard('not-ephemeral', makesPersistent(dialect) ? [] : notEphemeral),
  ].flat();
}

function makesPersistent(dialect: HazardRules): boolean {
  return dialect.makesPersistent !== undefined || dialect.isHandWritten === true;
}

/** A hazard of that kind, or none when it concerns no node. */
export function hazard(kind: Hazard['kind'], names: string[]): Hazard[] {
  return names.length === 0 ? [] : [{ kind, names }];
}

function duplicates(contenders: readonly Contender[], dialect: HazardRules): string[] {
  const names: string[] = [];
  // Nearly always the numbers rise from one to the next: then none occurs twice.
  if (contenders.every(({ sequence = 0 }, at) => at === 0 || sequence > (contenders[at - 1]?.sequence ?? 0)))
    return names;
  for (const [sequence, same] of Map.groupBy(contenders, each => each.sequence)) {
    if (sequence === undefined || same.length < 2) continue;
    const onPurpose = same.every((each, at) => at === 0 || dialect.sharesNumber?.(same[0] ?? each, each) === true);
    if (!onPurpose) for (const { name } of same) names.push(name);
  }
  return names;
}

/**
 * Contenders that stand behind one created later, as a wrapped or shared counter makes them. One that may have joined in front on
 * purpose proves nothing about those behind it.
 */
function* createdEarlier(contenders: readonly Contender[], { joinsOutOfOrder }: HazardRules): Interruptible<string[]> {
  const names: string[] = [];
  let newest = 0n;
  yield* forEachInParts(contenders, contender => {
    if (contender.isUnread === true) return;
    if (contender.czxid < newest) names.push(contender.name);
    else if (joinsOutOfOrder?.(contender) !== true) newest = contender.czxid;
  });
  return names;
}
