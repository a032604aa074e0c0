import { createLock } from '../../../src/recipes/createLock.ts';
import type { Lease, Lock } from '../../../src/recipes/lock.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import type { Commands } from './answerLines.ts';
import { openSession, type Sessions } from './sessions.ts';

function mutex(client: ZooKeeperClient, path: unknown): Lock {
  return createLock(client, String(path), { recipe: 'mutex', dialect: 'curator' });
}

/** So many clients take turns until the lock has been granted so many times. @returns ms */
async function contended(clients: readonly ZooKeeperClient[], path: unknown, handOvers: number): Promise<number> {
  let left = handOvers;
  let end = 0;
  const start = performance.now();
  const work = async (client: ZooKeeperClient): Promise<void> => {
    const lock = mutex(client, path);
    while (left > 0) {
      const lease = await lock.acquire();
      left -= 1;
      if (left === 0) end = performance.now();
      await lease.release();
    }
  };
  await Promise.all(clients.map(work));
  return end - start;
}

/** Mutexes taken and released, and crowds that wait. */
export function lockingCommands(sessions: Sessions): Commands {
  let entered: { client: ZooKeeperClient; lease: Lease } | undefined;
  let crowd: { abort: AbortController; waiting: Promise<unknown>[] } | undefined;
  return {
    async uncontended({ path, times }) {
      const lock = mutex(await sessions.one(), path);
      const start = performance.now();
      for (let time = 0; time < Number(times); time += 1) await (await lock.acquire()).release();
      return { ms: performance.now() - start };
    },
    async contended({ path, clients, handOvers }) {
      return { ms: await contended(await sessions.many(Number(clients)), path, Number(handOvers)) };
    },
    /** Joins the queue by a session of its own; answers when it holds. */
    async enter({ path, hosts }) {
      const client = await openSession(String(hosts));
      entered = { client, lease: await mutex(client, path).acquire() };
      return {};
    },
    async leave() {
      await entered?.lease.release();
      await entered?.client.close();
      return {};
    },
    /** Answers when all wait for the lock, each by a session of its own; the first holder keeps it. */
    async crowd({ path, clients }) {
      const abort = new AbortController();
      const { signal } = abort;
      const waiting: Promise<unknown>[] = [];
      for (const client of await sessions.many(Number(clients))) {
        await new Promise<void>(resolve => {
          const taking = mutex(client, path).acquire({ signal, onWaiting: () => resolve() });
          waiting.push(taking.catch(() => undefined));
        });
      }
      crowd = { abort, waiting };
      return {};
    },
    async disperse() {
      crowd?.abort.abort();
      for (const taken of await Promise.all(crowd?.waiting ?? [])) await (taken as Lease | undefined)?.release();
      return {};
    },
    /** The herd: everybody watches the list of children. */
    async herd({ path, clients }) {
      const herd = await sessions.many(Number(clients));
      await Promise.all(herd.map(client => client.getChildren(String(path), { watch: () => undefined })));
      return {};
    },
  };
}
