import { createVSIX, listFiles, PackageManager } from '@vscode/vsce';
import { cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buildExtension, bundledSources, repositoryRoot } from '../build/bundle.ts';
import { noticesFile, thirdPartyNotices } from './notices.ts';
import { packagedMarkdown } from './packagedMarkdown.ts';

export interface Package {
  /** The VSIX. */
  path: string;
  bytes: number;
}

/** What a package may weigh at most, in bytes. */
export const sizeLimit = 550_000;

type Manifest = Record<string, unknown> & { name: string; version: string; repository?: unknown };

const stage = join(repositoryRoot, 'out', 'package');
/** Of no use to those who install it, and misleading: everything that is needed is in the bundles. */
const forDevelopers = ['bin', 'scripts', 'dependencies', 'devDependencies', 'overrides', 'allowScripts', 'private'];

async function readManifest(): Promise<Manifest> {
  return JSON.parse(await readFile(join(repositoryRoot, 'package.json'), 'utf8')) as Manifest;
}

/** Copies what .vscodeignore lets through to a folder of its own, where it can be adapted without touching the originals. */
async function fillStage(manifest: Manifest): Promise<void> {
  await rm(stage, { recursive: true, force: true });
  const files = await listFiles({ cwd: repositoryRoot, packageManager: PackageManager.None });
  for (const file of files) {
    await mkdir(dirname(join(stage, file)), { recursive: true });
    await cp(join(repositoryRoot, file), join(stage, file));
  }
  const shipped = Object.fromEntries(Object.entries(manifest).filter(([key]) => !forDevelopers.includes(key)));
  await writeFile(join(stage, 'package.json'), `${JSON.stringify(shipped, undefined, 2)}\n`);
  // Everything that is here was let through before.
  await writeFile(join(stage, '.vscodeignore'), '');
  if (manifest.repository !== undefined) return;
  for (const page of ['README.md', 'CHANGELOG.md']) {
    await writeFile(join(stage, page), packagedMarkdown(await readFile(join(repositoryRoot, page), 'utf8')));
  }
}

/**
 * Builds for production and packs the result, with the notices brought up to date.
 *
 * Without a `repository` in package.json relative links have nowhere to lead: vsce leaves them alone and
 * `packagedMarkdown` sees to them. With one, vsce turns them into addresses.
 *
 * @throws BundleError, or Error when the package is larger than `sizeLimit`; it is deleted then
 */
export async function createPackage(): Promise<Package> {
  const manifest = await readManifest();
  await buildExtension({ production: true });
  await writeFile(noticesFile, await thirdPartyNotices(await bundledSources()));
  await fillStage(manifest);
  const path = join(repositoryRoot, 'out', `${manifest.name}-${manifest.version}.vsix`);
  const isPublic = manifest.repository !== undefined;
  await createVSIX({
    cwd: stage,
    packagePath: path,
    dependencies: false,
    useYarn: false,
    allowMissingRepository: !isPublic,
    rewriteRelativeLinks: isPublic,
  });
  const { size } = await stat(path);
  if (size > sizeLimit) {
    await rm(path);
    throw new Error(
      `The package would have ${size} bytes; ${sizeLimit} are allowed. The list above shows what is large.`,
    );
  }
  return { path, bytes: size };
}
