import { beforeEach, describe, expect, it } from 'vitest';
import { toDisposable } from '../../../../src/base/disposable.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { ClusterConnection } from '../../../../src/app/clusters/clusterConnection.ts';
import type { ZooKeeperClient } from '../../../../src/zookeeper/client.ts';
import { FakeClient } from '../../../support/fakeClient.ts';

interface Timer {
  callback: () => void;
  ms: number;
}

/** Answers of `open`, one per attempt, given by the test. */
class Opener {
  readonly attempts: {
    resolve: (client: ZooKeeperClient) => void;
    reject: (error: Error) => void;
    signal: AbortSignal;
  }[] = [];

  open(signal: AbortSignal): Promise<ZooKeeperClient> {
    return new Promise((resolve, reject) => {
      this.attempts.push({ resolve, reject, signal });
    });
  }
}

let opener: Opener;
let timers: Timer[];
let wanted: boolean;
let clock: number;
let states: string[];
let connection: ClusterConnection;

beforeEach(() => {
  opener = new Opener();
  timers = [];
  wanted = true;
  clock = 0;
  states = [];
  connection = new ClusterConnection({
    open: signal => opener.open(signal),
    isWanted: () => wanted,
    onState: state => states.push(state.kind),
    schedule: (callback, ms) => {
      const timer = { callback, ms };
      timers.push(timer);
      return toDisposable(() => {
        timers = timers.filter(other => other !== timer);
      });
    },
    now: () => clock,
    logger: nullLogger,
  });
});

async function settled(): Promise<void> {
  await new Promise(resolve => setImmediate(resolve));
}

async function answer(client = new FakeClient()): Promise<FakeClient> {
  opener.attempts.at(-1)!.resolve(client);
  await settled();
  return client;
}

async function refuse(): Promise<void> {
  opener.attempts.at(-1)!.reject(new Error('refused'));
  await settled();
}

function fireTimer(): void {
  expect(timers).toHaveLength(1);
  timers.pop()!.callback();
}

describe('ClusterConnection', () => {
  it('opens one session however often it is asked', async () => {
    void connection.connect();
    void connection.connect();
    const client = await answer();
    await connection.connect();
    expect(opener.attempts).toHaveLength(1);
    expect(connection.client).toBe(client);
    expect(states).toEqual(['connecting', 'connected']);
  });

  it('keeps a first failure as its state, without trying again by itself', async () => {
    void connection.connect();
    await refuse();
    expect(connection.state).toMatchObject({ kind: 'failed', error: { message: 'refused' } });
    expect(timers).toEqual([]);
    void connection.connect();
    await answer();
    expect(states).toEqual(['connecting', 'failed', 'connecting', 'connected']);
  });

  it('ends an attempt that is under way, and a session that comes all the same', async () => {
    void connection.connect();
    const disconnected = connection.disconnect();
    expect(opener.attempts[0]!.signal.aborted).toBe(true);
    const late = await answer();
    await disconnected;
    expect(late.state).toBe('closed');
    expect(connection.client).toBeUndefined();
    expect(states).toEqual(['connecting', 'disconnected']);
  });

  it('follows its session', async () => {
    void connection.connect();
    const client = await answer();
    client.disconnect();
    expect(connection.client).toBe(client);
    client.reconnect();
    expect(states).toEqual(['connecting', 'connected', 'uncertain', 'connected']);
  });

  it('replaces a lost session, staying lost until the new one is there', async () => {
    void connection.connect();
    const first = await answer();
    first.lose();
    expect(connection.state.kind).toBe('lost');
    expect(connection.client).toBeUndefined();
    fireTimer();
    await refuse();
    expect(connection.state.kind).toBe('lost');
    fireTimer();
    const second = await answer();
    expect(connection.client).toBe(second);
    expect(states.filter(state => state !== 'lost')).toEqual(['connecting', 'connected', 'connected']);
    expect(first.stateListenerCount).toBe(0);
  });

  it('tries again after growing pauses, and not at all when no session is wanted', async () => {
    void connection.connect();
    (await answer()).lose();
    const delays: number[] = [];
    for (let attempt = 0; attempt < 4; attempt++) {
      delays.push(timers[0]!.ms);
      fireTimer();
      await refuse();
    }
    expect(delays[3]!).toBeGreaterThan(delays[0]!);
    wanted = false;
    fireTimer();
    expect(opener.attempts).toHaveLength(5);
    expect(connection.state.kind).toBe('lost');
  });

  it('leaves nothing behind', async () => {
    void connection.connect();
    const client = await answer();
    client.lose();
    await connection.disconnect();
    expect(timers).toEqual([]);
    void connection.connect();
    const next = await answer();
    await connection.disconnect();
    expect(next.state).toBe('closed');
    expect(next.stateListenerCount).toBe(0);
    expect(connection.state.kind).toBe('disconnected');
  });
});
