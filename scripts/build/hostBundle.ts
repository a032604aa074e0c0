import type { Plugin } from 'esbuild';

/**
 * What src/zookeeper/hardenedConnection.ts replaces of `node-zookeeper-client`, by the path that its connection manager asks for.
 * The constructor makes one of each and never uses it again: a list of servers is set, and methods that read watchers are not called.
 * Without them nothing of underscore (27 kB), which shuffles the servers, and of `Path` and `Event` is bundled either.
 */
const standIns: Readonly<Record<string, string>> = {
  './ConnectionStringParser.js': 'module.exports = class { getServers() { return []; } getChrootPath() {} };',
  './WatcherManager.js': 'module.exports = class {};',
};

/** Leaves out of a bundle what is replaced of the client library. */
export function withoutReplaced(): Plugin {
  const namespace = 'without-replaced';
  return {
    name: namespace,
    setup(build) {
      build.onResolve({ filter: /^\.\// }, ({ path, importer }) => {
        const isReplaced =
          path in standIns && /node-zookeeper-client[\\/]lib[\\/]ConnectionManager\.js$/.test(importer);
        return isReplaced ? { path, namespace } : undefined;
      });
      build.onLoad({ filter: /^/, namespace }, ({ path }) => ({ contents: standIns[path] }));
    },
  };
}
