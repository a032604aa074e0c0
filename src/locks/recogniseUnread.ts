import { newlyKnown } from './dialects/dialect.ts';
import { matchName, queueKeyOf } from './dialects/registry.ts';
import { knownChild } from './knownChild.ts';
import type { ChildNode, LockDirectory } from './lockDirectory.ts';
import type { Contender, Hazard, LockQueue } from './lockQueue.ts';
import { namedOnly } from './namedOnly.ts';
import { lastSegment, parentPath } from '../base/paths.ts';
import { recogniseQueues } from './recogniseQueues.ts';

/**
 * As `recogniseQueues`, of a directory of which some nodes could not be read: their names say where they stand in the order, and
 * whoever waits for one of them does not hold. They themselves are in no queue, since nobody can say whose they are; a queue of
 * which nothing else is known is left out.
 *
 * @param unread paths of nodes that exist; those elsewhere are passed over
 */
export function recogniseUnread(directory: LockDirectory, unread: readonly string[]): LockQueue[] {
  const { path, children, further } = directory;
  const withUnread = {
    ...directory,
    children: [...children, ...unreadIn(path, children, unread)],
    further: new Map(Array.from(further, ([at, nodes]) => [at, [...nodes, ...unreadIn(at, nodes, unread)]])),
  };
  const paths = new Set(unread);
  const queues = recogniseQueues(withUnread).map(queue => withoutUnread(queue, paths));
  const known = queues.filter(({ contenders }) => contenders.length > 0);
  const [first, ...others] = known;
  if (first === undefined) return recogniseQueues(directory);
  const strangers = queues.flatMap(queue => (queue === first || !known.includes(queue) ? queue.strangers : []));
  return [{ ...first, strangers }, ...others];
}

function unreadIn(directory: string, nodes: readonly ChildNode[], unread: readonly string[]): ChildNode[] {
  const names = unread.filter(path => parentPath(path) === directory).map(lastSegment);
  if (names.length === 0) return [];
  const known = nodes.map(node => knownChild(directory, node)).filter(child => child !== undefined);
  const keys = new Set(known.map(queueKeyOf));
  return names.map(name => {
    const node = namedOnly(directory, name);
    const found = matchName(name, { directoryPath: directory });
    // Some names are those of a contender only if the node is ephemeral: beside others of the same queue it is taken for one.
    if (found !== undefined && keys.has(queueKeyOf(found))) node.known = newlyKnown(node, found);
    return node;
  });
}

function withoutUnread(queue: LockQueue, unread: ReadonlySet<string>): LockQueue {
  const contenders: Contender[] = [];
  const names = new Set<string>();
  queue.contenders.forEach((contender, at) => {
    if (unread.has(contender.path)) names.add(contender.name);
    else contenders.push(names.size === 0 ? contender : { ...contender, position: at + 1 });
  });
  if (names.size === 0) return queue;
  return { ...queue, contenders, hazards: queue.hazards.flatMap(hazard => withoutGuess(hazard, names)) };
}

/** Whether it is ephemeral, and when it was created, only the node itself could tell. */
function withoutGuess(hazard: Hazard, unread: ReadonlySet<string>): Hazard[] {
  if (hazard.kind !== 'not-ephemeral' && hazard.kind !== 'order-differs-from-creation') return [hazard];
  const names = hazard.names.filter(name => !unread.has(name));
  return names.length === 0 ? [] : [{ ...hazard, names }];
}
