import { kazooLeaseDirectory } from './furtherDirectories.ts';
import { kazoo } from './dialects/kazoo.ts';
import { curatorNamed } from './dialects/curator.ts';
import { generic } from './dialects/generic.ts';
import type { NameContext, NameMatch } from './dialects/dialect.ts';
import { matchName, queueKeyOf } from './dialects/registry.ts';
import { singleNodeByPath } from './dialects/singleNode.ts';
import type { DialectId } from './lockQueue.ts';
import { lastSegment } from '../base/paths.ts';

/** A lock as far as names can tell. */
export interface NamedQueue {
  dialect: DialectId;
  lockName?: string;
  /** Zero where the contenders are in further directories or, for now, nowhere. */
  contenders: number;
  /** False when only the nodes' owners can tell a lock from an ordinary directory: ask `recogniseQueues`. */
  certain: boolean;
}

/**
 * Says which locks a path holds from names alone: cheap enough for every znode of a large tree. A single-node lock is told at
 * its own path, with no children. A two-part semaphore is told at `P` (Curator) or at its queue `P-__lock__` (kazoo).
 *
 * @param path full path of the directory
 * @returns [] for ordinary directories, members, queues and logs
 */
export function classifyNames(path: string, childNames: readonly string[]): NamedQueue[] {
  if (childNames.length === 0) return classifyLeaf(path);
  const groups = groupNames(path, childNames);
  if (kazooLeaseDirectory(path) !== undefined) return [kazooSemaphore(groups)];
  const queues = Array.from(groups.values(), toNamedQueue);
  if (childNames.includes('lease_holder')) queues.push({ dialect: 'kazoo-lease', contenders: 1, certain: false });
  if (isCuratorSemaphore(childNames)) queues.push({ dialect: 'curator-semaphore', contenders: 0, certain: false });
  return queues;
}

/** Whether a child is taken for a contender by its name, as `classifyNames` takes it, and if so, whether for certain. */
export function classifyChild(directoryPath: string, name: string): 'contender' | 'guess' | undefined {
  const found = memberByName(name, { directoryPath }, suggestsLock(directoryPath));
  return found && (isGuess(found) ? 'guess' : 'contender');
}

interface NameGroup {
  found: NameMatch;
  count: number;
}

function classifyLeaf(path: string): NamedQueue[] {
  if (kazooLeaseDirectory(path) !== undefined) return [kazooSemaphore(new Map())];
  const match = singleNodeByPath(path);
  return match === undefined ? [] : [{ dialect: match.dialect, contenders: 1, certain: false }];
}

function groupNames(directoryPath: string, childNames: readonly string[]): Map<string, NameGroup> {
  const groups = new Map<string, NameGroup>();
  const context = { directoryPath };
  const inLocks = suggestsLock(directoryPath);
  for (const name of childNames) {
    const found = memberByName(name, context, inLocks);
    if (found === undefined) continue;
    const key = queueKeyOf(found);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { found, count: 1 });
    else {
      group.count++;
      if (found.rank < group.found.rank) group.found = found;
    }
  }
  return groups;
}

function memberByName(name: string, context: NameContext, inLocks: boolean): NameMatch | undefined {
  if (!endsInDigit(name)) return undefined;
  const found = matchName(name, context);
  return found === undefined || (isGuess(found) && !isLikely(found, inLocks)) ? undefined : found;
}

/** Every contender's name ends in its number; most other names in a tree do not. */
function endsInDigit(name: string): boolean {
  const last = name.charCodeAt(name.length - 1);
  return last >= 48 && last <= 57;
}

const LOCK_WORD = /lock|mutex|leader|elect|latch|semaphore|master|candidate/i;

function suggestsLock(directoryPath: string): boolean {
  return LOCK_WORD.test(lastSegment(directoryPath));
}

function isGuess(found: NameMatch): boolean {
  return found.dialect === generic || found.dialect === curatorNamed;
}

/**
 * Ten digits, or nine behind a dash, may be a time or an id. A counter seldom passes a billion, and a negative one has passed two;
 * it stands behind a word or in a telling place.
 */
function isLikely({ match, reading }: NameMatch, inLocks: boolean): boolean {
  if (inLocks) return true;
  const stem = match.queueKey ?? '';
  return reading.sequence >= 0 && reading.sequence < LIKELY_COUNTER && stem !== '' && !endsInDigit(stem);
}

const LIKELY_COUNTER = 1_000_000_000;

function toNamedQueue({ found, count }: NameGroup): NamedQueue {
  const { lockName } = found.match;
  const named = lockName === undefined ? {} : { lockName };
  return { dialect: found.dialect.id, ...named, contenders: count, certain: !isGuess(found) };
}

function kazooSemaphore(groups: ReadonlyMap<string, NameGroup>): NamedQueue {
  const queued = Array.from(groups.values()).find(({ found }) => found.dialect === kazoo);
  return { dialect: 'kazoo-semaphore', contenders: queued?.count ?? 0, certain: true };
}

function isCuratorSemaphore(childNames: readonly string[]): boolean {
  return childNames.length < MANY && childNames.includes('leases');
}

/** A semaphore's own directory has one child or two; a look through thousands of names would be wasted. */
const MANY = 20;
