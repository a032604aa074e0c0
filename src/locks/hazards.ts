import type { Dialect } from './dialect.ts';
import { isPersistent, type Contender, type Hazard } from './lockQueue.ts';

const NEARLY_EXHAUSTED = 2_000_000_000;

/** What a dialect contributes to hazards. */
type HazardRules = Pick<Dialect, 'sharesNumber' | 'persistentByDesign'>;

/**
 * The hazards that one ordered queue shows by itself.
 *
 * @param contenders in grant order, with their turns
 */
export function hazardsOf(contenders: readonly Contender[], dialect: HazardRules): Hazard[] {
  const negative: string[] = [];
  const exhausted: string[] = [];
  const notEphemeral: string[] = [];
  // Callbacks, here and below: a loop over 10,000 in a function that is called once runs in slow code, its body does not.
  contenders.forEach(contender => {
    const { name, sequence = 0 } = contender;
    if (sequence < 0) negative.push(name);
    if (sequence > NEARLY_EXHAUSTED) exhausted.push(name);
    if (isPersistent(contender)) notEphemeral.push(name);
  });
  return [
    hazard('duplicate-sequence', duplicates(contenders, dialect)),
    hazard('negative-sequence', negative),
    hazard('sequence-nearly-exhausted', exhausted),
    hazard('order-differs-from-creation', createdEarlier(contenders, dialect)),
    hazard('not-ephemeral', dialect.persistentByDesign === true ? [] : notEphemeral),
    hazard('same-session-twice', sameSession(contenders)),
  ].flat();
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
  for (const same of groupsOfSeveral(contenders, ({ sequence }) => sequence)) {
    const onPurpose = same.every((each, at) => at === 0 || dialect.sharesNumber?.(same[0] ?? each, each) === true);
    if (!onPurpose) for (const { name } of same) names.push(name);
  }
  return names;
}

/** Contenders that share a key, by key; those without one are left out. Nearly always there are none: then none is grouped. */
function groupsOfSeveral(
  contenders: readonly Contender[],
  keyOf: (contender: Contender) => number | bigint | undefined,
): Iterable<Contender[]> {
  if (new Set(contenders.map(keyOf)).size === contenders.length) return [];
  const firsts = new Map<number | bigint, Contender>();
  const groups = new Map<number | bigint, Contender[]>();
  let former: number | bigint | undefined;
  let group: Contender[] | undefined;
  contenders.forEach(contender => {
    const key = keyOf(contender);
    if (key === undefined) return;
    // Neighbours often share a key, which is then looked up once.
    if (key !== former || group === undefined) {
      const first = firsts.get(key);
      former = key;
      group = first && (groups.get(key) ?? [first]);
      if (group === undefined) firsts.set(key, contender);
      else groups.set(key, group);
    }
    group?.push(contender);
  });
  return groups.values();
}

/** Contenders that stand behind one created later: only a wrapped or shared counter, or a dialect that joins out of order, does that. */
function createdEarlier(contenders: readonly Contender[], dialect: HazardRules): string[] {
  const names: string[] = [];
  let newest = contenders[0]?.czxid ?? 0n;
  contenders.forEach((contender, at) => {
    if (contender.isUnread === true) return;
    const former = contenders[at - 1];
    const sharesNumber = former !== undefined && contender.sequence === former.sequence;
    if (sharesNumber && dialect.sharesNumber?.(former, contender) === true) return;
    if (contender.czxid < newest) names.push(contender.name);
    else newest = contender.czxid;
  });
  return names;
}

/**
 * Two nodes of one session of which one waits: a session that may wait for itself (docs/faults.md, L2), or a write lock of Curator up
 * to 5.4 that was downgraded, which has the same names. Two readers are no hazard.
 */
function sameSession(contenders: readonly Contender[]): string[] {
  const sessionOf = ({ ownerSession, kind }: Contender) =>
    ownerSession === 0n || kind === 'lease' ? undefined : ownerSession;
  const names: string[] = [];
  for (const same of groupsOfSeveral(contenders, sessionOf)) {
    if (same.every(contender => contender.role === 'holder')) continue;
    for (const contender of same) names.push(contender.name);
  }
  return names;
}
