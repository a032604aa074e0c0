import { beforeEach, describe, expect, it } from 'vitest';
import { toDisposable } from '../../../../src/base/disposable.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { ClusterConnection, isOpen } from '../../../../src/app/clusters/clusterConnection.ts';
import type { ZooKeeperClient } from '../../../../src/zookeeper/client.ts';
import type { FailureCause } from '../../../../src/zookeeper/connectFailure.ts';
import { AuthenticationFailedError, ConnectError } from '../../../../src/zookeeper/errors.ts';
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

async function refuse(error = new Error('refused')): Promise<void> {
  opener.attempts.at(-1)!.reject(error);
  await settled();
}

/** No server could be used, each for one of `causes`. */
function unreachable(...causes: FailureCause[]): ConnectError {
  return new ConnectError(
    causes.map((cause, index) => ({ host: `zk${index}`, port: 2181, ...cause })),
    1,
  );
}

const refused: FailureCause = { failure: 'refused', detail: '' };
const badCertificate: FailureCause = { failure: 'tls', reason: 'expired', detail: '' };

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

  it.each<[string, Error, boolean]>([
    ['what the user must mend', new Error('refused'), false],
    [
      'a log-in',
      new AuthenticationFailedError({
        kind: 'login',
        server: 'zk0:2181',
        scheme: 'sasl',
        refusal: 'wrong-account',
        detail: '',
      }),
      false,
    ],
    ['certificates', unreachable(badCertificate, { failure: 'not-zookeeper', detail: '' }), false],
    ['no server that listens', unreachable(refused), true],
    ['a name that is not known, as without a VPN', unreachable({ failure: 'dns', detail: '' }), true],
    ['one server of several that may come back', unreachable(badCertificate, refused), true],
  ])('keeps a first failure as its state: %s', async (_, error, triesAgain) => {
    void connection.connect();
    await refuse(error);
    expect(connection.state).toEqual({ kind: 'failed', error, triesAgain });
    expect(isOpen(connection.state)).toBe(triesAgain);
    expect(timers).toHaveLength(triesAgain ? 1 : 0);
    void connection.connect();
    await answer();
    expect(timers).toEqual([]);
    expect(states).toEqual(['connecting', 'failed', 'connecting', 'connected']);
  });

  it('tries again by itself after a first failure while it is wanted, and shows the failure meanwhile', async () => {
    void connection.connect();
    await refuse(unreachable(refused));
    const delays: number[] = [];
    for (let attempt = 0; attempt < 4; attempt++) {
      delays.push(timers[0]!.ms);
      fireTimer();
      expect(connection.state.kind).toBe('failed');
      await refuse(unreachable(refused));
    }
    expect(delays[3]!).toBeGreaterThan(delays[0]!);
    fireTimer();
    await answer();
    expect(states).toEqual(['connecting', ...Array.from({ length: 5 }, () => 'failed'), 'connected']);
  });

  it('shows that it connects when the user asks for it between its own attempts, or during one', async () => {
    void connection.connect();
    await refuse(unreachable(refused));
    fireTimer();
    const asked = connection.connect();
    expect(connection.state.kind).toBe('connecting');
    expect(opener.attempts).toHaveLength(2);
    await answer();
    await asked;
    expect(connection.state.kind).toBe('connected');
  });

  it('stops after a first failure when no session is wanted any more, and for a disconnect', async () => {
    void connection.connect();
    await refuse(unreachable(refused));
    wanted = false;
    fireTimer();
    expect(connection.state).toMatchObject({ kind: 'failed', triesAgain: false });
    expect(opener.attempts).toHaveLength(1);

    void connection.connect();
    await refuse(unreachable(refused));
    expect(connection.state).toMatchObject({ kind: 'failed', triesAgain: false });

    wanted = true;
    void connection.connect();
    await refuse(unreachable(refused));
    fireTimer();
    const disconnected = connection.disconnect();
    expect(opener.attempts.at(-1)!.signal.aborted).toBe(true);
    await refuse(unreachable(refused));
    await disconnected;
    expect(connection.state.kind).toBe('disconnected');
    expect(timers).toEqual([]);
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
