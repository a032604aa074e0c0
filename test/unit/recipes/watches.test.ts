import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AttemptLimits } from '../../../src/recipes/attemptLimits.ts';
import { LockCancelled, LockTimeout, RemovedFromQueue } from '../../../src/recipes/errors.ts';
import type { AcquireOptions } from '../../../src/recipes/lock.ts';
import { PredecessorWatch } from '../../../src/recipes/watches.ts';
import { NotConnectedError } from '../../../src/zookeeper/errors.ts';
import { FakeClient } from '../../support/fakeClient.ts';

/** A queue of two, whose second one begins to wait. */
class Scene {
  readonly client = new FakeClient();
  /** How the wait ended: `undefined` not yet, `woken`, or its error. */
  outcome: unknown;

  constructor(options: AcquireOptions = {}) {
    this.client.put('/q/first');
    this.client.put('/q/own');
    // By the third transaction, after /q and the first one.
    const own = { path: '/q/own', czxid: 3n };
    const watch = new PredecessorWatch(this.client, '/q', new AttemptLimits('/q', options));
    const waiting = watch.wait(own, { names: ['first'], holdsNow: () => false });
    waiting.then(
      () => (this.outcome = 'woken'),
      (error: unknown) => (this.outcome = error),
    );
  }

  /** How often the own node was read. */
  get ownReads(): number {
    return this.client.reads.filter(read => read === 'getData /q/own').length;
  }
}

/** Lets that much time pass, ms, and what follows from it. */
const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe('a waiter for the node in front of it', () => {
  it('reads its own node neither in the first second nor when it is woken within it', async () => {
    const scene = new Scene();
    await pass(999);
    expect([scene.outcome, scene.ownReads]).toEqual([undefined, 0]);
    scene.client.drop('/q/first');
    await pass(0);
    expect([scene.outcome, scene.ownReads, scene.client.stateListenerCount]).toEqual(['woken', 0, 0]);
  });

  it('sees after a second that its own node was deleted in it', async () => {
    const scene = new Scene();
    await pass(500);
    scene.client.drop('/q/own');
    await pass(499);
    expect(scene.outcome).toBeUndefined();
    await pass(1);
    expect(scene.outcome).toBeInstanceOf(RemovedFromQueue);
  });

  it('sees after a second that its own node was replaced in it', async () => {
    const scene = new Scene();
    await pass(500);
    scene.client.put('/q/own');
    await pass(500);
    expect(scene.outcome).toBeInstanceOf(RemovedFromQueue);
  });

  it('is woken at once when its own node is deleted later', async () => {
    const scene = new Scene();
    await pass(60_000);
    expect([scene.outcome, scene.ownReads]).toEqual([undefined, 1]);
    scene.client.drop('/q/own');
    await pass(0);
    expect(scene.outcome).toBe('woken');
  });

  it('is woken by the node in front after a second, too, also while it reads its own', async () => {
    const later = new Scene();
    await pass(5_000);
    later.client.drop('/q/first');
    const meanwhile = new Scene();
    await pass(0);
    meanwhile.client.beforeReply = () => meanwhile.client.drop('/q/first');
    await pass(1_000);
    expect([later.outcome, meanwhile.outcome, meanwhile.ownReads]).toEqual(['woken', 'woken', 1]);
  });

  it.each([500, 1_500])('is cancelled after %d ms', async ms => {
    const abort = new AbortController();
    const scene = new Scene({ signal: abort.signal });
    await pass(ms);
    abort.abort();
    await pass(0);
    expect(scene.outcome).toBeInstanceOf(LockCancelled);
    expect(scene.client.stateListenerCount).toBe(0);
  });

  it.each([500, 1_500])('ends with its time limit of %d ms', async timeoutMs => {
    const scene = new Scene({ timeoutMs });
    await pass(timeoutMs - 1);
    expect(scene.outcome).toBeUndefined();
    await pass(1);
    expect(scene.outcome).toBeInstanceOf(LockTimeout);
    expect(scene.client.stateListenerCount).toBe(0);
  });

  it.each([500, 1_500])('is woken by trouble of the session after %d ms', async ms => {
    const scene = new Scene();
    await pass(ms);
    scene.client.disconnect();
    await pass(0);
    expect(scene.outcome).toBe('woken');
  });

  it('fails with the connection that breaks while it reads its own node', async () => {
    const scene = new Scene();
    await pass(0);
    scene.client.beforeReply = () => scene.client.disconnect();
    await pass(1_000);
    expect(scene.outcome).toBeInstanceOf(NotConnectedError);
  });
});

it('a waiter whose directory is gone was removed with it', async () => {
  const client = new FakeClient();
  const watch = new PredecessorWatch(client, '/q', new AttemptLimits('/q', {}));
  const waiting = watch.wait({ path: '/q/own', czxid: 1n }, { names: undefined, holdsNow: () => false });
  await expect(waiting).rejects.toThrow(RemovedFromQueue);
});
