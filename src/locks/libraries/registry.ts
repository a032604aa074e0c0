import { readSequence } from '../sequence.ts';
import { accumuloFate, accumuloService } from './accumulo.ts';
import { aiozk, aiozkLeases } from './aiozk.ts';
import { bookkeeperAuditor } from './bookkeeper.ts';
import { curatorLatch, curatorLeases, curatorMutex, curatorNamed, curatorReadWrite } from './curator.ts';
import type { Dialect, NameContext, NameMatch } from './dialect.ts';
import { distributedLock, distributedReadWriteLock, distributedSemaphore } from './distributedLockNet.ts';
import { generic, guidLock, guidShared, namedElections, twitterCandidate } from './generic.ts';
import { goZookeeper } from './goZookeeper.ts';
import { hive } from './hive.ts';
import { kazoo } from './kazoo.ts';
import { letters } from './letters.ts';
import { mesos } from './mesos.ts';
import { namedLock } from './namedLock.ts';
import { rustLatch } from './rustLatch.ts';
import { sessionNamed } from './sessionNamed.ts';
import { solr } from './solr.ts';
import { vitess } from './vitess.ts';
import { zkRuby, zkRubyElection, zkRubySemaphore } from './zkRuby.ts';
import { leaderElectionSupport, writeLockC, writeLockJava } from './zookeeperRecipes.ts';

/** In the order of recognition, most specific first (docs/dialects.md, section 5). */
const dialects: readonly Dialect[] = [
  curatorMutex,
  curatorReadWrite,
  curatorLatch,
  curatorLeases,
  goZookeeper,
  kazoo,
  accumuloService,
  accumuloFate,
  solr,
  writeLockJava,
  writeLockC,
  aiozk,
  aiozkLeases,
  rustLatch,
  mesos,
  bookkeeperAuditor,
  hive,
  leaderElectionSupport,
  zkRuby,
  zkRubySemaphore,
  zkRubyElection,
  distributedReadWriteLock,
  distributedLock,
  distributedSemaphore,
  sessionNamed,
  letters,
  namedLock,
  guidLock,
  guidShared,
  namedElections,
  twitterCandidate,
  vitess,
  curatorNamed,
  generic,
];

/**
 * Asks every dialect in turn. Total: any text gives an answer.
 *
 * @returns undefined when no dialect knows the name
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
      // A node that its own library overlooks is no contender for anybody else either.
      if (dialect.acceptsSuffix?.(reading.suffix) === false) return undefined;
      return { dialect, rank, match, reading };
    }
  }
  return undefined;
}

/** What says which queue a contender is of. */
type QueueMark = Pick<NameMatch, 'dialect' | 'match'>;

/** Whether two contenders are of one queue; `false` may be wrong: then `queueKeyOf` tells. */
export function isSameQueue(one: QueueMark, other: QueueMark): boolean {
  return one.dialect === other.dialect && one.match.queueKey === other.match.queueKey;
}

/** Contenders with the same key are of one queue. */
export function queueKeyOf(found: QueueMark): string {
  return `${found.dialect.family ?? found.dialect.id}\n${found.match.queueKey ?? ''}`;
}
