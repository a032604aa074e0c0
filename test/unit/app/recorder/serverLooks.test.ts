import { afterEach, beforeEach, expect, it } from 'vitest';
import { ServerLooks } from '../../../../src/app/recorder/serverLooks.ts';
import { monotonicNow } from '../../../../src/base/deadline.ts';
import type { JournalEntry, JournalNode } from '../../../../src/journal/entry.ts';
import { eventually } from '../../../support/eventually.ts';
import { WordServer } from './wordServer.ts';

const ours = 0x10n;
const owner = 0x20n;

let server: WordServer;
let looks: ServerLooks;
let entries: JournalEntry[];
let over: AbortController;

beforeEach(async () => {
  server = new WordServer();
  server.sessions = [ours, owner];
  server.zxid = 5n;
  const address = await server.listen();
  entries = [];
  over = new AbortController();
  looks = new ServerLooks({
    servers: () => Promise.resolve({ servers: [address], options: {} }),
    client: { sessionId: ours, sync: () => Promise.resolve() },
    clock: monotonicNow,
    signal: over.signal,
    onEntries: some => entries.push(...some),
    settled: () => Promise.resolve(),
    questionsPerMinute: 10_000,
  });
});
afterEach(async () => {
  over.abort();
  looks.dispose();
  await server.close();
});

const node: JournalNode = {
  path: '/locks/a/lock-0000000001', czxid: 4n, mzxid: 4n, ctime: 0, mtime: 0, version: 0, owner, data: new Uint8Array(0),
}; // prettier-ignore

it('says who is behind a session, as soon as it was asked', async () => {
  looks.saw(node);
  await eventually(() => {
    expect(entries).toContainEqual({ type: 'session', session: expect.objectContaining({ id: owner }) as object });
  });
});

it('drops an answer that comes after a restart: it is of a server of before', async () => {
  const held = Promise.withResolvers<undefined>();
  let isHeld = false;
  server.beforeAnswer = word => {
    if (word !== 'cons' || isHeld) return Promise.resolve();
    isHeld = true;
    return held.promise;
  };
  looks.saw(node);
  await eventually(() => expect(isHeld).toBe(true));
  looks.restart();
  // The session has ended meanwhile.
  server.sessions = [ours];
  held.resolve(undefined);
  await eventually(() => expect(server.asked.filter(word => word === 'cons').length).toBeGreaterThan(2));
  expect(entries.filter(({ type }) => type === 'session')).toEqual([]);
});
