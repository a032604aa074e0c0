import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from './run.ts';

/** Where Debian puts the sources of Go libraries. */
export const goPath = '/usr/share/gocode';

/** @returns the full path of Go, `undefined` if it is missing */
export function findGo(): string | undefined {
  return findProgram('go');
}

export function hasGoZooKeeper(): boolean {
  return existsSync(join(goPath, 'src/github.com/samuel/go-zookeeper/zk'));
}

/** Why go-zookeeper cannot be run here; `undefined` if it can. */
export function whyNoGo(): string | undefined {
  if (findGo() === undefined) return 'Go is missing (Debian: golang-go).';
  return hasGoZooKeeper() ? undefined : 'go-zookeeper is missing (Debian: golang-github-samuel-go-zookeeper-dev).';
}
