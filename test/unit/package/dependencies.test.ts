import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bundledSources } from '../../../scripts/build/bundle.ts';
import { packageFolders } from '../../../scripts/package/notices.ts';

interface LockFile {
  packages: Record<string, { version?: string; dev?: boolean; resolved?: string }>;
}

interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const json = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

describe.each(['', 'test/workbench/'])('the packages of ./%s', folder => {
  it('are fixed to one version each', () => {
    const { dependencies, devDependencies } = json(`${folder}package.json`) as Manifest;
    for (const version of Object.values({ ...dependencies, ...devDependencies })) {
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    }
  });

  it('come from whatever registry npm is told of', () => {
    const { packages } = json(`${folder}package-lock.json`) as LockFile;
    expect(Object.entries(packages).filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });
});

it('audits of what is shipped look at every bundled package', { timeout: 30_000 }, async () => {
  const { packages } = json('package-lock.json') as LockFile;
  for (const folder of packageFolders(await bundledSources())) {
    expect(packages[folder], folder).toBeDefined();
    expect(packages[folder]?.dev, folder).toBeUndefined();
  }
});
