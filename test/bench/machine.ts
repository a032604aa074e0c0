import { spawnSync } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';
import { findJava } from '../../scripts/zookeeper/locate.ts';
import { fourLetterWord } from '../../scripts/zookeeper/fourLetterWord.ts';
import { curatorClassPath } from '../support/javaClasses.ts';
import { python } from '../support/python.ts';
import { realpathSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where a run took place. */
export interface Machine {
  cores: number;
  memoryGb: number;
  processor: string;
  /** Processes that wanted a core when the run began, over a minute: other work on the machine. */
  loadBefore: number;
  node: string;
  java: string;
  zooKeeper: string;
  curator: string;
  kazoo: string;
}

function outputOf(command: string, args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  return (stdout + stderr).trim();
}

/** Debian's jar without a version stands beside links with one. */
function curatorVersion(): string {
  const jar = curatorClassPath().find(path => path.endsWith('/curator-recipes.jar'));
  if (jar === undefined) return '';
  const real = realpathSync(jar);
  const links = readdirSync(dirname(jar)).filter(name => /^curator-recipes-\d/.test(name));
  const link = links.find(name => realpathSync(join(dirname(jar), name)) === real);
  return /curator-recipes-(.+)\.jar/.exec(link ?? '')?.[1] ?? '';
}

/** @param port of the running server */
export async function describeMachine(port: number): Promise<Machine> {
  const server = await fourLetterWord('127.0.0.1', port, 'srvr');
  return {
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    processor: cpus()[0]?.model.trim() ?? '',
    loadBefore: Math.round((loadavg()[0] ?? 0) * 10) / 10,
    node: process.versions.node,
    java: /version "([^"]+)"/.exec(outputOf(findJava(process.env) ?? 'java', ['-version']))?.[1] ?? '',
    zooKeeper: /Zookeeper version: ([\d.]+)/i.exec(server)?.[1] ?? '',
    curator: curatorVersion(),
    kazoo: outputOf(python(), ['-c', 'import kazoo.version; print(kazoo.version.__version__)']),
  };
}
