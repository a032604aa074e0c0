import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/**
 * The layers of `src` from the bottom to the top (ARCHITECTURE.md), and the layers, or single folders of them, that each may import. Within a layer a folder
 * may import those that stand before it; folders in one list stand beside each other. Every arrow points back in this order, so
 * there can be no circle of folders.
 */
const layers = [
  { name: 'base', folders: ['base'], imports: [] },
  { name: 'zookeeper', folders: ['zookeeper/wire', 'zookeeper'], imports: ['base'] },
  { name: 'locks', folders: ['locks', 'locks/libraries', 'locks/recognition'], imports: ['base'] },
  { name: 'history', folders: ['history'], imports: ['base', 'locks'] },
  { name: 'dataTree', folders: ['dataTree'], imports: ['base', 'zookeeper'] },
  { name: 'sandbox', folders: ['sandbox'], imports: ['base', 'zookeeper', 'dataTree'] },
  { name: 'replay', folders: ['replay'], imports: ['base', 'zookeeper', 'locks', 'history', 'dataTree'] },
  { name: 'journal', folders: ['journal'], imports: ['base', 'zookeeper', 'locks', 'history', 'dataTree', 'replay'] },
  { name: 'recipes', folders: ['recipes'], imports: ['base', 'zookeeper', 'locks'] },
  {
    name: 'inspector',
    folders: ['inspector/owners', 'inspector', 'inspector/blockers'],
    imports: ['base', 'zookeeper', 'locks'],
  },
  {
    name: 'incident',
    folders: ['incident'],
    imports: ['base', 'zookeeper', 'locks', 'history', 'dataTree', 'replay', 'journal', 'inspector'],
  },
  {
    name: 'scenario',
    folders: ['scenario'],
    imports: ['base', 'zookeeper', 'locks', 'dataTree', 'sandbox', 'recipes', 'inspector'],
  },
  {
    name: 'app',
    folders: [
      'app/clusters',
      ['app/security', 'app/testLocks', 'app/profiles', 'app/sandbox', 'app/recordings', 'app/blockers'],
      ['app/api', 'app/owners'],
      ['app/deletes', 'app/diagnosis', 'app/recorder', 'app/scenarios', 'app/sessions'],
      ['app/incidents', 'app/assistant'],
      'app/panel',
    ],
    imports: [
      'base',
      'zookeeper',
      'locks',
      'history',
      'sandbox',
      'replay',
      'journal',
      'recipes',
      'inspector',
      'incident',
      'scenario',
    ],
  },
  {
    name: 'extension',
    folders: [
      'extension/words',
      'extension/platform',
      'extension/dialogs',
      ['extension/views', 'extension/panel', 'extension/scenarios'],
      'extension/commands',
      'extension',
    ],
    imports: [
      'base',
      'zookeeper',
      'locks',
      'history',
      'sandbox',
      'replay',
      'journal',
      'recipes',
      'inspector',
      'incident',
      'scenario',
      'app',
    ],
  },
  {
    // The program for the command line. It shares the words with the extension, and of `app` what reads files without VS Code.
    name: 'zklock',
    folders: ['zklock'],
    imports: [
      'base',
      'zookeeper',
      'locks',
      'history',
      'replay',
      'inspector',
      'scenario',
      'app/security',
      'app/recordings',
      'extension/words',
    ],
  },
];

/** The folders of a layer, or the folder itself. */
function foldersOf(name) {
  return layers.find(layer => layer.name === name)?.folders.flat() ?? [name];
}

/** The source files of `src` and `webview` as paths below the root, with `/`. */
function sourceFiles() {
  return ['src', 'webview'].flatMap(top =>
    readdirSync(join(root, top), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && entry.name.endsWith('.ts'))
      .map(entry => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')),
  );
}

/** A path from the importing folder as imports write it. */
function specifierOf(path) {
  return path.startsWith('.') ? path : `./${path}`;
}

/** The zones of all folders of `src`: the folder, its layer, and a pattern of the imports that it must not have. */
export function folderZones() {
  const all = layers.flatMap(({ folders }) => folders.flat());
  const present = new Set(
    sourceFiles()
      .map(path => dirname(path))
      .filter(path => path.startsWith('src/')),
  );
  const unlisted = [...present].filter(path => !all.includes(path.slice('src/'.length)));
  if (unlisted.length > 0) throw new Error(`scripts/lint/house.mjs has no layer for ${unlisted.join(', ')}`);
  return layers.flatMap(({ name, folders, imports }) =>
    folders.flatMap((group, place) =>
      [group].flat().map(folder => {
        const below = imports.flatMap(name => foldersOf(name));
        const allowed = [...below, ...folders.slice(0, place).flat()];
        const banned = all.filter(other => other !== folder && !allowed.includes(other));
        const paths = banned.map(other => specifierOf(posix.relative(folder, other)).replaceAll('.', '\\.'));
        return { folder, layer: name, allowed, regex: paths.length === 0 ? undefined : `^(${paths.join('|')})/[^/]+$` };
      }),
    ),
  );
}

/** What each file imports, types included. */
function importsOf(path, files) {
  const text = readFileSync(join(root, path), 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)]
    .map(([, specifier]) => posix.join(posix.dirname(path), specifier))
    .filter(imported => files.has(imported));
}

/** The files that import themselves by way of others. @returns for each the way */
function findCircles() {
  const files = new Set(sourceFiles());
  const graph = new Map([...files].map(path => [path, importsOf(path, files)]));
  const circles = new Map();
  for (const start of files) {
    const ways = [[start]];
    const seen = new Set();
    for (let way = ways.shift(); way !== undefined && !circles.has(start); way = ways.shift()) {
      for (const next of graph.get(way.at(-1))) {
        if (next === start) circles.set(start, [...way, start]);
        else if (!seen.has(next)) {
          seen.add(next);
          ways.push([...way, next]);
        }
      }
    }
  }
  return circles;
}

let circles;

/** No file of `src` and `webview` is in a circle of imports, types included: `import-x/no-cycle` sees values only. */
export const noCircles = {
  meta: { type: 'problem', schema: [], messages: { circle: 'A circle of imports: {{way}}' } },
  create(context) {
    circles ??= findCircles();
    const way = circles.get(relative(root, context.filename).split(sep).join('/'));
    return {
      Program(node) {
        if (way !== undefined) context.report({ node, messageId: 'circle', data: { way: way.join(' → ') } });
      },
    };
  },
};
