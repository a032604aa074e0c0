/** Prints how many timers and listeners a sandbox has. In a process of its own: those of a test runner come and go. */
import { startSandbox } from '../../../src/sandbox/startSandbox.ts';
import { Op } from '../../../src/zookeeper/wire/records.ts';
import { WireClient, writeCreate } from '../../support/wireClient.ts';

function counts(): { timers: number; listeners: number } {
  const active = process.getActiveResourcesInfo();
  return {
    timers: active.filter(kind => kind === 'Timeout').length,
    listeners: active.filter(kind => kind === 'TCPServerWrap').length,
  };
}

const before = counts();
const sandbox = await startSandbox();
const started = counts();
const clients: WireClient[] = [];
for (let index = 0; index < 20; index++) {
  const client = await WireClient.withSession(sandbox.port, { timeoutMs: 5_000 + 500 * index });
  await client.create('/lock-', Buffer.alloc(0), 3);
  await client.request(Op.addWatch, writer => writer.string('/').int(1));
  clients.push(client);
}
await clients[0]!.request(Op.createContainer, writer => writeCreate(writer, '/container', Buffer.alloc(0), 4));
clients.push(await WireClient.open(sandbox.port));
const used = counts();
for (const client of clients) client.close();
await sandbox.close();
// None of these may arm a timer once more.
sandbox.resume();
sandbox.pause();
sandbox.resume();
// A listener is no longer counted when its handle has gone, at the end of a turn of the event loop.
for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
process.stdout.write(JSON.stringify({ before, started, used, closed: counts() }));
