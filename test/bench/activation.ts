import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface Activation {
  loadMs: number;
  activateMs: number;
}

/** Activates a bundle in a fresh program. */
export async function activateOnce(program: string, bundle: string): Promise<Activation> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, bundle]);
  return JSON.parse(stdout) as Activation;
}
