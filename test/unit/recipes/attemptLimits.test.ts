import { describe, expect, it } from 'vitest';
import { retryUntilOver, AttemptLimits } from '../../../src/recipes/attemptLimits.ts';
import { LockCancelled, LockTimeout, SessionLost } from '../../../src/recipes/errors.ts';
import {
  NotConnectedError,
  OutcomeUnknownError,
  ReplyLostError,
  ZooKeeperError,
} from '../../../src/zookeeper/errors.ts';
import { FakeClient } from '../../support/fakeClient.ts';

const never = (): (() => void) => () => undefined;

describe('the limits of an attempt', () => {
  it('end a wait by time, by cancel, and not at all', async () => {
    await expect(new AttemptLimits('/q', { timeoutMs: 5 }).wait(never)).rejects.toThrow(LockTimeout);
    await expect(new AttemptLimits('/q', { signal: AbortSignal.timeout(5) }).wait(never)).rejects.toThrow(
      LockCancelled,
    );
    // 25 days are more than a timer can wait: they must not end at once.
    const patient = new AttemptLimits('/q', { timeoutMs: 25 * 24 * 3_600_000 });
    await patient.wait(wake => {
      const timer = setTimeout(wake, 5);
      return () => clearTimeout(timer);
    });
  });

  it('unsubscribe however a wait ends', async () => {
    let open = 0;
    const subscribe = (): (() => void) => {
      open++;
      return () => {
        open--;
      };
    };
    await expect(new AttemptLimits('/q', { timeoutMs: 1 }).wait(subscribe)).rejects.toThrow(LockTimeout);
    expect(open).toBe(0);
  });

  it('wait for an attempt that cleans up, not for one that hangs', async () => {
    const discarded: string[] = [];
    const discard = (late: string): Promise<undefined> => {
      discarded.push(late);
      return Promise.resolve(undefined);
    };
    const limits = new AttemptLimits('/q', { timeoutMs: 5 });
    expect(await limits.inTime(Promise.resolve('in time'), 10, discard)).toBe('in time');
    const hanging = Promise.withResolvers<string>();
    await expect(limits.inTime(hanging.promise, 10, discard)).rejects.toThrow(LockTimeout);
    hanging.resolve('too late');
    await hanging.promise;
    expect(discarded).toEqual(['too late']);
  });

  it('give back what comes after a cancel', async () => {
    const abort = new AbortController();
    const limits = new AttemptLimits('/q', { signal: abort.signal });
    const discarded: string[] = [];
    abort.abort();
    const outcome = limits.inTime(Promise.resolve('unwanted'), 10, late => {
      discarded.push(late);
      return Promise.resolve(undefined);
    });
    await expect(outcome).rejects.toThrow(LockCancelled);
    expect(discarded).toEqual(['unwanted']);
  });

  it('ask again after connection trouble, and only then', async () => {
    const client = new FakeClient();
    const troubles = [
      new ReplyLostError('getData', '/q', 'cut'),
      new OutcomeUnknownError('create', '/q', 'cut'),
      new NotConnectedError('create', '/q', 'closing'),
    ];
    const ask = (): Promise<string> => {
      const trouble = troubles.shift();
      return trouble === undefined ? Promise.resolve('answer') : Promise.reject(trouble);
    };
    expect(await new AttemptLimits('/q', {}).untilAnswered(client, ask)).toBe('answer');
    const refuse = (): Promise<never> => Promise.reject(new Error('refused'));
    await expect(new AttemptLimits('/q', {}).untilAnswered(client, refuse)).rejects.toThrow('refused');
    expect(client.stateListenerCount).toBe(0);
  });

  it('do not spin on a session that says connected and sends nothing', async () => {
    const client = new FakeClient();
    let asked = 0;
    const ask = (): Promise<never> => {
      asked++;
      return Promise.reject(new NotConnectedError('getData', '/q', 'the session is being closed'));
    };
    const attempt: Promise<unknown> = new AttemptLimits('/q', {}).untilAnswered(client, ask);
    const cleaning: Promise<unknown> = retryUntilOver(client, ask);
    await new Promise(resolve => setTimeout(resolve, 20));
    expect(asked).toBe(2);
    await client.close();
    await expect(attempt).rejects.toThrow(SessionLost);
    expect(await cleaning).toBeUndefined();
    expect(client.stateListenerCount).toBe(0);
  });

  it.each([-112, -118, -4])(
    'take the answer %i of a server that no longer serves the session as trouble',
    async code => {
      const client = new FakeClient();
      let asked = 0;
      const attempt = new AttemptLimits('/q', {}).untilAnswered(client, (): Promise<never> => {
        asked++;
        return Promise.reject(new ZooKeeperError(code, 'getData', '/q'));
      });
      await new Promise(resolve => setTimeout(resolve, 20));
      expect(asked).toBe(1);
      client.lose();
      await expect(attempt).rejects.toThrow(SessionLost);
    },
  );

  it('see a session that got better without an event', async () => {
    const client = new FakeClient();
    client.state = 'uncertain';
    const waiting = new AttemptLimits('/q', { timeoutMs: 5_000 }).untilConnected(client);
    client.state = 'connected';
    await waiting;
  });
});
