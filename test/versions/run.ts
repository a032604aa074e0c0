import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { repositoryRoot } from '../../scripts/build/bundle.ts';
import { oldServerParts, provideIfPossible } from '../../scripts/system/requirements.ts';
import { serverJars, type ServerJar } from '../../scripts/zookeeper/serverFolder.ts';
import { describePlay, isBadPlay, type PlayOptions } from './playTests.ts';
import { playVersion, type VersionResult } from './playVersion.ts';

// npm run test:versions [-- --only 3.4.14] [-- --listed] [-- --short] [-- part-of-a-file-name ...]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** A version, or several. */
    only: { type: 'string', multiple: true, default: [] },
    /** Plays only the tests that `limits.ts` lists: one that passes does not belong there. */
    listed: { type: 'boolean', default: false },
    /** The oldest and the newest server, and only what differs between versions: part of `npm test`. */
    short: { type: 'boolean', default: false },
  },
});

/**
 * Recipes, sessions and queues. Left out: random and long runs (chaos, fuzz, lostReplies, leases, link faults), ensembles, and
 * the comparisons with other libraries, which say little about a version.
 */
const shortFiles = [
  'recipes/queueing',
  'recipes/leaving',
  'recipes/holdingFaults',
  'recipes/refusedRelease',
  'recipes/foreignOrphans',
  'recipes/multiLock',
  'zookeeper/oldServers',
  'zookeeper/operations',
  'zookeeper/watches',
  'zookeeper/lifecycle',
  'zookeeper/access',
  'inspector/live',
  'forceDelete/',
].map(name => `test/integration/${name}`);

function chosenServers(): ServerJar[] {
  const folder = process.env['ZOOKEEPER_SERVERS'];
  if (folder === undefined || folder === '') {
    throw new Error('Set ZOOKEEPER_SERVERS to a folder with files named zookeeper-VERSION.jar.');
  }
  const jars = serverJars(folder);
  if (jars.length === 0) throw new Error(`There is no zookeeper-VERSION.jar in ${folder}.`);
  if (values.short) return [...new Set([jars[0]!, jars.at(-1)!])];
  return values.only.length === 0 ? jars : jars.filter(({ version }) => values.only.includes(version));
}

const options: PlayOptions = { files: values.short ? shortFiles : positionals, onlyListed: values.listed };
await provideIfPossible(oldServerParts);
const played: VersionResult[] = [];
for (const jar of chosenServers()) {
  process.stdout.write(`\n=== ZooKeeper ${jar.version}\n`);
  played.push(await playVersion(jar, options));
}
await mkdir(join(repositoryRoot, 'test-results'), { recursive: true });
await writeFile(join(repositoryRoot, 'test-results', 'versions.json'), `${JSON.stringify(played, undefined, 2)}\n`);
const lines = played.map(result => describePlay(result.version, result, values.listed));
process.stdout.write(`\n${lines.join('\n')}\n`);
if (played.some(result => isBadPlay(result, values.listed))) {
  if (values.listed) process.stdout.write('A listed test that passes does not belong on the list.\n');
  process.exitCode = 1;
}
