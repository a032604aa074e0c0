import type { BuildOptions, Plugin } from 'esbuild';
import { readFile } from 'node:fs/promises';

/** A page that takes longer to load than to read is no help; VS Code loads it again each time the panel is shown. */
export const pageScriptLimit = 150 * 1024;
export const pageScript = 'dist/webview.js';

/** What the page's bundle has beyond the options that all bundles share. */
export const pageBundle: BuildOptions = {
  entryPoints: ['webview/main.ts'],
  outfile: pageScript,
  platform: 'browser',
  format: 'iife',
  target: 'es2022',
  plugins: [toolkitWithoutSideEffects(), toolkitWithoutIndentation(), toolkitWithoutStyleProbe()],
};

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
