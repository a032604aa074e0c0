import type { Plugin } from 'esbuild';

/**
 * `node-zookeeper-client` puts its list of servers in random order with `shuffle`, and asks for all of underscore by `require`, 27 kB.
 * Its list is a constant with one server here (src/zookeeper/hardenedConnection.ts), so nothing of underscore is needed.
 */
export function withoutUnderscore(): Plugin {
  const namespace = 'without-underscore';
  return {
    name: namespace,
    setup(build) {
      build.onResolve({ filter: /^underscore$/ }, ({ path }) => ({ path, namespace }));
      build.onLoad({ filter: /^underscore$/, namespace }, () => ({
        contents: 'export const shuffle = list => list;',
      }));
    },
  };
}
