import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findJava } from '../../../../scripts/zookeeper/locate.ts';
import { curatorClassPath } from '../../../support/javaClasses.ts';
import { JsonLines } from '../../../support/jsonLines.ts';
import { python } from '../../../support/python.ts';

type Recipe = 'mutex' | 'revocable' | 'read' | 'write' | 'semaphore';

/** Sessions of a real library, each of which may take several locks: what deadlocks are made of. */
export class LockSessions {
  private readonly program: JsonLines;

  constructor(program: JsonLines) {
    this.program = program;
  }

  /** @returns its session id */
  async open(session: string): Promise<bigint> {
    return BigInt((await this.program.request('open', { session })) as string);
  }

  /** Lets a session join a queue and does not wait. */
  async take(session: string, recipe: Recipe, path: string, maxLeases = 1): Promise<void> {
    await this.program.request('take', { session, recipe, path, maxLeases });
  }

  /** kazoo only. */
  async release(session: string, path: string): Promise<void> {
    await this.program.request('release', { session, path });
  }

  /** Whether the holder of a revocable mutex heard a request; Curator only. */
  async wasRevoked(path: string): Promise<boolean> {
    return (await this.program.request('revoked', { path })) as boolean;
  }

  /** Ends every session, waiting or holding. */
  async endAll(): Promise<void> {
    await this.program.request('end_all');
  }

  async stop(): Promise<void> {
    await this.program.kill();
  }
}

/** @param connectString without a chroot */
export function startKazooSessions(connectString: string): LockSessions {
  const script = fileURLToPath(new URL('sessions.py', import.meta.url));
  return new LockSessions(new JsonLines('kazoo sessions', python(), [script, connectString]));
}

/** @param connectString without a chroot */
export function startCuratorSessions(connectString: string): LockSessions {
  const java = findJava(process.env);
  if (java === undefined) throw new Error('These tests need Java and Curator. Run npm test, which installs them.');
  const source = fileURLToPath(new URL('Sessions.java', import.meta.url));
  const args = ['-XX:TieredStopAtLevel=1', '-cp', curatorClassPath().join(delimiter), source, connectString];
  return new LockSessions(new JsonLines('Curator sessions', java, args));
}
