import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
let now: (() => number) | undefined;
let sync: () => Promise<void>;

beforeEach(async () => {
  server = new WordServer();
  server.sessions = [ours, owner];
  server.zxid = 5n;
  const address = await server.listen();
  entries = [];
  now = undefined;
  sync = () => Promise.resolve();
  over = new AbortController();
  looks = new ServerLooks({
    servers: () => Promise.resolve({ servers: [address], options: {} }),
    client: { sessionId: ours, sync: () => sync() },
    clock: () => now?.() ?? monotonicNow(),
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

describe('a session that is missing in the list', () => {
  const later: JournalNode = { ...node, czxid: 6n, mzxid: 6n };
  const deletion = { ...later, at: { zxid: 7n, time: 0 }, within: { first: 7n, last: 7n } };
  const askedFor = (word: string) => server.asked.filter(each => each === word).length;
  const causes = () => entries.filter(({ type }) => type === 'cause');

  /** The servers were asked before the node came, and are asked after it went. @param ms how long after */
  async function ask(ms: number): Promise<void> {
    await eventually(() => expect(askedFor('srvr')).toBeGreaterThan(1));
    looks.saw(later);
    await eventually(() => expect(entries.some(({ type }) => type === 'session')).toBe(true));
    looks.transactions.note(7n, owner);
    server.sessions = [ours];
    server.zxid = 7n;
    // What ends it follows.
    sync = () => {
      server.zxid = 8n;
      return Promise.resolve();
    };
    const seenAt = monotonicNow();
    now = () => monotonicNow() + ms;
    server.asked.length = 0;
    looks.afterDeletions([{ ...deletion, seenAt }]);
  }

  it('closed where it cannot have run out', async () => {
    await ask(0);
    await eventually(() => expect(causes()).toMatchObject([{ ended: 'session closed' }]));
  });

  it('may have run out, and its end may come after the list', async () => {
    // Of the time-out of 30 s so much is left away that it was certain before and is not any more.
    await ask(29_600);
    // The look for it is over when the next one begins.
    await eventually(() => {
      expect(server.asked).toContain('mntr');
      expect(server.asked.lastIndexOf('cons')).toBeGreaterThan(server.asked.indexOf('mntr'));
    });
    expect(causes()).toEqual([]);
  });
});
