import { displayText } from '../base/displayText.ts';
import { sessionText } from '../base/sessionText.ts';
import type { Contender, LockQueue } from '../locks/lockQueue.ts';
import { nameOf, type Sight } from './claims.ts';

/** Longest list of contenders of one lock, lines. */
const mostLines = 50;

/**
 * The queues of a moment in the words of the language, to be compared with what was expected. Identifiers of other programs are
 * foreign text: they are shown harmless, and short.
 */
export function sightText(paths: readonly string[], sight: Sight): string {
  return paths.flatMap(path => [path, ...linesOf(sight.queues.get(path) ?? [], sight)]).join('\n');
}

function linesOf(queues: readonly LockQueue[], sight: Sight): string[] {
  const lines = queues.flatMap(queue => queue.contenders.map(one => `  ${contenderText(one, queue, sight)}`));
  if (lines.length === 0) return ['  empty'];
  const rest = lines.length - mostLines;
  return rest > 0 ? [...lines.slice(0, mostLines), `  … ${rest}`] : lines;
}

function contenderText(one: Contender, queue: LockQueue, sight: Sight): string {
  const name = shownName(one, queue, sight);
  const doubt = doubtOf(name, queue.path, sight);
  if (one.role === 'holder') return `${name} holds${doubt}`;
  const before = queue.contenders.find(each => each.name === one.waitsFor);
  const what = before === undefined ? '' : ` for ${shownName(before, queue, sight)}`;
  return `${name} waits${what}${doubt}`;
}

/** What the recipe itself knows: by the queue alone a lock would look better than it is. */
function doubtOf(name: string, path: string, { members }: Sight): string {
  const state = members.get(name)?.attempts?.findLast(({ paths }) => paths.includes(path))?.state;
  return state === undefined || state === 'held' || state === 'waiting' ? '' : ` (${state})`;
}

function shownName(one: Contender, queue: LockQueue, { members }: Sight): string {
  return nameOf(one, queue, members) ?? foreignName(one);
}

function foreignName({ identifier, ownerSession, name }: Contender): string {
  const owner = ownerSession === 0n ? 'no session' : sessionText(ownerSession);
  return `"${displayText(identifier === '' ? name : identifier, 60)}" (${owner})`;
}
