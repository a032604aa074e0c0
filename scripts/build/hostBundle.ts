import type { Plugin } from 'esbuild';

/** Of underscore, what the bundled files of `node-zookeeper-client` call; a test compares this with their sources. */
export const underscoreFunctions: readonly string[] = ['shuffle'];

/**
 * The library puts its list of servers in random order, and asks for all of underscore by `require`, 27 kB. What it gets for a list is a
 * constant with one server (src/zookeeper/hardenedConnection.ts), so nothing of underscore is needed.
 */
export function withoutUnderscore(): Plugin {
  const namespace = 'without-underscore';
  return {
    name: namespace,
    setup(build) {
      build.onResolve({ filter: /^underscore$/ }, ({ path }) => ({ path, namespace }));
      build.onLoad({ filter: /^underscore$/, namespace }, () => ({
        contents: underscoreFunctions.map(name => `export const ${name} = list => list;`).join('\n'),
      }));
    },
  };
}
