/**
 * The stock library, as it comes, in a process of its own, since it may throw outside of any call:
 * `stockProgram.ts <connect string> <session timeout ms>`. Speaks the lines of jsonLines.ts.
 */
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

interface StockClient {
  connect(): void;
  close(): void;
  getState(): { name: string };
  on(event: string, listener: (state: { name: string }) => void): void;
  addAuthInfo(scheme: string, auth: Buffer): void;
  create(path: string, data: Buffer, mode: number, done: Done): void;
  exists(path: string, watcher: (() => void) | undefined, done: Done): void;
  remove(path: string, version: number, done: Done): void;
  transaction(): StockTransaction;
  connectionManager: { servers: unknown };
}
interface StockTransaction {
  check(path: string, version: number): StockTransaction;
  remove(path: string, version: number): StockTransaction;
  commit(done: Done): void;
}
type Done = (error: Error | null) => void;
interface Library {
  createClient(connectString: string, options: object): StockClient;
  CreateMode: { PERSISTENT: number; EPHEMERAL: number };
}
interface Request {
  id: number;
  command: string;
  name: string;
  path: string;
  watch?: boolean;
}

const library = createRequire(import.meta.url)('node-zookeeper-client') as Library;
const [connectString = '', timeout = ''] = process.argv.slice(2);
const events: string[] = [];
const uncaught: string[] = [];
const results = new Map<string, string>();
process.on('uncaughtException', error => uncaught.push(error.message));

const client = library.createClient(connectString, { sessionTimeout: Number(timeout) });
client.on('state', state => events.push(state.name));

const actions = new Map<string, (request: Request, done: Done) => void>([
  ['ephemeral', ({ path }, done) => client.create(path, Buffer.alloc(0), library.CreateMode.EPHEMERAL, done)],
  ['remove', ({ path }, done) => client.remove(path, -1, done)],
  ['removeVersion0', ({ path }, done) => client.transaction().check(path, 0).remove(path, 0).commit(done)],
  ['exists', ({ path, watch }, done) => client.exists(path, watch === true ? () => undefined : undefined, done)],
]);

function perform(request: Request): unknown {
  const { command, name } = request;
  const action = actions.get(command);
  if (action !== undefined) {
    results.set(name, 'pending');
    action(request, error => results.set(name, error === null ? 'ok' : error.message));
    return name;
  }
  if (command === 'connect') client.connect();
  else if (command === 'close') client.close();
  else if (command === 'auth') client.addAuthInfo('digest', Buffer.from(request.name));
  else if (command === 'throwOnConnected') {
    client.on('connected', () => {
      throw new Error('listener');
    });
  }
  return {
    state: client.getState().name,
    events,
    uncaught,
    results: Object.fromEntries(results),
    servers: client.connectionManager.servers,
  };
}

const lines = createInterface({ input: process.stdin });
lines.on('line', line => {
  const request = JSON.parse(line) as Request;
  let reply: object;
  try {
    reply = { ok: perform(request) };
  } catch (error) {
    reply = { error: String(error) };
  }
  process.stdout.write(`${JSON.stringify({ id: request.id, ...reply })}\n`);
});
lines.on('close', () => process.exit());
