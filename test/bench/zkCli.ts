import type { ZkCli } from '../support/zkCli.ts';

/** Lets zkCli do `ls -R`. @returns how long it took, ms, and how many paths it printed */
export async function listTree(cli: ZkCli, root: string): Promise<{ ms: number; paths: number }> {
  const start = performance.now();
  const lines = await cli.run(`ls -R ${root}`);
  return { ms: performance.now() - start, paths: lines.filter(line => line.startsWith(root)).length };
}
