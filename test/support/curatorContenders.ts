import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findJava } from '../../scripts/zookeeper/locate.ts';
import { Contenders } from './contenders.ts';
import { compiledClasses, curatorClassPath } from './javaClasses.ts';
import { JsonLines } from './jsonLines.ts';

export type CuratorRecipe =
  | 'mutex'
  /** Takes the mutexes at all `paths`, one after the other (InterProcessMultiLock). */
  | 'multi'
  | 'semaphoreMutex'
  | 'read'
  | 'write'
  /** Takes the write lock, then the read lock below it; gives both back at once. */
  | 'writeThenRead'
  /** The same step by step: begins with the write lock; `release` takes the read lock, then gives back the write, then the read lock. */
  | 'downgrade'
  | 'semaphore'
  | 'semaphoreV1'
  | 'latch'
  | 'selector'
  | 'zooKeeperWriteLock'
  | 'leaderElectionSupport';

export class CuratorContenders extends Contenders<CuratorRecipe> {
  /** Starts Curator's TreeCache of a path, by the contender's session. */
  async watchTree(contender: string, path: string): Promise<void> {
    await this.program.request('watchTree', { contender, path });
  }

  /** What that cache holds: text by path. */
  async tree(contender: string, path: string): Promise<Record<string, string>> {
    return (await this.program.request('tree', { contender, path })) as Record<string, string>;
  }
}

const sourceFolder = fileURLToPath(new URL('curator', import.meta.url));

/** Starts a program that runs the recipes of Curator and of ZooKeeper itself. */
export function startCuratorContenders(connectString: string): CuratorContenders {
  return new CuratorContenders(startCuratorProgram('Contenders', [connectString]));
}

/** Starts a program that takes and releases Curator's locks by itself; see `LockPlayer.java`. */
export function startCuratorPlayer(): JsonLines {
  return startCuratorProgram('LockPlayer', []);
}

function startCuratorProgram(mainClass: string, words: readonly string[]): JsonLines {
  const classPath = curatorClassPath();
  const java = findJava(process.env);
  if (java === undefined) throw new Error('These tests need Java. Run npm test, which installs it.');
  const args = [
    '-XX:TieredStopAtLevel=1',
    '-XX:+UseSerialGC',
    '-cp',
    [compiledClasses(sourceFolder, 'contenders', classPath), ...classPath].join(delimiter),
    mainClass,
    ...words,
  ];
  return new JsonLines('curator', java, args);
}
