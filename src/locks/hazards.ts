import type { Dialect, Entry } from './dialects/dialect.ts';
import type { Contender, Hazard } from './lockQueue.ts';

const NEARLY_EXHAUSTED = 2_000_000_000;

/**
 * Everything that can be said against one ordered queue without looking beyond it.
 *
 * @param entries in grant order, without foreign children
 * @param contenders the same, with their turns
 */
export function hazardsOf(
  entries: readonly Entry[],
  contenders: readonly Contender[],
  dialect: Pick<Dialect, 'sharesNumber' | 'persistentByDesign'>,
): Hazard[] {
  return [
    hazard('duplicate-sequence', duplicates(entries, dialect)),
    hazard(
      'negative-sequence',
      namesWhere(entries, entry => entry.sequence < 0),
    ),
    hazard(
      'sequence-nearly-exhausted',
      namesWhere(entries, entry => entry.sequence > NEARLY_EXHAUSTED),
    ),
    hazard('order-differs-from-creation', createdEarlier(entries, dialect)),
    hazard('not-ephemeral', notEphemeral(contenders, dialect)),
    hazard('same-session-twice', sameSession(contenders)),
  ].flat();
}

/** A hazard of that kind, or none when it concerns no node. */
export function hazard(kind: Hazard['kind'], names: string[]): Hazard[] {
  return names.length === 0 ? [] : [{ kind, names }];
}

function namesWhere(entries: readonly Entry[], concerns: (entry: Entry) => boolean): string[] {
  return entries.filter(concerns).map(entry => entry.name);
}

function duplicates(entries: readonly Entry[], dialect: Pick<Dialect, 'sharesNumber'>): string[] {
  const names: string[] = [];
  // Nearly always the numbers rise from one to the next: then none is there twice.
  if (entries.every(({ sequence }, at) => at === 0 || sequence > (entries[at - 1]?.sequence ?? 0))) return names;
  for (const same of groupsOfSeveral(entries, entry => entry.sequence)) {
    const onPurpose = same.every((entry, at) => at === 0 || dialect.sharesNumber?.(same[0] ?? entry, entry) === true);
    if (!onPurpose) for (const entry of same) names.push(entry.name);
  }
  return names;
}

/** Members that share a key, by key. Nearly always there are none: then nothing is allocated per member. */
function groupsOfSeveral<T>(members: readonly T[], keyOf: (member: T) => number | bigint): Iterable<T[]> {
  const seen = new Set<number | bigint>();
  const groups = new Map<number | bigint, T[]>();
  let distinct = 0;
  members.forEach(member => {
    const key = keyOf(member);
    if (seen.add(key).size > distinct) distinct += 1;
    else groups.set(key, []);
  });
  if (groups.size > 0) members.forEach(member => groups.get(keyOf(member))?.push(member));
  return groups.values();
}

/** Contenders that stand behind one created later: only a wrapped or shared counter, or a dialect that joins out of order, does that. */
function createdEarlier(entries: readonly Entry[], dialect: Pick<Dialect, 'sharesNumber'>): string[] {
  const names: string[] = [];
  let newest = entries[0]?.czxid ?? 0n;
  entries.forEach((entry, at) => {
    const former = entries[at - 1];
    if (former !== undefined && joinedOnPurpose(former, entry, dialect)) return;
    if (entry.czxid < newest) names.push(entry.name);
    else newest = entry.czxid;
  });
  return names;
}

function joinedOnPurpose(former: Entry, entry: Entry, dialect: Pick<Dialect, 'sharesNumber'>): boolean {
  return entry.sequence === former.sequence && dialect.sharesNumber?.(former, entry) === true;
}

function notEphemeral(contenders: readonly Contender[], dialect: Pick<Dialect, 'persistentByDesign'>): string[] {
  if (dialect.persistentByDesign === true) return [];
  return contenders.filter(contender => contender.ownerSession === 0n).map(contender => contender.name);
}

/**
 * Two nodes of one session of which one waits: a session that may wait for itself (docs/faults.md, L2). Two readers are
 * fine.
 */
function sameSession(contenders: readonly Contender[]): string[] {
  const queued = contenders.filter(({ ownerSession, kind }) => ownerSession !== 0n && kind !== 'lease');
  const names: string[] = [];
  for (const same of groupsOfSeveral(queued, ({ ownerSession }) => ownerSession)) {
    if (same.every(contender => contender.role === 'holder')) continue;
    for (const contender of same) names.push(contender.name);
  }
  return names;
}
