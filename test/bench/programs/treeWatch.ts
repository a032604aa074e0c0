import { answerLines } from './answerLines.ts';
import { openSession } from './sessions.ts';

// A session with one recursive watch that does nothing with its events: what a recorder costs at least. Ends when its standard input ends.

const [hosts = '', root = ''] = process.argv.slice(2);
const client = await openSession(hosts);
let events = 0;
await client.watchTree(root, () => events++);

await answerLines(
  {
    /** Processor time since the start of the program. */
    usage() {
      const { user, system } = process.cpuUsage();
      return Promise.resolve({ events, cpuMs: (user + system) / 1000, nowMs: performance.now() });
    },
  },
  () => client.close(),
);
process.exit(0);
