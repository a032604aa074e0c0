import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findJava } from '../../scripts/zookeeper/locate.ts';

/** What a JVM has in use after a full collection. @returns bytes @throws Error without a JDK of this machine */
export function heapInUse(pid: number): number {
  const javac = findJava(process.env, 'javac');
  if (javac === undefined) throw new Error('The benchmark needs a JDK. Run npm test, which installs one.');
  const jcmd = join(dirname(realpathSync(javac)), 'jcmd');
  const ask = (command: string): string => spawnSync(jcmd, [String(pid), command], { encoding: 'utf8' }).stdout;
  ask('GC.run');
  // "def new generation   total 157248K, used 2795K [..." and the same for the old one
  const generations = ask('GC.heap_info').matchAll(/generation\s+total \d+K, used (\d+)K/g);
  return [...generations].reduce((sum, [, used]) => sum + Number(used) * 1024, 0);
}
