/** A session in a process of its own, so that the process can be frozen: `sessionProgram.ts <connect string> <timeout ms>`. */
import { createInterface } from 'node:readline';
import { connect } from '../../src/zookeeper/connect.ts';

interface Request {
  id: number;
  command: 'state' | 'causes' | 'create';
  path?: string;
}

const [connectString = '', timeout = ''] = process.argv.slice(2);
const client = await connect(connectString, { sessionTimeoutMs: Number(timeout) });
const causes: unknown[] = [];
client.onState(({ cause }) => causes.push(cause));

async function answer({ command, path = '/' }: Request): Promise<unknown> {
  if (command === 'state') return client.state;
  if (command === 'causes') return causes;
  return (await client.create(path)).path;
}

const lines = createInterface({ input: process.stdin });
lines.on('line', line => {
  const request = JSON.parse(line) as Request;
  const print = (reply: object): void => {
    process.stdout.write(`${JSON.stringify({ id: request.id, ...reply })}\n`);
  };
  answer(request).then(
    ok => print({ ok }),
    (error: unknown) => print({ error: String(error) }),
  );
});
lines.on('close', () => process.exit());
