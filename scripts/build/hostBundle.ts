import type { Plugin } from 'esbuild';

/** Of underscore, what the bundled files of `node-zookeeper-client` call; a test compares this with their sources. */
export const underscoreFunctions: readonly string[] = ['shuffle'];

/** The library asks for all of underscore, 27 kB, by `require`, which no bundler can shake; the modules of underscore can be taken one by one. */
export function underscoreAsUsed(): Plugin {
  const namespace = 'underscore-as-used';
  return {
    name: namespace,
    setup(build) {
      build.onResolve({ filter: /^underscore$/ }, ({ path, resolveDir }) => ({
        path,
        namespace,
        pluginData: resolveDir,
      }));
      build.onLoad({ filter: /^underscore$/, namespace }, ({ pluginData }) => ({
        contents: underscoreFunctions
          .map(name => `export { default as ${name} } from 'underscore/modules/${name}.js';`)
          .join('\n'),
        resolveDir: pluginData as string,
      }));
    },
  };
}
