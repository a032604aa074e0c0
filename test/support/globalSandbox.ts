import type { TestProject } from 'vitest/node';
import { shareServer } from './globalServer.ts';
import { sharedServerOptions, startSandboxed } from './testServer.ts';

/** Vitest's global set-up where the integration tests play on the sandbox: one for all files, in vitest's own process. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  return shareServer(project, await startSandboxed(sharedServerOptions));
}
