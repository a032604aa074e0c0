import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findJava } from '../zookeeper/locate.ts';
import { canInstallPackages, installPackages } from './debian.ts';
import { findGo, hasGoZooKeeper } from './go.ts';
import { findProgram } from './run.ts';

/** Something of the operating system that npm cannot bring. */
export interface Requirement {
  /** For people. */
  what: string;
  debianPackage: string;
  isThere: () => boolean;
}

const jar = (name: string) => existsSync(`/usr/share/java/${name}.jar`);
const programs = (...names: string[]) => names.every(name => findProgram(name) !== undefined);
const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** A font of the system with Chinese letters; the first is the one that is installed, as the smallest. */
const fontFolders = ['truetype/wqy', 'opentype/noto', 'truetype/droid'].map(name => `/usr/share/fonts/${name}`);

/** What the native parts of code-server are built with. */
export const toolChain: readonly Requirement[] = [
  { what: 'a C++ compiler and make', debianPackage: 'build-essential', isThere: () => programs('g++', 'make') },
  { what: 'Python 3', debianPackage: 'python3', isThere: () => programs('python3') },
  { what: 'the headers of Kerberos', debianPackage: 'libkrb5-dev', isThere: () => existsSync('/usr/include/krb5.h') },
];

/** What the tests compare us with and run us in. */
export const testParts: readonly Requirement[] = [
  { what: 'ZooKeeper', debianPackage: 'zookeeper', isThere: () => jar('zookeeper') },
  { what: 'the servlet API (admin server)', debianPackage: 'libservlet-api-java', isThere: () => jar('servlet-api') },
  { what: 'Apache Curator', debianPackage: 'libcurator-recipes-java', isThere: () => jar('curator-recipes') },
  {
    what: 'a Java compiler',
    debianPackage: 'default-jdk-headless',
    isThere: () => findJava(process.env, 'javac') !== undefined,
  },
  {
    what: 'kazoo for Python 3',
    debianPackage: 'python3-kazoo',
    isThere: () => spawnSync('/usr/bin/python3', ['-c', 'import kazoo'], { stdio: 'ignore' }).status === 0,
  },
  {
    what: 'Chromium',
    debianPackage: 'chromium',
    isThere: () => process.env['CHROMIUM'] !== undefined || browsers.some(name => programs(name)),
  },
  {
    what: 'a Chinese font',
    debianPackage: 'fonts-wqy-microhei',
    isThere: () => fontFolders.some(folder => existsSync(folder)),
  },
];

/** Tests that need these are skipped, and say so, where they are missing. */
export const optionalTestParts: readonly Requirement[] = [
  { what: 'Go', debianPackage: 'golang-go', isThere: () => findGo() !== undefined },
  { what: 'go-zookeeper', debianPackage: 'golang-github-samuel-go-zookeeper-dev', isThere: hasGoZooKeeper },
];

/** Servers of other versions need these beside what Debian's own server brings; only where `ZOOKEEPER_SERVERS` names some. */
export const oldServerParts: readonly Requirement[] = [
  { what: 'log4j 1.2 (ZooKeeper 3.4)', debianPackage: 'liblog4j1.2-java', isThere: () => jar('log4j-1.2') },
];

/** Installs what is missing if that is possible, and says what stays missing. */
export async function provideIfPossible(requirements: readonly Requirement[]): Promise<void> {
  try {
    await provide(requirements);
  } catch (error) {
    console.warn(`Some tests will be skipped. ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * Installs with apt-get what is missing.
 *
 * @throws Error that says what to install, where that is not possible
 */
export async function provide(requirements: readonly Requirement[]): Promise<void> {
  const missing = requirements.filter(requirement => !requirement.isThere());
  if (missing.length === 0) return;
  const list = missing.map(({ what, debianPackage }) => `  - ${what} (Debian: ${debianPackage})`).join('\n');
  if (!canInstallPackages()) {
    throw new Error(
      `This is missing, and it can be installed from here only with apt-get as root or with sudo:\n${list}`,
    );
  }
  await installPackages(missing.map(({ debianPackage }) => debianPackage));
  const still = missing.filter(requirement => !requirement.isThere());
  if (still.length > 0) {
    throw new Error(`apt-get ran, but this is still missing: ${still.map(({ what }) => what).join(', ')}.`);
  }
}
