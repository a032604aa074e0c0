import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether a program is on the path. @returns its full path */
export function findProgram(name: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  return (env['PATH'] ?? '')
    .split(delimiter)
    .filter(folder => folder !== '')
    .map(folder => join(folder, name))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not there, or not for us.
    return false;
  }
}

/**
 * Runs a program with its output on ours and no input.
 *
 * @returns the exit code; 1 when a signal ended it
 */
export function run(command: string, args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } });
    const signals = ['SIGINT', 'SIGTERM'] as const;
    const forward = (signal: NodeJS.Signals) => child.kill(signal);
    for (const signal of signals) process.on(signal, forward);
    child.once('error', reject);
    child.once('exit', (code, endedBy) => {
      for (const signal of signals) process.off(signal, forward);
      // With our listeners gone the same signal ends us too, unless another listener is left.
      if (endedBy === 'SIGINT' || endedBy === 'SIGTERM') process.kill(process.pid, endedBy);
      resolve(code ?? 1);
    });
  });
}
