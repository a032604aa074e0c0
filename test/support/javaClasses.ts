import { spawnSync } from 'node:child_process';
import { delimiter } from 'node:path';
import { debianClassPath, findJava } from '../../scripts/zookeeper/locate.ts';
import { buildOnce } from './buildOnce.ts';

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
  const joined = classPath.join(delimiter);
  return buildOnce({ sourceFolder, extension: '.java', name, salt: joined }, (sources, folder) => {
    const javac = findJava(process.env, 'javac');
    if (javac === undefined) throw new Error('These tests need a Java compiler. Run npm test, which installs one.');
    return spawnSync(javac, ['-cp', joined, '-d', folder, ...sources], { encoding: 'utf8' });
  });
}
