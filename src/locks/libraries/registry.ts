import type {
  ContenderNaming,
  Dialect,
  DialectTraits,
  NameContext,
  NameMatch,
  QueueRecipe,
  StemMatch,
} from '../dialect.ts';
import type { DialectId } from '../lockQueue.ts';
import { readSequence } from '../sequence.ts';
import { aiozk, goZookeeper, goZookeeperTraits, rustLatch, zkRuby, zkRubyTraits } from './clientLibraries.ts';
import { curator, curatorNamed, curatorSemaphore, curatorTraits } from './curator.ts';
import { distributedLockNet, distributedLockTraits } from './distributedLockNet.ts';
import { bookkeeperAuditor, electionTraits, groups, mesos, solr } from './elections.ts';
import { generic, knownNames } from './generic.ts';
import { hive } from './hive.ts';
import { kazoo, kazooLease, kazooSemaphore, kazooTraits } from './kazoo.ts';
import { accumulo, solrLock, vitess } from './products.ts';
import { productNodeTraits } from './productNodes.ts';
import { recipeNames, recipeNamesTraits } from './recipeNames.ts';
import type { TwoDirectorySemaphore } from './semaphore.ts';
import { leaderElectionSupport, writeLocks, zookeeperTraits } from './zookeeperRecipes.ts';

// The list of libraries: a new one is added here, and nowhere else outside of its module, its id and its tests.

/** In the order of recognition, most specific first (docs/dialects.md, section 5). */
const dialects: readonly Dialect[] = [
  ...curator,
  goZookeeper,
  kazoo,
  ...accumulo,
  solr,
  ...writeLocks,
  ...aiozk,
  rustLatch,
  mesos,
  bookkeeperAuditor,
  hive,
  solrLock,
  ...groups,
  leaderElectionSupport,
  ...zkRuby,
  ...distributedLockNet,
  ...recipeNames,
  ...knownNames,
  vitess,
  curatorNamed,
  generic,
];

/** Semaphores that are put together from two directories, in the order of recognition. */
export const semaphores: readonly TwoDirectorySemaphore[] = [curatorSemaphore, kazooSemaphore];

/** Locks that are one child of a directory, known by its name and data. */
export const leaseNodes = [kazooLease] as const;

/** In the order in which the user is offered them: Curator first. */
const traits: ReadonlyMap<string, DialectTraits> = new Map(
  Object.entries({
    ...curatorTraits,
    ...kazooTraits,
    ...goZookeeperTraits,
    ...zookeeperTraits,
    ...recipeNamesTraits,
    ...distributedLockTraits,
    ...zkRubyTraits,
    ...electionTraits,
    ...productNodeTraits,
  }),
);

/**
 * Tries every dialect in turn. Total: any text gives an answer.
 *
 * @returns undefined when no dialect recognises the name
 */
export function matchName(name: string, context: NameContext): NameMatch | undefined {
  const readings = readSequence(name);
  if (readings.length === 0) return undefined;
  let rank = -1;
  for (const dialect of dialects) {
    rank++;
    for (const reading of readings) {
      const match = dialect.match(reading.stem, context);
      if (match === undefined) continue;
      // A node that its own library overlooks is no contender for any other library either.
      if (dialect.acceptsSuffix?.(reading.suffix) === false) return undefined;
      return { dialect, rank, match, reading };
    }
  }
  return undefined;
}

/** Contenders with the same key are of one queue. */
export function queueKeyOf({ dialect, match }: { dialect: Dialect; match: StemMatch }): string {
  return `${dialect.family ?? dialect.id}\n${match.queueKey ?? ''}`;
}

const handWritten = new Set(dialects.filter(({ isHandWritten }) => isHandWritten).map(({ id }) => id));

/** Whether hand-written recipes have the names of a dialect, too (`Dialect.isHandWritten`). */
export function isHandWritten(dialect: DialectId): boolean {
  return handWritten.has(dialect);
}

const abandonable = new Set(
  dialects.filter(each => each.isHandWritten === true || each.makesPersistent === 'on-request').map(({ id }) => id),
);

/** Whether a node without an owner may belong to a live program, or be what a dead one left: nothing shows which. */
export function mayBeAbandoned(dialect: DialectId): boolean {
  return abandonable.has(dialect);
}

/** What other layers need to know of a dialect besides its queues. */
export function traitsOf(dialect: DialectId): DialectTraits {
  return traits.get(dialect) ?? {};
}

/** @returns the dialect whose names are written for `dialect`; itself for most, its library's for a semaphore */
export function writtenDialect(dialect: DialectId): DialectId {
  return traitsOf(dialect).semaphoreOf ?? dialect;
}

/** Whether a dialect is that of a semaphore. */
export function isSemaphore(dialect: DialectId): boolean {
  return traitsOf(dialect).semaphoreOf !== undefined;
}

/** @returns how `recipe` names its contenders in `dialect`; `undefined` if that library has no such recipe */
export function contenderNaming(dialect: DialectId, recipe: QueueRecipe): ContenderNaming | undefined {
  if (isSemaphore(dialect) && recipe !== 'semaphore') return undefined;
  return traitsOf(writtenDialect(dialect)).writes?.[recipe];
}

/**
 * Whether `recipe` excludes, and is excluded by, the locks that were found. Semaphores stand in other directories than the
 * locks of the same library, or under names that those ignore: neither would see the other.
 */
export function canJoin(found: DialectId, recipe: QueueRecipe): boolean {
  return isSemaphore(found) === (recipe === 'semaphore') && contenderNaming(found, recipe) !== undefined;
}

/** @returns the dialects in which `recipe` can be taken, Curator first */
export function writableDialects(recipe: QueueRecipe): DialectId[] {
  return [...traits].flatMap(([dialect, { writes }]) => (writes?.[recipe] === undefined ? [] : [dialect as DialectId]));
}
