import { atOnce, type Interruptible } from '../../base/interruptible.ts';
import { lastSegment, parentPath } from '../../base/paths.ts';
import type { Member, NameMatch } from '../dialect.ts';
import { hazard } from '../hazards.ts';
import { unchangedSince } from '../heldSince.ts';
import { generic } from '../libraries/generic.ts';
import { leaseNodes, matchName, queueKeyOf, semaphores } from '../libraries/registry.ts';
import { singleNodeByPath } from '../libraries/singleNode.ts';
import { nodeOfName, type ChildNode, type LockDirectory } from '../lockDirectory.ts';
import type { DialectId, LockQueue } from '../lockQueue.ts';
import { recogniseLoneNodes, recogniseSelf } from './loneNodes.ts';
import { groupChildren, memberOf, toMember } from './members.ts';
import { groupByQueue, keyOf, type QueueGroup } from './queueGroups.ts';
import { joinCountedQueues } from './mixedQueue.ts';
import { buildQueue, orderQueue, type QueueOrder } from './queue.ts';

// The entry to everything that this project knows of ZooKeeper locks: recipes, inspector and app ask here, and so by the same rules.
//
// Read in this order: what a contender is (lockQueue.ts, lockDirectory.ts) → names (sequence.ts, dialect.ts, one module per library
// in libraries/, members.ts) → order (order.ts) → whose turn (turn.ts) → queue (queue.ts, loneNodes.ts for locks without one, this
// file) → hazards (hazards.ts).
//
// One word per thing:
//   child      a node below a lock directory, as read (`ChildNode`)
//   dialect    a naming scheme with its own order and waiting rule (`Dialect`); a library may have several
//   match      a name, read by a dialect (`NameMatch`)
//   member     a child that is a contender by its name, its turn not yet known (`Member`)
//   group      the members of one queue, not yet in order (`QueueGroup`)
//   entry      what takes a place in the order: a member, or a foreign child that the library counts (`Entry`)
//   turn       holds, or waits and for which node (`Turn`)
//   contender  a member with its turn (`Contender`); a queue has them in grant order (`LockQueue`)
//   stranger   a child that is no contender
//   likely lock  a lock by the names of its nodes alone (`LikelyLock`)

/**
 * Says what locks a directory holds, from what was read of it. Pure, synchronous and total: foreign names and data never
 * throw.
 *
 * A directory may hold several queues: named locks, single-node locks, dialects that do not see each other. When any queue is
 * returned, every child is in exactly one place: a contender, or a stranger of the first queue (in a semaphore of two
 * directories strangers are named relative to its path; `locks` and `leases` themselves are its parts, not strangers).
 * A directory without a contender gives [], an empty one too, except a semaphore whose layout is known even when empty.
 *
 * Results are kept with the nodes: when the same nodes come again among others, contenders that did not change are the same
 * objects.
 *
 * @param unread paths of nodes that exist but may not be read; those elsewhere are ignored. Their names give them a place in the
 *   order and a role, as contenders with `isUnread`
 * @returns most specific dialect first, named locks by name; `[]` when nothing is recognised
 */
export function recogniseQueues(directory: LockDirectory, unread: readonly string[] = []): LockQueue[] {
  return atOnce(recognisingQueues(directory, unread));
}

/** As `recogniseQueues`, for long queues: it may be interrupted, and the nodes stay as they are until it ends. */
export function recognisingQueues(
  directory: LockDirectory,
  unread: readonly string[] = [],
): Interruptible<LockQueue[]> {
  return queuesOf(unread.length === 0 ? directory : withUnread(directory, unread));
}

