import type { BuildOptions, Plugin } from 'esbuild';
import { readFile } from 'node:fs/promises';

/**
 * The script of each page, where it begins and the bytes it may have: the lock panel, and the editor of incident files and the page of
 * a session, which do without the toolkit. A page that takes longer to load than to read is no help; VS Code loads it again each time it is shown.
 */
const pages = {
  'dist/webview.js': { entryPoint: 'webview/main.ts', limit: 150 * 1024 },
  'dist/incident.js': { entryPoint: 'webview/incident/main.ts', limit: 15 * 1024 },
  // Most of it is the layout of the picture.
  'dist/session.js': { entryPoint: 'webview/session/main.ts', limit: 70 * 1024 },
};
/** Path and bytes. */
export const pageScriptLimits: readonly (readonly [string, number])[] = Object.entries(pages).map(
  ([script, { limit }]) => [script, limit],
);

/** What the pages' bundles have beyond the options that all bundles share. */
export const pageBundles: readonly BuildOptions[] = Object.entries(pages).map(([outfile, { entryPoint }]) => ({
  entryPoints: [entryPoint],
  outfile,
  platform: 'browser',
  format: 'iife',
  target: 'es2022',
  plugins: [toolkitWithoutSideEffects(), toolkitWithoutIndentation(), toolkitWithoutStyleProbe()],
}));

/**
 * esbuild keeps all of FAST Foundation whatever is imported, since its modules begin with calls that could do something.
 * They do not, as long as their result is not used; saying so makes the script less than half as large.
 */
function toolkitWithoutSideEffects(): Plugin {
  const asked = Symbol('asked by this plugin');
  return {
    name: 'toolkit-without-side-effects',
    setup(build) {
      build.onResolve({ filter: /^(@microsoft\/fast-|@vscode\/webview-ui-toolkit$|\.)/ }, async request => {
        const isToolkit = request.path.startsWith('@') || /@microsoft|webview-ui-toolkit/.test(request.importer);
        if (!isToolkit || request.pluginData === asked) return undefined;
        const { path, importer, kind, resolveDir } = request;
        const found = await build.resolve(path, { importer, kind, resolveDir, pluginData: asked });
        return found.errors.length > 0 ? { errors: found.errors } : { path: found.path, sideEffects: false };
      });
    },
  };
}

/** Style sheets and templates of the toolkit are template literals, which no minifier touches: their indentation is 5 KB. */
function toolkitWithoutIndentation(): Plugin {
  return {
    name: 'toolkit-without-indentation',
    setup(build) {
      const templates = /[\\/](fast-foundation|webview-ui-toolkit)[\\/].*\.(styles|template)\.js$/;
      build.onLoad({ filter: templates }, async ({ path }) => ({
        contents: (await readFile(path, 'utf8')).replace(/\n\s+/g, '\n'),
      }));
    },
  };
}

/** FAST finds out about `:focus-visible` with a style element, which our content policy blocks and reports; every VS Code has it. */
function toolkitWithoutStyleProbe(): Plugin {
  return {
    name: 'toolkit-without-style-probe',
    setup(build) {
      build.onLoad({ filter: /[\\/]fast-web-utilities[\\/]dist[\\/]dom\.js$/ }, async ({ path }) => ({
        contents: (await readFile(path, 'utf8')).replace('let _canUseFocusVisible;', 'let _canUseFocusVisible = true;'),
      }));
    },
  };
}
