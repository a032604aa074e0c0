import type { Grant } from './grants.ts';
import type { Attempted, Place } from './places.ts';
import type { Claim } from './scenario.ts';

/** Everything that claims are compared with, at one moment. */
export interface Sight {
  /** By lock path. */
  readonly places: ReadonlyMap<string, readonly Place[]>;
  /** Paths of locks with nodes that may not be read. */
  readonly unreadable: ReadonlySet<string>;
  /** Of each session of the scenario, the newest last. */
  readonly attempts: ReadonlyMap<string, readonly Attempted[]>;
  /** Names of the members of each deadlock; '?' for contenders of no member. */
  readonly deadlocks: readonly (readonly string[])[];
  /** By lock path, in their order. */
  readonly grants: ReadonlyMap<string, readonly Grant[]>;
  /** Notifications of all sessions since the last `expect`, and in the last herd. */
  readonly woken: Readonly<Partial<Record<'since' | 'naive' | 'predecessor', number>>>;
}

type Judge<Kind extends Claim['kind']> = (
  claim: Extract<Claim, { kind: Kind }>,
  paths: readonly string[],
  sight: Sight,
) => boolean;

const judges: { readonly [Kind in Claim['kind']]: Judge<Kind> } = {
  holds: ({ session }, paths, sight) => paths.length > 0 && paths.every(path => holds(session.text, path, sight)),
  waits: ({ session, blocker }, paths, sight) =>
    placesAt(paths, sight).some(
      ({ role, member, waitsFor }) =>
        role === 'waiter' && member === session.text && (blocker === undefined || waitsFor?.member === blocker.text),
    ),
  holders: ({ sessions }, paths, sight) =>
    isSame(sorted(names(paths, 'holder', sight)), sorted(sessions.map(({ text }) => text))),
  waiters: ({ sessions }, paths, sight) =>
    isSame(
      names(paths, 'waiter', sight),
      sessions.map(({ text }) => text),
    ),
  empty: (_, paths, sight) => placesAt(paths, sight).length === 0 && !paths.some(path => sight.unreadable.has(path)),
  'tokens grow': (_, paths, { grants }) =>
    paths.every(path => {
      const all = grants.get(path) ?? [];
      return all.length > 0 && all.every(({ token, above }) => token > above);
    }),
  woken: ({ recipe, compare, count: limit }, _, { woken }) => {
    const count = woken[recipe ?? 'since'];
    return count !== undefined && (compare === 'at most' ? count <= limit : count >= limit);
  },
  deadlock: ({ sessions }, _, { deadlocks }) => {
    const named = sorted(sessions.map(({ text }) => text));
    return named.length === 0 ? deadlocks.length === 0 : deadlocks.some(one => isSame(sorted(one), named));
  },
  'nothing stale': (_, paths, sight) => !placesAt(paths, sight).some(({ isStale }) => isStale),
  stale: ({ session }, paths, sight) =>
    placesAt(paths, sight).some(({ member, isStale }) => isStale && member === session.text),
  'times out': ({ session }, paths, sight) => lastState(session.text, paths, sight) === 'timed out',
  lost: ({ session }, paths, sight) => lastState(session.text, paths, sight) === 'lost',
  uncertain: ({ session }, paths, sight) => lastState(session.text, paths, sight) === 'uncertain',
};

/** Whether a claim is true. @param paths of the locks that it is about */
export function isTrue(claim: Claim, paths: readonly string[], sight: Sight): boolean {
  const judge = judges[claim.kind] as Judge<Claim['kind']>;
  return judge(claim, paths, sight);
}

/** How the newest attempt of a session at one of these paths stands. */
export function lastState(
  session: string,
  paths: readonly string[],
  { attempts }: Pick<Sight, 'attempts'>,
): Attempted['state'] | undefined {
  return attempts.get(session)?.findLast(each => paths.some(path => each.paths.includes(path)))?.state;
}

function placesAt(paths: readonly string[], { places }: Sight): Place[] {
  return paths.flatMap(path => places.get(path) ?? []);
}

/** By the queue, and for sessions of the scenario by the recipe itself, too. */
function holds(name: string, path: string, sight: Sight): boolean {
  const attempts = sight.attempts.get(name)?.filter(({ paths }) => paths.includes(path));
  if (attempts !== undefined && !attempts.some(({ state }) => state === 'held')) return false;
  return (sight.places.get(path) ?? []).some(({ role, member }) => role === 'holder' && member === name);
}

/** Who has this role, in the order of the queue; '?' for contenders of no member. */
function names(paths: readonly string[], role: Place['role'], sight: Sight): string[] {
  return placesAt(paths, sight)
    .filter(place => place.role === role)
    .map(({ member }) => member ?? '?');
}

/** In any order; a session that has several places counts once. */
function sorted(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, at) => text === other[at]);
}