function* queuesOf(directory: LockDirectory): Interruptible<LockQueue[]> {
  const self = recogniseSelf(directory);
  if (self !== undefined) return [self];
  const semaphore = semaphores.flatMap(each => each.recognise(directory, memberOf) ?? [])[0];
  const rest =
    semaphore === undefined
      ? directory.children
      : directory.children.filter(({ name }) => !semaphore.claimed.has(name));
  const { groups, others } = yield* groupChildren(directory.path, rest);
  const settled = unchangedSince(directory);
  const sequenced: LockQueue[] = [];
  for (const group of groups) sequenced.push(yield* buildQueue(directory.path, group, directory.children, settled));
  addMixedHazards(groups, sequenced);
  addDoubtfulNames(groups, sequenced);
  const lone = recogniseLoneNodes(directory, others, sequenced.length > 0);
  const queues = [...(semaphore === undefined ? [] : [semaphore.queue]), ...sequenced, ...lone.queues];
  const strangers = lone.others.map(({ name }) => name);
  return queues.map((queue, at) => (at === 0 ? { ...queue, strangers: [...queue.strangers, ...strangers] } : queue));
}

/** Adds to each queue the contenders beside it that its library does not see. Named locks are apart on purpose. */
function addMixedHazards(groups: readonly QueueGroup[], queues: readonly LockQueue[]): void {
  if (groups.length < 2) return;
  const kinds = new Map<string, string[]>();
  const kindOf = (group: QueueGroup): string =>
    group.match.lockName === undefined ? `${group.rank}\n${keyOf(group)}` : String(group.rank);
  for (const group of groups) {
    const names = kinds.get(kindOf(group)) ?? [];
    for (const { node } of group.members) names.push(node.name);
    kinds.set(kindOf(group), names);
  }
  if (kinds.size < 2) return;
  const others = new Map(
    Array.from(kinds.keys(), kind => [kind, Array.from(kinds, ([key, names]) => (key === kind ? [] : names)).flat()]),
  );
  for (const [at, group] of groups.entries()) {
    queues[at]?.hazards.push(...hazard('mixed-dialects', others.get(kindOf(group)) ?? []));
  }
}

/** Of an unknown library, what stands before the number may be the lock's name or the client's. */
function addDoubtfulNames(groups: readonly QueueGroup[], queues: readonly LockQueue[]): void {
  const isDoubtful = ({ dialect, match }: QueueGroup): boolean => dialect === generic && match.lockName !== undefined;
  if (groups.filter(isDoubtful).length < 2) return;
  for (const [at, group] of groups.entries()) {
    if (!isDoubtful(group)) continue;
    const names = group.members.map(({ name }) => name);
    queues[at]?.hazards.push(...hazard('one-lock-or-several', names));
  }
}

/** The directory with nodes for the names that may not be read. */
function withUnread(directory: LockDirectory, unread: readonly string[]): LockDirectory {
  const complete = (at: string, nodes: readonly ChildNode[]) => [...nodes, ...unreadIn(at, nodes, unread)];
  return {
    ...directory,
    children: complete(directory.path, directory.children),
    further: new Map(Array.from(directory.further, ([at, nodes]) => [at, complete(at, nodes)])),
  };
}

function unreadIn(directory: string, nodes: readonly ChildNode[], unread: readonly string[]): ChildNode[] {
  const names = unread.filter(path => parentPath(path) === directory).map(lastSegment);
  if (names.length === 0) return [];
  const members = nodes.map(node => memberOf(directory, node)).filter(member => member !== undefined);
  const keys = new Set(members.map(queueKeyOf));
  return names.map(name => {
    const node: ChildNode = { ...nodeOfName(directory, name), isUnread: true };
    const found = matchName(name, { directoryPath: directory });
    // Some names are a contender's only if the node is ephemeral: beside others of the same queue it counts as one.
    if (found === undefined) return node;
    if (keys.has(queueKeyOf(found)) || recogniseName(directory, name) !== undefined)
      node.member = toMember(node, found);
    return node;
  });
}

/**
 * Says what else must be listed before a directory can be recognised: semaphores that span two directories.
 *
 * @returns full paths, none twice; those that do not exist must be left out of `LockDirectory.further`
 */
export function furtherDirectories(path: string, childNames: readonly string[]): string[] {
  return semaphores.flatMap(({ further }) => further(path, childNames));
}

