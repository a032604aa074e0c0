import { accessSync, constants } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @returns a new folder, in memory where the system offers that: servers under test write much and keep nothing */
export async function temporaryFolder(prefix: string): Promise<string> {
  return mkdtemp(join(inMemory() ?? tmpdir(), prefix));
}

function inMemory(): string | undefined {
  try {
    accessSync('/dev/shm', constants.W_OK);
    return '/dev/shm';
  } catch {
    // Not Linux, or a container without it.
    return undefined;
  }
}
