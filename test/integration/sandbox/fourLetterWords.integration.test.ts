import { expect, it } from 'vitest';
import { fourLetterWord } from '../../../scripts/zookeeper/fourLetterWord.ts';
import { Op } from '../../../src/zookeeper/wire/records.ts';
import { startNewestServer } from '../../differential/realServer.ts';
import { eventually } from '../../support/eventually.ts';
import { sharedServerOptions, startSandboxed } from '../../support/testServer.ts';
import { WireClient, writeCreate } from '../../support/wireClient.ts';
import { isBefore } from '../../versions/limits.ts';

type Named = [name: string, client: Awaited<ReturnType<typeof WireClient.withSession>>];

/** Two sessions with nodes and watches of every kind. */
async function openClients(port: number): Promise<Named[]> {
  const holder = await WireClient.withSession(port, { timeoutMs: 19_000 });
  const watcher = await WireClient.withSession(port, { timeoutMs: 20_000 });
  await holder.create('/lock', Buffer.from('data'), 1);
  await holder.create('/other', Buffer.from('data'), 1);
  await holder.request(Op.createContainer, writer => writeCreate(writer, '/container', Buffer.alloc(0), 4));
  for (const path of ['/lock', '/none']) await watcher.request(Op.exists, writer => writer.string(path).bool(true));
  await watcher.request(Op.getChildren, writer => writer.string('/').bool(true));
  for (const mode of [0, 1]) await watcher.request(Op.addWatch, writer => writer.string(`/mode-${mode}`).int(mode));
  return [
    ['holder', holder],
    ['watcher', watcher],
  ];
}

/**
 * The lines without what depends on time, and each once: several come out of hash tables, and the real server lists empty
 * buckets. Who asks is a client, too; its connection may be there for a while.
 */
function layout(answer: string, clients: readonly Named[]): string[] {
  let text = answer;
  for (const [name, { session, socket }] of clients) {
    text = text.replaceAll(`0x${session.sessionId.toString(16)}`, name).replaceAll(`:${socket.localPort}`, `:${name}`);
  }
  const lines = text
    .replace(/^(Zookeeper version: |zookeeper.version=)3\..*/m, '$1N')
    .replace(/^((?:Received|Sent|Connections): |Latency min\/avg\/max: ).*/gm, '$1N')
    .replaceAll(/(est|lresp|(?:l|min|avg|max)lat)=\d+/g, '$1=N')
    .replaceAll(/^\d+ expire at \w{3} \w{3} \d{2} \d\d:\d\d:\d\d \S+ \d{4}:$/gm, 'N expire at a time:')
    .replaceAll(/\(\d+\)\/\(\d+\):/g, '(N)/(N):')
    .split('\n')
    .filter(line => !/^ \/127\.0\.0\.1:\d+\[0\]|sessionId: 0x0$/.test(line));
  return [...new Set(lines)].sort();
}

/** Names and values of `mntr`, `conf` and `envi`. */
function table(answer: string): Record<string, string> {
  const pairs = answer.split('\n').map(line => line.split(/[\t=]/, 2));
  return Object.fromEntries(pairs.filter(pair => pair.length === 2) as [string, string][]);
}

interface Answers {
  layouts: Record<string, string[]>;
  tables: Record<string, Record<string, string>>;
}

async function answersOf(port: number): Promise<Answers> {
  const clients = await openClients(port);
  const ask = (word: string): Promise<string> => fourLetterWord('127.0.0.1', port, word);
  const answers: Answers = { layouts: {}, tables: {} };
  for (const word of ['ruok', 'isro', 'srvr', 'stat', 'cons', 'dump', 'wchs', 'wchc', 'wchp']) {
    answers.layouts[word] = layout(await ask(word), clients);
  }
  await eventually(async () => expect(table(await ask('mntr'))['zk_num_alive_connections']).toBe('3'));
  for (const word of ['mntr', 'conf', 'envi']) answers.tables[word] = table(await ask(word));
  for (const [, client] of clients) client.close();
  return answers;
}

/** Whether a value depends neither on time, on the machine nor on the program. */
function isCompared(name: string, version: string): boolean {
  // A recursive watch was two watches before.
  if (name === 'zk_watch_count' && isBefore(version, '3.9.0')) return false;
  return !/^(?:zk_(?:version|packets_\w+)|clientPort|zookeeper\.version|host\.name|os\.\w+)$/.test(name);
}

it('every four-letter word is answered in the layout and with the numbers of a real server', async () => {
  const real = await startNewestServer();
  const sandbox = await startSandboxed(sharedServerOptions);
  try {
    const [expected, actual] = [await answersOf(real.port), await answersOf(sandbox.port)];
    expect(actual.layouts).toEqual(expected.layouts);
    for (const [word, values] of Object.entries(actual.tables)) {
      const names = Object.keys(values);
      expect(names.length, word).toBeGreaterThan(3);
      expect(Object.keys(expected.tables[word]!)).toEqual(expect.arrayContaining(names));
      const compared = names.filter(name => isCompared(name, real.version));
      const pick = (all: Record<string, string>) => compared.map(name => `${name} ${all[name]!}`);
      expect(pick(values)).toEqual(pick(expected.tables[word]!));
    }
  } finally {
    await Promise.all([real.stop(), sandbox.stop()]);
  }
});
