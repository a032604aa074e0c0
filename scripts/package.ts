import { relative } from 'node:path';
import { BundleError, repositoryRoot } from './build/bundle.ts';
import { createPackage, sizeLimit } from './package/createPackage.ts';

try {
  const { path, bytes } = await createPackage();
  console.log(`${relative(repositoryRoot, path)}: ${bytes} bytes, ${sizeLimit} are allowed`);
} catch (error) {
  console.error(error instanceof BundleError ? error.message : error);
  process.exitCode = 1;
}