/** A lock by the names of its nodes alone. */
export interface LikelyLock {
  dialect: DialectId;
  lockName?: string;
  /** Zero where the contenders are in further directories, or absent for now. */
  contenders: number;
  /**
   * False when the nodes must be read for `recogniseQueues`: their owners distinguish the lock from an ordinary directory, or it has
   * another directory.
   */
  certain: boolean;
}

/**
 * Says which locks a path holds from names alone: cheap enough for every znode of a large tree. A single-node lock is recognised at
 * its own path, with no children. A semaphore of two directories is recognised at the path that clients use (Curator) or at its
 * queue (kazoo).
 *
 * @param path full path of the directory
 * @returns [] for ordinary directories, members, queues and logs
 */
export function recogniseNames(path: string, childNames: readonly string[]): LikelyLock[] {
  return atOnce(recognisingNames(path, childNames));
}

/** As `recogniseNames`, for long lists: it may be interrupted. */
export function* recognisingNames(path: string, childNames: readonly string[]): Interruptible<LikelyLock[]> {
  const inLocks = suggestsLock(path);
  const { byKey } = yield* groupByQueue(childNames, name => likelyMatch(path, name, inLocks));
  const groups = Array.from(byKey.values());
  const queue = semaphores.find(({ baseOfQueue }) => baseOfQueue?.(path) !== undefined);
  if (queue !== undefined) {
    const queued = groups.find(({ dialect }) => dialect === queue.queued);
    return [{ dialect: queue.dialect, contenders: queued?.members.length ?? 0, certain: false }];
  }
  if (childNames.length === 0) {
    const single = singleNodeByPath(path);
    return single === undefined ? [] : [{ dialect: single.dialect, contenders: 1, certain: false }];
  }
  const leases = leaseNodes.filter(({ nodeName }) => childNames.includes(nodeName));
  const spread = semaphores.filter(({ isLikely }) => isLikely?.(childNames) === true);
  return [
    ...groups.map(toLikelyLock),
    ...leases.map(({ dialect }) => ({ dialect, contenders: 1, certain: false })),
    ...spread.map(({ dialect }) => ({ dialect, contenders: 0, certain: false })),
  ];
}

/** Whether `recogniseNames` counts a child as a contender, and if so, whether for certain. */
export function recogniseName(directoryPath: string, name: string): 'contender' | 'guess' | undefined {
  const found = likelyMatch(directoryPath, name, suggestsLock(directoryPath));
  return found && (isGuess(found) ? 'guess' : 'contender');
}

