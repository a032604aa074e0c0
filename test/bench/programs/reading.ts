import { findLocks } from '../../../src/inspector/findLocks.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import type { Commands } from './answerLines.ts';
import type { Sessions } from './sessions.ts';

/** Queues read, trees searched. */
export function readingCommands(sessions: Sessions): Commands {
  return {
    async read({ path }) {
      const client = await sessions.one();
      const start = performance.now();
      const queues = await readQueues(client, String(path));
      return { ms: performance.now() - start, count: queues[0]?.contenders.length ?? 0 };
    },
    async find({ root }) {
      const client = await sessions.one();
      const start = performance.now();
      const { locks, visited } = await findLocks(client, String(root), { maxNodes: 10_000_000 });
      return { ms: performance.now() - start, visited, found: locks.length };
    },
  };
}
