import type { Contender } from '../locks/lockQueue.ts';
import { queueKey, type IncidentFacts, type IncidentHeader, type QueueFact } from './incident.ts';

/** What is compared of a file. */
export interface ComparedIncident {
  header: IncidentHeader;
  facts: IncidentFacts;
}

/** One lock in two files; absent in one that would have it. */
export interface QueuePair {
  from?: QueueFact | undefined;
  to?: QueueFact | undefined;
}

/** The locks of two files, side by side. */
export interface MatchedQueues {
  pairs: readonly QueuePair[];
  /** Locks that one of the files says nothing of, and those that cannot be recognised in the other one. */
  notCompared: number;
  /** Whether both files say something of a lock of the earlier file, by `queueKey`; of one of the later file. */
  isComparedBefore: (key: string, path: string) => boolean;
  isComparedAfter: (key: string, path: string) => boolean;
}

/** The same contender in two files: neither texts nor paths say that, as they may be replaced in one of them. */
export function contenderKey({ czxid, ownerSession, sequence, path }: Contender): string {
  if (czxid !== 0n) return [czxid, ownerSession, sequence].join(' ');
  // Of a node that could not be read only the name is known.
  return sequence === undefined ? path : `? ${String(sequence)}`;
}

/** Whether names in the paths of a file are replaced, so that paths say nothing to another file. */
export function areNamesHidden({ redaction }: Pick<IncidentHeader, 'redaction'>): boolean {
  return redaction === 'names';
}

/** Whether a lock that is not in one of the files was not there. */
function missingBy(earlier: IncidentHeader, later: IncidentHeader): (header: IncidentHeader, path: string) => boolean {
  const isHidden = areNamesHidden(earlier) || areNamesHidden(later);
  return (header, path) => !isHidden && covers(header, path);
}

/** Finds the locks of the earlier file in the later one: by their paths, else by a contender that both have. */
export function matchQueues(earlier: ComparedIncident, later: ComparedIncident): MatchedQueues {
  const [before, after] = [byKey(earlier.facts), byKey(later.facts)];
  const isMissing = missingBy(earlier.header, later.header);
  const pairs: QueuePair[] = [];
  const compared = { before: new Set<string>(), after: new Set<string>() };
  const take = (from: QueueFact | undefined, to: QueueFact | undefined): void => {
    pairs.push({ from, to });
    if (from !== undefined) compared.before.add(queueKey(from.queue));
    if (to !== undefined) compared.after.add(queueKey(to.queue));
  };
  for (const [key, from] of before) {
    const to = after.get(key);
    if (to !== undefined) take(from, to);
  }
  if (earlier.header.redacted || later.header.redacted) {
    for (const [from, to] of sharedContenders(without(before, compared.before), without(after, compared.after))) {
      take(from, to);
    }
  }
  for (const from of without(before, compared.before)) {
    if (isMissing(later.header, from.queue.path)) take(from, undefined);
  }
  for (const to of without(after, compared.after)) {
    if (isMissing(earlier.header, to.queue.path)) take(undefined, to);
  }
  return {
    pairs,
    notCompared: before.size - compared.before.size + (after.size - compared.after.size),
    isComparedBefore: (key, path) =>
      before.has(key) ? compared.before.has(key) : isMissing(later.header, path) || after.has(key),
    isComparedAfter: (key, path) =>
      after.has(key) ? compared.after.has(key) : isMissing(earlier.header, path) || before.has(key),
  };
}

function byKey({ queues }: IncidentFacts): Map<string, QueueFact> {
  return new Map(queues.map(fact => [queueKey(fact.queue), fact]));
}

function without(facts: ReadonlyMap<string, QueueFact>, keys: ReadonlySet<string>): QueueFact[] {
  return [...facts].flatMap(([key, fact]) => (keys.has(key) ? [] : [fact]));
}

/** Locks that have a contender in common; each is in one pair. */
function* sharedContenders(
  before: readonly QueueFact[],
  after: readonly QueueFact[],
): Generator<[QueueFact, QueueFact]> {
  const places = new Map<string, QueueFact>();
  for (const from of before) {
    for (const contender of from.queue.contenders) {
      if (contender.czxid !== 0n) places.set(contenderKey(contender), from);
    }
  }
  const taken = new Set<QueueFact>();
  for (const to of after) {
    const from = to.queue.contenders
      .map(contender => places.get(contenderKey(contender)))
      .find(each => each !== undefined && !taken.has(each));
    if (from === undefined) continue;
    taken.add(from);
    yield [from, to];
  }
}

/** Whether a file would have a lock, had it been there. */
function covers(header: IncidentHeader, path: string): boolean {
  const { scope, notSearched = [], notRead = [], isSearchCut = false } = header;
  if (isSearchCut || [...notSearched, ...notRead].some(hidden => isWithin(path, hidden))) return false;
  if (scope.kind !== 'cluster') return scope.paths.includes(path);
  return scope.paths.length === 0 || scope.paths.some(root => isWithin(path, root));
}

function isWithin(path: string, root: string): boolean {
  return root === '/' || path === root || path.startsWith(`${root}/`);
}
