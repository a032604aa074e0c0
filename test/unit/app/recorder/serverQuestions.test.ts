import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { QuestionBudget } from '../../../../src/app/recorder/questionBudget.ts';
import { ServerQuestions, type WantedList } from '../../../../src/app/recorder/serverQuestions.ts';
import { monotonicNow } from '../../../../src/base/deadline.ts';
import type { AskOptions } from '../../../../src/inspector/owners/askServer.ts';
import type { ClusterServer } from '../../../../src/inspector/owners/clusterServers.ts';
import { WordServer } from './wordServer.ts';

const ours = 0x10n;
const owner = 0x20n;

let server: WordServer;
let address: ClusterServer;
let sync: () => Promise<void>;

beforeEach(async () => {
  server = new WordServer();
  server.sessions = [ours, owner];
  server.zxid = 5n;
  sync = () => Promise.resolve();
  address = await server.listen();
});
afterEach(() => server.close());

function questions(burst = 100, options: AskOptions = {}): ServerQuestions {
  return new ServerQuestions({
    servers: () => Promise.resolve({ servers: [address], options }),
    client: { sessionId: ours, sync: () => sync() },
    budget: new QuestionBudget(1, burst, monotonicNow),
    clock: monotonicNow,
    signal: new AbortController().signal,
  });
}

/** The owner of a node that went is of interest. */
const wanted: WantedList = { isMissing: ids => !ids.has(owner), isCounted: false };

describe('the list of sessions', () => {
  it('comes with the last transaction, and is not asked for twice where none is missing', async () => {
    const list = await questions().sessionList(wanted);
    expect(list).toMatchObject({ ids: new Set([ours, owner]), zxid: 5n });
    expect(list).not.toHaveProperty('settledZxid');
    expect(server.asked.filter(word => word === 'dump')).toHaveLength(1);
  });

  it('is asked for again where one is missing: a list may lack a session that lives', async () => {
    server.sessions = [ours];
    server.beforeAnswer = () => {
      server.sessions = [ours, owner];
      return Promise.resolve();
    };
    expect((await questions().sessionList(wanted))?.ids).toContain(owner);
  });

  it('of a missing session also says by which transaction its end is certain: the last one after a sync', async () => {
    server.sessions = [ours];
    sync = () => {
      server.zxid = 9n;
      return Promise.resolve();
    };
    expect(await questions().sessionList(wanted)).toMatchObject({ zxid: 5n, settledZxid: 9n });
  });

  it('does not say it where the sync fails', async () => {
    server.sessions = [ours];
    sync = () => Promise.reject(new Error('connection lost'));
    const list = await questions().sessionList(wanted);
    expect(list?.zxid).toBe(5n);
    expect(list).not.toHaveProperty('settledZxid');
  });

  it('of another cluster, which lacks our own session, counts as none', async () => {
    server.sessions = [owner];
    expect(await questions().sessionList(wanted)).toBeUndefined();
  });

  it('is not asked for beyond the budget', async () => {
    const few = questions(6);
    expect(await few.sessionList(wanted)).toBeDefined();
    const before = server.asked.length;
    expect(await few.sessionList(wanted)).toBeUndefined();
    expect(server.asked).toHaveLength(before);
  });
});

describe('the list of an AdminServer of an ensemble', () => {
  let admin: Server;
  let localSessions: number;

  beforeEach(async () => {
    localSessions = 0;
    admin = createServer((request, response) => {
      const answers: Record<string, object> = {
        dump: { expiry_time_to_session_ids: { 1: [Number(ours)] }, session_id_to_ephemeral_paths: {} },
        server_stats: { server_stats: { last_processed_zxid: 5, server_state: 'leader' } },
        monitor: { stale_sessions_expired: 0, local_sessions: localSessions },
        configuration: { min_session_timeout: 4_000 },
      };
      const command = new URL(request.url ?? '/', 'http://localhost').pathname.split('/').at(-1) ?? '';
      response.end(JSON.stringify({ ...answers[command], command, error: null }));
    });
    admin.listen(0, '127.0.0.1');
    await once(admin, 'listening');
  });
  afterEach(() => admin.close());

  const listed = () => {
    const { port } = admin.address() as AddressInfo;
    const options = { adminServer: { port }, fourLetterWords: false };
    return questions(100, options).sessionList(wanted);
  };

  it('counts where no session of the leader is local', async () => {
    expect(await listed()).toMatchObject({ ids: new Set([ours]), areGlobal: true });
  });

  it('counts as none where some are: it may lack sessions that live', async () => {
    localSessions = 1;
    expect(await listed()).toBeUndefined();
  });
});
