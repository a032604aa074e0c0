import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';

/** Everything that is needed to run a ZooKeeper server of this machine. */
export interface ZooKeeperInstall {
  /** For people: where it was found. */
  description: string;
  java: string;
  classPath: string[];
}

const debianFolder = '/usr/share/java';

/** What a server needs beside its own classes; Debian's own scripts rely on the manifest and lack the admin server. */
export const debianLibraries: readonly string[] = [
  'slf4j-api',
  'slf4j-simple',
  'netty-all',
  'netty-buffer',
  'netty-codec',
  'netty-common',
  'netty-handler',
  'netty-resolver',
  'netty-transport',
  'netty-transport-native-epoll',
  'netty-transport-native-unix-common',
  'metrics-core',
  'snappy-java',
  'commons-cli',
  'commons-io',
  'jackson-annotations',
  'jackson-core',
  'jackson-databind',
  'jetty9-http',
  'jetty9-io',
  'jetty9-security',
  'jetty9-server',
  'jetty9-servlet',
  'jetty9-util',
  'jetty9-util-ajax',
  'servlet-api',
  // Only 3.4 needs it.
  'log4j-1.2',
];

const homebrewFolders = [
  '/opt/homebrew/opt/zookeeper/libexec',
  '/usr/local/opt/zookeeper/libexec',
  '/home/linuxbrew/.linuxbrew/opt/zookeeper/libexec',
];

/** @returns the paths of those of Debian's `names` (without `.jar`) that are installed */
export function debianClassPath(names: readonly string[]): string[] {
  return names.map(name => join(debianFolder, `${name}.jar`)).filter(jar => existsSync(jar));
}

/** @returns a command that runs Java, `undefined` if there is none; `JAVA_HOME` comes first */
export function findJava(env: NodeJS.ProcessEnv, program: 'java' | 'javac' = 'java'): string | undefined {
  const home = env['JAVA_HOME'];
  const file = process.platform === 'win32' ? `${program}.exe` : program;
  const candidates = [
    ...(home === undefined || home === '' ? [] : [join(home, 'bin', file)]),
    ...(env['PATH'] ?? '').split(delimiter).map(folder => join(folder, file)),
    `/opt/homebrew/opt/openjdk/bin/${program}`,
    `/usr/local/opt/openjdk/bin/${program}`,
  ];
  // macOS has a /usr/bin/java that only says that there is no Java: trust none that does not answer.
  return candidates.find(
    candidate => existsSync(candidate) && spawnSync(candidate, ['-version'], { stdio: 'ignore' }).status === 0,
  );
}

function unpackedClassPath(home: string): string[] {
  return [home, join(home, 'lib')].flatMap(folder =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter(name => name.endsWith('.jar'))
          .map(name => join(folder, name))
      : [],
  );
}

function unpacked(home: string, origin: string, java: string): ZooKeeperInstall | undefined {
  const classPath = unpackedClassPath(home);
  const hasServer = classPath.some(jar => /^zookeeper-\d.*\.jar$/.test(basename(jar)));
  return hasServer ? { description: `${origin} ${home}`, java, classPath } : undefined;
}

/**
 * Looks for a ZooKeeper server on this machine: `ZOOKEEPER_HOME`, then Debian's packages, then Homebrew.
 *
 * @returns `undefined` if there is none or no Java
 * @throws Error when `ZOOKEEPER_HOME` is set and holds no ZooKeeper: silently taking another would surprise
 */
export function findZooKeeper(env: NodeJS.ProcessEnv): ZooKeeperInstall | undefined {
  const java = findJava(env);
  if (java === undefined) return undefined;
  const home = env['ZOOKEEPER_HOME'];
  if (home !== undefined && home !== '') {
    const install = unpacked(home, 'ZOOKEEPER_HOME', java);
    if (install === undefined) throw new Error(`ZOOKEEPER_HOME is ${home}, but there is no zookeeper-*.jar in it.`);
    return install;
  }
  if (existsSync(join(debianFolder, 'zookeeper.jar')) && existsSync(join(debianFolder, 'zookeeper-jute.jar'))) {
    return {
      description: `Debian's ${debianFolder}/zookeeper.jar`,
      java,
      classPath: debianClassPath(['zookeeper', 'zookeeper-jute', ...debianLibraries]),
    };
  }
  return homebrewFolders.map(folder => unpacked(folder, 'Homebrew', java)).find(install => install !== undefined);
}
