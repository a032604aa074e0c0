import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { debianClassPath, findJava } from '../../scripts/zookeeper/locate.ts';

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

const cacheFolder = fileURLToPath(new URL('../../.cache', import.meta.url));

/** The jars that Curator's recipes need, as far as they are installed. @throws Error without Curator */
export function curatorClassPath(): string[] {
  const classPath = debianClassPath(jars);
  if (!classPath.some(jar => jar.endsWith('/curator-recipes.jar'))) {
    throw new Error('These tests need Java and Curator. Run npm test, which installs them.');
  }
  return classPath;
}

/**
 * Compiles the sources of a folder unless that was done before.
 *
 * @param name of the program; part of the folder's name
 * @returns the folder with the classes
 */
export function compiledClasses(sourceFolder: string, name: string, classPath: readonly string[]): string {
  const sources = readdirSync(sourceFolder)
    .filter(file => file.endsWith('.java'))
    .map(file => join(sourceFolder, file));
  const hash = createHash('sha256').update(classPath.join());
  for (const source of sources) hash.update(readFileSync(source));
  const classes = join(cacheFolder, `${name}-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(classes)) return classes;
  const javac = findJava(process.env, 'javac');
  if (javac === undefined) throw new Error('These tests need a Java compiler. Run npm test, which installs one.');
  // Two test workers may compile at once: each into its own folder, the first rename wins.
  const unfinished = `${classes}-${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  const args = ['-cp', classPath.join(delimiter), '-d', unfinished, ...sources];
  const { status, stderr } = spawnSync(javac, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The ${name} do not compile:\n${stderr}`);
  try {
    renameSync(unfinished, classes);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(classes)) throw error;
  }
  return classes;
}
