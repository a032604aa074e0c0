import { startSandbox } from '../../src/sandbox/startSandbox.ts';

/** Starts a sandbox with the settings of the real server that it is compared with. */
export async function startComparedSandbox(): Promise<{ port: number; stop(): Promise<void> }> {
  const sandbox = await startSandbox({
    tickTimeMs: 100,
    maxSessionTimeoutMs: 60_000,
    containerCheckMs: 86_400_000,
  });
  return { port: sandbox.port, stop: () => sandbox.close() };
}
