import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { debianClassPath, findJava } from '../../scripts/zookeeper/locate.ts';
import { Contenders } from './contenders.ts';
import { JsonLines } from './jsonLines.ts';

export type CuratorRecipe =
  | 'mutex'
  | 'semaphoreMutex'
  | 'read'
  | 'write'
  /** Takes the write lock, then the read lock below it. */
  | 'writeThenRead'
  | 'semaphore'
  | 'semaphoreV1'
  | 'latch'
  | 'selector'
  | 'zooKeeperWriteLock'
  | 'leaderElectionSupport';

const jars = [
  'curator-recipes',
  'curator-framework',
  'curator-client',
  'zookeeper',
  'zookeeper-jute',
  'zookeeper-recipes-lock',
  'zookeeper-recipes-election',
  'guava',
  'failureaccess',
  'jackson-annotations',
  'jackson-core',
  'jackson-databind',
  'metrics-core',
  'netty-all',
  'netty-buffer',
  'netty-codec',
  'netty-common',
  'netty-handler',
  'netty-resolver',
  'netty-transport',
  'netty-transport-native-epoll',
  'netty-transport-native-unix-common',
  'slf4j-api',
  'slf4j-nop',
];

const sourceFolder = fileURLToPath(new URL('curator', import.meta.url));
const cacheFolder = fileURLToPath(new URL('../../.cache', import.meta.url));

/** Compiles the sources unless that was done before. @returns the folder with the classes */
function compiledClasses(classPath: readonly string[]): string {
  const sources = readdirSync(sourceFolder)
    .filter(name => name.endsWith('.java'))
    .map(name => join(sourceFolder, name));
  const hash = createHash('sha256').update(classPath.join());
  for (const source of sources) hash.update(readFileSync(source));
  const classes = join(cacheFolder, `contenders-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(classes)) return classes;
  const javac = findJava(process.env, 'javac');
  if (javac === undefined) throw new Error('These tests need a Java compiler. Run npm test, which installs one.');
  // Two test workers may compile at once: each into its own folder, the first rename wins.
  const unfinished = `${classes}-${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  const args = ['-cp', classPath.join(delimiter), '-d', unfinished, ...sources];
  const { status, stderr } = spawnSync(javac, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The contenders do not compile:\n${stderr}`);
  try {
    renameSync(unfinished, classes);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(classes)) throw error;
  }
  return classes;
}

/** Starts a program that runs the recipes of Curator and of ZooKeeper itself. */
export function startCuratorContenders(connectString: string): Contenders<CuratorRecipe> {
  const classPath = debianClassPath(jars);
  const java = findJava(process.env);
  if (java === undefined || !classPath.some(jar => jar.endsWith('/curator-recipes.jar'))) {
    throw new Error('These tests need Java and Curator. Run npm test, which installs them.');
  }
  const args = [
    '-XX:TieredStopAtLevel=1',
    '-XX:+UseSerialGC',
    '-cp',
    [compiledClasses(classPath), ...classPath].join(delimiter),
    'Contenders',
    connectString,
  ];
  return new Contenders<CuratorRecipe>(new JsonLines('curator', java, args));
}
