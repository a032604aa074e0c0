import { fileURLToPath } from 'node:url';
import { Contenders } from './contenders.ts';
import { JsonLines } from './jsonLines.ts';
import { python } from './python.ts';

export type KazooRecipe =
  | 'lock'
  /** Counts the names of go-zookeeper and Curator as contenders too (`extra_lock_patterns`). */
  | 'lockBesideGo'
  /** The same, under names that Curator and go-zookeeper count as well. */
  | 'curatorNamedLock'
  | 'read'
  | 'write'
  | 'semaphore'
  | 'election'
  | 'lease'
  /** Takes an entry of a LockingQueue. */
  | 'lockingQueue';

export class KazooContenders extends Contenders<KazooRecipe> {
  /** How many contenders kazoo's own `Lock.contenders()` lists at `path`, and how long that took it. */
  async timeContenders(contender: string, path: string): Promise<{ count: number; seconds: number }> {
    return (await this.program.request('contenders_of', { contender, path })) as { count: number; seconds: number };
  }

  /** Adds one so often with kazoo's Counter, by the contender's session. @returns its value then */
  async count(contender: string, path: string, times: number): Promise<number> {
    return (await this.program.request('count', { contender, path, times })) as number;
  }

  /** Starts kazoo's ChildrenWatch or DataWatch. */
  async watch(contender: string, path: string, what: 'children' | 'data'): Promise<void> {
    await this.program.request('watch', { contender, path, what });
  }

  /** What that watcher was called with so far: sorted names, or text and `null` for no node. */
  async seen(contender: string, path: string): Promise<(string[] | string | null)[]> {
    return (await this.program.request('seen', { contender, path })) as (string[] | string | null)[];
  }
}

/** Starts a program that runs kazoo's recipes. */
export function startKazooContenders(connectString: string): KazooContenders {
  const script = fileURLToPath(new URL('kazoo/contenders.py', import.meta.url));
  return new KazooContenders(new JsonLines('kazoo', python(), [script, connectString]));
}

/** Starts a program that takes and releases kazoo's lock by itself; see `player.py`. */
export function startKazooPlayer(): JsonLines {
  return new JsonLines('kazoo', python(), [fileURLToPath(new URL('kazoo/player.py', import.meta.url))]);
}
