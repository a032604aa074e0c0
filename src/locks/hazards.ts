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
  const bySequence = new Map<number, Entry[]>();
  for (const entry of entries) {
    const same = bySequence.get(entry.sequence);
    if (same === undefined) bySequence.set(entry.sequence, [entry]);
    else same.push(entry);
  }
  const names: string[] = [];
  for (const same of bySequence.values()) {
    const first = same[0];
    if (first === undefined || same.length < 2) continue;
    const onPurpose = same.every((entry, at) => at === 0 || dialect.sharesNumber?.(first, entry) === true);
    if (!onPurpose) for (const entry of same) names.push(entry.name);
  }
  return names;
}

/** Contenders that stand behind one created later: only a wrapped or shared counter, or a dialect that joins out of order, does that. */
function createdEarlier(entries: readonly Entry[], dialect: Pick<Dialect, 'sharesNumber'>): string[] {
  const names: string[] = [];
  let newest = entries[0]?.czxid ?? 0n;
  let before: Entry | undefined;
  for (const entry of entries) {
    const former = before;
    before = entry;
    if (former !== undefined && joinedOnPurpose(former, entry, dialect)) continue;
    if (entry.czxid < newest) names.push(entry.name);
    else newest = entry.czxid;
  }
  return names;
}

function joinedOnPurpose(former: Entry, entry: Entry, dialect: Pick<Dialect, 'sharesNumber'>): boolean {
  return entry.sequence === former.sequence && dialect.sharesNumber?.(former, entry) === true;
}

function notEphemeral(contenders: readonly Contender[], dialect: Pick<Dialect, 'persistentByDesign'>): string[] {
  if (dialect.persistentByDesign === true) return [];
  return contenders.filter(contender => contender.ownerSession === 0n).map(contender => contender.name);
}

/** Two nodes of one session of which one waits: a session that may wait for itself (faults.md, L2). Two readers are fine. */
function sameSession(contenders: readonly Contender[]): string[] {
  const bySession = new Map<bigint, Contender[]>();
  for (const contender of contenders) {
    if (contender.ownerSession === 0n || contender.kind === 'lease') continue;
    const same = bySession.get(contender.ownerSession);
    if (same === undefined) bySession.set(contender.ownerSession, [contender]);
    else same.push(contender);
  }
  const names: string[] = [];
  for (const same of bySession.values()) {
    if (same.length < 2 || same.every(contender => contender.role === 'holder')) continue;
    for (const contender of same) names.push(contender.name);
  }
  return names;
}
