import { answerLines } from './answerLines.ts';
import { failoverCommands } from './failover.ts';
import { lockingCommands } from './locking.ts';
import { readingCommands } from './reading.ts';
import { Sessions } from './sessions.ts';
import { watchingCommands } from './watching.ts';

// This project's side of the benchmarks: one JSON line in, one JSON line out. Ends when its standard input ends.

const sessions = new Sessions(process.argv[2] ?? '127.0.0.1:2181');
const commands = {
  ...readingCommands(sessions),
  ...lockingCommands(sessions),
  ...watchingCommands(sessions),
  ...failoverCommands(),
};
await answerLines(commands, () => sessions.close());
process.exit(0);
