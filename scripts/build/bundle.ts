import {
  context,
  formatMessages,
  type BuildOptions,
  type BuildResult,
  type Message,
  type Metafile,
  type Plugin,
} from 'esbuild';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { underscoreAsUsed } from './hostBundle.ts';
import { pageBundles, pageScriptLimits } from './webviewBundle.ts';
import { zklockBundle } from './zklockBundle.ts';

export interface BundleOptions {
  /** Minified and without source maps. */
  production: boolean;
}

export interface BuiltFile {
  /** Relative to the repository. */
  path: string;
  bytes: number;
}

/** The sources do not fit together; the message is meant for people and names file and line. */
export class BundleError extends Error {
  constructor(text: string) {
    super(text);
    this.name = 'BundleError';
  }
}

/** Bytes that activation may load. */
const startLimit = 250_000;

export const repositoryRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

function commonOptions({ production }: BundleOptions): BuildOptions {
  return {
    absWorkingDir: repositoryRoot,
    bundle: true,
    minify: production,
    sourcemap: production ? false : 'linked',
    legalComments: 'none',
    metafile: true,
    logLevel: 'silent',
  };
}

function bundles(options: BundleOptions): BuildOptions[] {
  return [...shippedBundles(options), { ...commonOptions(options), ...zklockBundle(repositoryRoot) }];
}

/** Of code for the extension host. */
function hostOptions(options: BundleOptions): BuildOptions {
  return {
    ...commonOptions(options),
    platform: 'node',
    format: 'esm',
    target: 'node22',
    external: ['vscode'],
    plugins: [underscoreAsUsed()],
    // The client library is CommonJS and asks for Node's modules by `require`.
    banner: { js: "import{createRequire as r}from'node:module';const require=r(import.meta.url);" },
  };
}

/** Those of the extension. */
function shippedBundles(options: BundleOptions): BuildOptions[] {
  const common = commonOptions(options);
  const host: BuildOptions = {
    ...hostOptions(options),
    entryPoints: ['src/extension/extension.ts'],
    outdir: 'dist',
    // What only a command or a connection needs is in parts of its own, loaded when it is asked for.
    splitting: true,
    chunkNames: 'parts/[name]-[hash]',
  };
  return [host, ...pageBundles.map(page => ({ ...common, ...page }))];
}

function builtFiles(results: readonly BuildResult[]): BuiltFile[] {
  return results.flatMap(result =>
    Object.entries(result.metafile?.outputs ?? {})
      .filter(([path]) => !path.endsWith('.map'))
      .map(([path, { bytes }]) => ({ path, bytes })),
  );
}

/** @throws BundleError */
export async function buildExtension(options: BundleOptions): Promise<BuiltFile[]> {
  await rm(join(repositoryRoot, 'dist'), { recursive: true, force: true });
  await mkdir(join(repositoryRoot, 'dist'));
  const files = builtFiles(await Promise.all(bundles(options).map(buildOnce)));
  if (options.production) {
    for (const [script, limit] of pageScriptLimits) assertSmallPage(files, script, limit);
    assertSmallStart(files);
  }
  return files;
}

/**
 * Bundles the program `zklock` alone, as it is shipped.
 *
 * @param outfile an absolute path
 * @returns what came of it: which modules it imports and which files are in it
 * @throws BundleError
 */
export async function buildZklock(outfile: string): Promise<Metafile> {
  const bundle = { ...commonOptions({ production: true }), ...zklockBundle(repositoryRoot), outfile };
  const { metafile } = await buildOnce(bundle);
  return metafile ?? { inputs: {}, outputs: {} };
}

/**
 * Bundles a part of the extension alone, as it is shipped.
 *
 * @param entry a source file, relative to the repository
 * @param outfile an absolute path that ends with `.mjs`
 * @throws BundleError
 */
export async function buildHostPart(entry: string, outfile: string): Promise<void> {
  await buildOnce({ ...hostOptions({ production: true }), entryPoints: [entry], outfile });
}

function assertSmallPage(files: readonly BuiltFile[], script: string, limit: number): void {
  const bytes = files.find(({ path }) => path === script)?.bytes ?? Infinity;
  if (bytes > limit) {
    throw new BundleError(`${script} has ${bytes} bytes; ${limit} are allowed. Import less.`);
  }
}

/** Every window loads it, whether or not anybody looks at a lock. */
function assertSmallStart(files: readonly BuiltFile[]): void {
  const atStart = files.filter(({ path }) => /^dist\/(?:extension|parts\/chunk-[^/]+)\.js$/.test(path));
  const bytes = atStart.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes <= startLimit) return;
  throw new BundleError(
    `${bytes} bytes are loaded when the extension starts; ${startLimit} are allowed. Load more by way of src/extension/onDemand.ts.`,
  );
}

/** Bundles without writing. @returns the files, relative to the repository, that leave code in what is shipped @throws BundleError */
export async function bundledSources(): Promise<string[]> {
  return sourcesOf((await outputsInMemory()).flatMap(outputs => Object.values(outputs)));
}

/** Bundles without writing. @returns the files, relative to the repository, that leave code in what activation loads @throws BundleError */
export async function startSources(): Promise<string[]> {
  const outputs = Object.assign({}, ...(await outputsInMemory())) as Outputs;
  const loaded = new Set<string>(['dist/extension.js']);
  // Grows while it is read: what a loaded file imports is loaded too, unless it asks for it later.
  for (const path of loaded) {
    for (const { path: imported, kind } of outputs[path]?.imports ?? []) {
      if (kind === 'import-statement') loaded.add(imported);
    }
  }
  return sourcesOf([...loaded].flatMap(path => outputs[path] ?? []));
}

type Outputs = Metafile['outputs'];

async function outputsInMemory(): Promise<Outputs[]> {
  const results = await Promise.all(
    shippedBundles({ production: true }).map(bundle => buildOnce({ ...bundle, write: false })),
  );
  return results.map(({ metafile }) => metafile?.outputs ?? {});
}

function sourcesOf(outputs: readonly Outputs[string][]): string[] {
  const inputs = outputs.flatMap(output => Object.entries(output.inputs));
  const shipped = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
  return [...new Set(shipped)].sort();
}

async function buildOnce(bundle: BuildOptions): Promise<BuildResult> {
  const once = await context(bundle);
  try {
    return await once.rebuild();
  } catch (error) {
    throw await readable(error);
  } finally {
    await once.dispose();
  }
}

/** Builds again after every change until the result is called. Failures go to `report` and do not end it. */
export async function watchExtension(
  options: BundleOptions,
  report: (outcome: BuiltFile[] | BundleError) => void,
): Promise<() => Promise<void>> {
  const reporter: Plugin = {
    name: 'report',
    setup(build) {
      build.onEnd(async result => {
        report(result.errors.length === 0 ? builtFiles([result]) : await errorFrom(result.errors));
      });
    },
  };
  const contexts = await Promise.all(
    bundles(options).map(bundle => context({ ...bundle, plugins: [...(bundle.plugins ?? []), reporter] })),
  );
  await Promise.all(contexts.map(one => one.watch()));
  return async () => {
    await Promise.all(contexts.map(one => one.dispose()));
  };
}

async function readable(error: unknown): Promise<unknown> {
  if (!(error instanceof Error) || !('errors' in error) || !Array.isArray(error.errors)) return error;
  return errorFrom(error.errors as Message[]);
}

async function errorFrom(messages: Message[]): Promise<BundleError> {
  const color = process.stderr.isTTY;
  return new BundleError((await formatMessages(messages, { kind: 'error', color })).join('').trimEnd());
}
