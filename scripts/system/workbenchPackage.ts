import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../build/bundle.ts';
import { provide, toolChain } from './requirements.ts';
import { run } from './run.ts';

/** Installs code-server and what drives it, unless that was done before. @throws Error that says what to do */
export async function installWorkbench(): Promise<void> {
  const isThere = existsSync(join(repositoryRoot, 'test/workbench/node_modules/code-server/out/node/entry.js'));
  if (!isThere) await provide(toolChain);
  const code = await run(process.execPath, [
    join(repositoryRoot, 'scripts/bootstrap.mjs'),
    '--install',
    'test/workbench',
  ]);
  if (code !== 0) throw new Error('The package test/workbench (code-server) could not be installed; see above.');
}