function likelyMatch(directoryPath: string, name: string, inLocks: boolean): NameMatch | undefined {
  if (!endsInDigit(name)) return undefined;
  const found = matchName(name, { directoryPath });
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

function isGuess({ dialect }: Pick<NameMatch, 'dialect'>): boolean {
  return dialect.isGuess === true;
}

/**
 * Ten digits, or nine behind a dash, may be a time or an id. A counter seldom passes a billion, and a negative one has passed two;
 * it stands behind a word, or in a directory whose name suggests a lock.
 */
function isLikely({ match, reading }: NameMatch, inLocks: boolean): boolean {
  if (inLocks) return true;
  const stem = match.queueKey ?? '';
  return reading.sequence >= 0 && reading.sequence < LIKELY_COUNTER && stem !== '' && !endsInDigit(stem);
}

const LIKELY_COUNTER = 1_000_000_000;

function toLikelyLock(group: QueueGroup<NameMatch>): LikelyLock {
  const { lockName } = group.match;
  const named = lockName === undefined ? {} : { lockName };
  return { dialect: group.dialect.id, ...named, contenders: group.members.length, certain: !isGuess(group) };
}

/** The queue of one contender by names alone: what a recipe needs to know whose turn it is. */
export interface OwnQueue extends QueueOrder {
  /** A newcomer may be sorted in front of those who wait already: list again before deciding. */
  allowsOvertaking: boolean;
  /**
   * Contenders of other libraries in the same directory which this one's would not see, or which would not see it; and the
   * directory of a semaphore's leases, whose holders see nothing beside it.
   */
  contradictions: readonly string[];
}

/**
 * Reads a listing the way the library does that made `ownName`.
 *
 * @returns `undefined` if `ownName` is not in the listing, or is no contender's name
 */
export function queueOfNames(directoryPath: string, names: readonly string[], ownName: string): OwnQueue | undefined {
  const own = names.includes(ownName) ? matchName(ownName, { directoryPath }) : undefined;
  if (own === undefined) return undefined;
  const ownKey = queueKeyOf(own);
  const siblings = names.map(name => nodeOfName(directoryPath, name));
  const read = (node: ChildNode): Member | undefined => {
    const found = matchName(node.name, { directoryPath });
    return found && toMember(node, found);
  };
  const { byKey, others } = atOnce(groupByQueue(siblings, read));
  const contradictions = others.filter(({ name }) => semaphores.some(({ isLikely }) => isLikely?.([name]) === true));
  for (const [key, { members }] of byKey) {
    if (key === ownKey) continue;
    for (const member of members) if (contradicts(own, member)) contradictions.push(member.node);
  }
  joinCountedQueues(byKey);
  const group = byKey.get(ownKey);
  const joined = group ?? Array.from(byKey.values()).find(({ dialects }) => dialects.has(own.dialect));
  if (joined === undefined) return undefined;
  const { dialect, rank, match } = own;
  const order = atOnce(orderQueue(group === undefined ? joined : { ...group, dialect, rank, match }, siblings));
  const allowsOvertaking = own.dialect.sharesNumber !== undefined;
  return { ...order, allowsOvertaking, contradictions: contradictions.map(({ name }) => name) };
}

/** Named locks share a directory on purpose, and a number at the end of a name alone makes no lock. */
function contradicts(own: NameMatch, other: Pick<NameMatch, 'dialect'>): boolean {
  if (other.dialect === generic) return false;
  return own.dialect !== other.dialect || own.dialect.sharesDirectory !== true;
}

/** What is there before a lock is taken. */
export interface PathFacts {
  names: readonly string[];
  /** 0n: not ephemeral; `undefined`: there is no such node. */
  ownerSession: bigint | undefined;
  /** One of `queuesBeside` the path exists: the names at the path itself then prove nothing. */
  hasQueueBeside: boolean;
}

/** @returns the dialects of the locks at a path now; [] for an empty path or one that does not exist */
export function dialectsInUse(path: string, { names, ownerSession, hasQueueBeside }: PathFacts): DialectId[] {
  if (hasQueueBeside) return semaphores.flatMap(({ dialect, queueBeside }) => (queueBeside ? [dialect] : []));
  if (ownerSession === undefined) return [];
  // An ephemeral node is a lock itself, and can have no children.
  if (ownerSession !== 0n) return [singleNodeByPath(path)?.dialect ?? 'exclusive-node'];
  return names.length === 0 ? [] : recogniseNames(path, names).map(({ dialect }) => dialect);
}

/** Where semaphores keep the queue of a lock that is not below its path. */
export function queuesBeside(lockPath: string): string[] {
  return lockPath === '/' ? [] : semaphores.flatMap(({ queueBeside }) => queueBeside?.(lockPath) ?? []);
}

/**
 * The semaphore that a directory is a part of: a lock of its own there would take the places of the semaphore's clients.
 *
 * @param names the children, if they are known: a directory of leases is recognised by them, a queue by its path
 * @returns the semaphore by the path that clients use
 */
export function semaphoreAround(
  path: string,
  names: readonly string[] = [],
): { dialect: DialectId; path: string } | undefined {
  const found = semaphores.flatMap(({ dialect, baseOfQueue, baseOfLeases }) => {
    const leases = baseOfLeases?.(path);
    const base = leases !== undefined && holdsLeases(path, names, dialect) ? leases : baseOfQueue?.(path);
    return base === undefined ? [] : [{ dialect, path: base }];
  });
  return found[0];
}

function holdsLeases(path: string, names: readonly string[], semaphore: DialectId): boolean {
  return recogniseNames(path, names).some(({ dialect, contenders }) => dialect === semaphore && contenders > 0);
}
