import type { Metafile, Plugin } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

export type Outputs = Metafile['outputs'];

/** The source files whose bundles are the entries of the extension, in the order in which they are loaded. */
const entries = {
  start: 'src/extension/extension.ts',
  firstLook: 'src/extension/firstLook.ts',
  onDemand: 'src/extension/onDemand.ts',
} as const;

/** When something is loaded: by every window, by the first connection, by the first command that needs it. */
export type LoadStep = keyof typeof entries;

/**
 * Makes each step import the one before it, which has been loaded by then. Otherwise the bundler would cut what two of the three share
 * into files of their own, with a list of imports and exports for each border.
 */
export function stepAfterStep(): Plugin {
  const files = Object.values(entries);
  return {
    name: 'step-after-step',
    setup(build) {
      files.slice(1).forEach((file, at) => {
        // The bundler has the separator of the system in its paths.
        build.onLoad({ filter: new RegExp(`[\\\\/]${basename(file, '.ts')}\\.ts$`) }, async ({ path }) => ({
          loader: 'ts',
          contents: `${await readFile(path, 'utf8')}\nimport './${basename(files[at] ?? file)}';\n`,
        }));
      });
    },
  };
}

/** What a step loads in addition to the steps before it. */
export interface Loaded {
  /** How many files are loaded. */
  files: number;
  bytes: number;
  /** The files, relative to the repository, that leave code in it. */
  sources: string[];
}

/** @returns the paths of what is loaded together with the bundle of a source file, its own included */
function loadedWith(outputs: Outputs, source: string): Set<string> {
  const own = Object.keys(outputs).filter(path => outputs[path]?.entryPoint === source);
  if (own.length === 0) throw new Error(`${source} has no bundle.`);
  const loaded = new Set(own);
  // Grows while it is read: what a loaded file imports is loaded too, unless it asks for it later.
  for (const path of loaded) {
    for (const { path: imported, kind } of outputs[path]?.imports ?? []) {
      if (kind === 'import-statement' && imported in outputs) loaded.add(imported);
    }
  }
  return loaded;
}

/** @param outputs of the extension's bundle */
export function loadSteps(outputs: Outputs): Record<LoadStep, Loaded> {
  const before = new Set<string>();
  const add = (step: LoadStep): Loaded => {
    const added = [...loadedWith(outputs, entries[step])].filter(path => !before.has(path));
    for (const path of added) before.add(path);
    const files = added.flatMap(path => outputs[path] ?? []);
    return { files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), sources: sourcesOf(files) };
  };
  // A later step is without what the steps before it have loaded: the order counts.
  return { start: add('start'), firstLook: add('firstLook'), onDemand: add('onDemand') };
}

/** @returns the files, relative to the repository, that leave code in one of the outputs */
export function sourcesOf(outputs: readonly Outputs[string][]): string[] {
  const inputs = outputs.flatMap(output => Object.entries(output.inputs));
  const shipped = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
  return [...new Set(shipped)].sort();
}
