import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bundledSources, repositoryRoot } from '../../../scripts/build/bundle.ts';

/** The functions of underscore that a CommonJS source calls. @throws when it is loaded in a way that cannot be followed */
function calledFunctions(source: string): string[] {
  const loads = [...source.matchAll(/require\(['"]underscore['"]\)/gu)].length;
  const names = [...source.matchAll(/\bvar\s+(\w+)\s*=\s*require\(['"]underscore['"]\);/gu)].map(match => match[1]!);
  if (names.length !== loads) throw new Error('underscore is not loaded into a variable.');
  return names.flatMap(name => {
    const uses = [...source.matchAll(new RegExp(`(?<![\\w.$])${name}(?:\\.(\\w+)|(?![\\w$]))`, 'gu'))];
    // The first is the variable itself.
    return uses.slice(1).map(use => use[1] ?? `all of it, as ${name}`);
  });
}

it('brings nothing of underscore, whose one user only shuffles its servers', { timeout: 30_000 }, async () => {
  const shipped = await bundledSources();
  const users = shipped
    .filter(path => path.startsWith('node_modules/') && !path.startsWith('node_modules/underscore/'))
    .map(path => [path, readFileSync(join(repositoryRoot, path), 'utf8')] as const)
    .filter(([, source]) => /['"]underscore['"/]/u.test(source));
  expect(users.map(([path]) => path)).toEqual(['node_modules/node-zookeeper-client/lib/ConnectionStringParser.js']);
  const called = users.flatMap(([, source]) => calledFunctions(source));
  // What stands in for it (scripts/build/hostBundle.ts) has no more.
  expect([...new Set(called)]).toEqual(['shuffle']);
  expect(shipped.filter(path => path.startsWith('node_modules/underscore/'))).toEqual([]);
  // The servers are put into the base class's list as they are, so there is one to be shuffled.
  const connection = readFileSync(join(repositoryRoot, 'src/zookeeper/hardenedConnection.ts'), 'utf8');
  expect(connection).toMatch(/super\('localhost:2181', /u);
});

it.each([
  ["var u = require('underscore');\nu.each(x); a.u.map(y); u.keys(z)", ['each', 'keys']],
  ["var _ = require('underscore');\n_(x).each(y)", ['all of it, as _']],
])('finds the calls of %j', (source, called) => {
  expect(calledFunctions(source)).toEqual(called);
});
