import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bundledSources, repositoryRoot } from '../../../scripts/build/bundle.ts';
import { HardenedConnection } from '../../../src/zookeeper/hardenedConnection.ts';

const libraryFolder = 'node_modules/node-zookeeper-client/lib';

const manager = readFileSync(join(repositoryRoot, libraryFolder, 'ConnectionManager.js'), 'utf8');

/** The methods of the library's connection manager, `constructor` for what is before them, by their source. */
function methodSources(): Map<string, string> {
  const [head = '', ...rest] = manager.split(/^ConnectionManager\.prototype\.(?=\w+ = function)/mu);
  const methods = rest.map(source => [/^\w+/u.exec(source)?.[0] ?? '', source] as const);
  return new Map([['constructor', head], ...methods]);
}

/** Names of the methods whose source matches. */
function methodsThat(matches: RegExp): string[] {
  return [...methodSources()].filter(([, source]) => matches.test(source)).map(([name]) => name);
}

it('bundles of the client library only what is used of it', { timeout: 30_000 }, async () => {
  const shipped = await bundledSources();
  const library = /^node_modules\/(?:underscore|async|node-zookeeper-client\/(?!lib\/jute\/))/u;
  expect(shipped.filter(path => library.test(path)).toSorted()).toEqual([
    `${libraryFolder}/ConnectionManager.js`,
    `${libraryFolder}/Exception.js`,
    `${libraryFolder}/PacketQueue.js`,
  ]);
});

it('asks the list of servers of the library only for what stands in for it', () => {
  expect(methodsThat(/connectionStringParser/iu)).toEqual(['constructor']);
  const calls = [...manager.matchAll(/\.connectionStringParser\.(\w+)/gu)].map(([, method]) => method);
  expect(calls).toEqual(['getServers', 'getChrootPath']);
});

it('never comes to a method of the library that reads its watchers', () => {
  const readers = methodsThat(/watcherManager(?!\s*=)/u).filter(name => name !== 'constructor');
  expect(readers).toEqual([
    'registerDataWatcher',
    'registerChildWatcher',
    'registerExistenceWatcher',
    'onSocketConnected',
    'onSocketData',
  ]);
  // In the library only `connect` leads to them, and the sub-class has its own.
  const callers = methodsThat(new RegExp(`\\b(?:this|self)\\.(?:${readers.join('|')})\\b`, 'u'));
  expect(callers.filter(name => !readers.includes(name))).toEqual(['connect']);
  expect(Object.hasOwn(HardenedConnection.prototype, 'connect')).toBe(true);
  expect(readFileSync(join(repositoryRoot, 'src/zookeeper/hardenedConnection.ts'), 'utf8')).not.toMatch(/\bsuper\./u);
  // The product cannot call what it does not declare.
  const declared = readFileSync(join(repositoryRoot, 'src/zookeeper/node-zookeeper-client.d.ts'), 'utf8');
  expect(readers.filter(name => declared.includes(name))).toEqual([]);
});
