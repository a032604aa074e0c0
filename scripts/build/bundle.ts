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
import { withoutReplaced } from './hostBundle.ts';
import { loadSteps, sourcesOf, stepAfterStep, type Loaded, type LoadStep, type Outputs } from './loadSteps.ts';
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

/** Bytes that the first connection may load in addition. */
const firstLookLimit = 195_000;

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
    plugins: [withoutReplaced()],
    // The client library is CommonJS and asks for Node's modules by `require`.
    banner: { js: "import{createRequire as r}from'node:module';const require=r(import.meta.url);" },
  };
}

/** Those of the extension. */
function shippedBundles(options: BundleOptions): BuildOptions[] {
  const common = commonOptions(options);
  const hostPart = hostOptions(options);
  const host: BuildOptions = {
    ...hostPart,
    plugins: [...(hostPart.plugins ?? []), stepAfterStep()],
    entryPoints: ['src/extension/extension.ts'],
    outdir: 'dist',
    // What only a command or a connection needs is in parts of its own, loaded when it is asked for.
    splitting: true,
    chunkNames: 'parts/[name]-[hash]',
  };
  return [host, ...pageBundles.map(page => ({ ...common, ...page }))];
}

function builtFiles(results: readonly BuildResult[]): BuiltFile[] {
  return Object.entries(outputsOf(results))
    .filter(([path]) => !path.endsWith('.map'))
    .map(([path, { bytes }]) => ({ path, bytes }));
}

/** @throws BundleError */
export async function buildExtension(options: BundleOptions): Promise<BuiltFile[]> {
  await rm(join(repositoryRoot, 'dist'), { recursive: true, force: true });
  await mkdir(join(repositoryRoot, 'dist'));
  const results = await Promise.all(bundles(options).map(buildOnce));
  const files = builtFiles(results);
  if (options.production) {
    for (const [script, limit] of pageScriptLimits) assertSmallPage(files, script, limit);
    assertSmallSteps(loadSteps(outputsOf(results)));
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

function assertSmallSteps({ start, firstLook }: Record<LoadStep, Loaded>): void {
  const later = 'Load more by way of src/extension/onDemand.ts.';
  // Every window loads it, whether or not anybody looks at a lock.
  if (start.bytes > startLimit) {
    throw new BundleError(
      `${start.bytes} bytes are loaded when the extension starts; ${startLimit} are allowed. ${later}`,
    );
  }
  // The first rows wait for it.
  if (firstLook.bytes > firstLookLimit) {
    throw new BundleError(
      `The first connection loads ${firstLook.bytes} bytes more; ${firstLookLimit} are allowed. ${later}`,
    );
  }
}

/** Bundles without writing. @returns the files, relative to the repository, that leave code in what is shipped @throws BundleError */
export async function bundledSources(): Promise<string[]> {
  return sourcesOf(Object.values(await outputsInMemory()));
}

/** Bundles for production without writing. @returns what of it is loaded when @throws BundleError */
export async function bundledSteps(): Promise<Record<LoadStep, Loaded>> {
  return loadSteps(await outputsInMemory());
}

async function outputsInMemory(): Promise<Outputs> {
  const bundling = shippedBundles({ production: true }).map(bundle => buildOnce({ ...bundle, write: false }));
  return outputsOf(await Promise.all(bundling));
}

function outputsOf(results: readonly BuildResult[]): Outputs {
  return Object.fromEntries(results.flatMap(({ metafile }) => Object.entries(metafile?.outputs ?? {})));
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
