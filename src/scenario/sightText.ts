import { displayText } from '../base/displayText.ts';
import { lastState, type Sight } from './claims.ts';
import type { Place } from './places.ts';
import type { Claim } from './scenario.ts';

/** Longest list of places of one lock, and of the tokens of one, lines and numbers. */
const [mostLines, mostTokens] = [50, 20];

/** A claim that is not true, and the paths of the locks that it is about. */
export interface Untrue {
  readonly claim: Claim;
  readonly paths: readonly string[];
}

/**
 * What was seen instead of some claims, in the words of the language: the queues of their locks, and what else they are about. Names of
 * other programs are foreign text: they are shown harmless, and short.
 */
export function sightText(untrue: readonly Untrue[], sight: Sight): string {
  const paths = new Set(
    untrue.flatMap(({ claim, paths: own }) => (isAboutAll(claim) ? [...sight.places.keys()] : own)),
  );
  const queues = [...paths].flatMap(path => [displayText(path), ...placeLines(path, sight)]);
  return [...queues, ...new Set(untrue.flatMap(each => factLines(each, sight)))].join('\n');
}

/** A herd has queues of its own, which are gone by then. */
function isAboutAll(claim: Claim): boolean {
  return claim.kind === 'deadlock' || (claim.kind === 'woken' && claim.recipe === undefined);
}

function placeLines(path: string, sight: Sight): string[] {
  const lines = (sight.places.get(path) ?? []).map(place => `  ${placeText(place, path, sight)}`);
  if (sight.unreadable.has(path)) lines.push('  ?');
  if (lines.length === 0) return ['  empty'];
  const rest = lines.length - mostLines;
  return rest > 0 ? [...lines.slice(0, mostLines), `  … ${rest}`] : lines;
}

function placeText({ shown, role, waitsFor, member, isStale }: Place, path: string, sight: Sight): string {
  const what = role === 'holder' ? 'holds' : `waits${waitsFor === undefined ? '' : ` for ${waitsFor.shown}`}`;
  // By the queue alone a lock would look better than it is.
  const state = member === undefined ? undefined : lastState(member, [path], sight);
  const doubt = state === 'held' || state === 'waiting' ? undefined : state;
  const notes = [doubt, isStale ? 'stale' : undefined].filter(note => note !== undefined);
  return `${shown} ${what}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
}

/** What no queue shows. */
function factLines({ claim, paths }: Untrue, sight: Sight): string[] {
  if (claim.kind === 'woken') return [wokenLine(claim.recipe, sight)];
  if (claim.kind === 'tokens grow') return paths.map(path => tokensLine(path, sight));
  if (claim.kind === 'deadlock') return deadlockLines(sight);
  if (!('session' in claim) || !sight.attempts.has(claim.session.text)) return [];
  const isShown = paths.some(path => sight.places.get(path)?.some(({ member }) => member === claim.session.text));
  if (isShown && (claim.kind === 'holds' || claim.kind === 'waits')) return [];
  return [`${claim.session.text}: ${lastState(claim.session.text, paths, sight) ?? '-'}`];
}

function wokenLine(recipe: 'naive' | 'predecessor' | undefined, { woken }: Sight): string {
  return recipe === undefined ? `woken ${woken.since ?? 0}` : `${recipe} woken ${woken[recipe] ?? '-'}`;
}

function tokensLine(path: string, { grants }: Sight): string {
  const tokens = (grants.get(path) ?? []).map(({ token }) => String(token));
  return `tokens ${tokens.length === 0 ? '-' : tokens.slice(-mostTokens).join(', ')}`;
}

function deadlockLines({ deadlocks }: Sight): string[] {
  if (deadlocks.length === 0) return ['no deadlock'];
  return deadlocks.map(names => `deadlock between ${names.join(' and ')}`);
}
