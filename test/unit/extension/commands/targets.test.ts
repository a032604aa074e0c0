import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ClusterBrowser } from '../../../../src/app/clusters/clusterBrowser.ts';
import type { ClusterRegistry } from '../../../../src/app/clusters/clusterRegistry.ts';
import { Targets } from '../../../../src/extension/commands/targets.ts';
import type { ClustersView } from '../../../../src/extension/views/clustersView.ts';
import type { ZooKeeperClient } from '../../../../src/zookeeper/client.ts';
import { CancelledError } from '../../../../src/zookeeper/errors.ts';
import { FakeClient } from '../../../support/fakeClient.ts';
import { window } from '../fakeVscode.ts';
import { browserParts, profileNamed } from '../fixtures.ts';

/** A progress notification that is on screen. */
interface Notification {
  title: string;
  cancel(): void;
}

interface Attempt {
  signal: AbortSignal;
  resolve(client: ZooKeeperClient): void;
  reject(error: Error): void;
}

let notifications: Notification[];
let attempts: Attempt[];
let browser: ClusterBrowser;
let connected: () => Promise<ClusterBrowser>;

beforeEach(() => {
  vi.useFakeTimers();
  notifications = [];
  attempts = [];
  const withProgress = async (
    { title }: { title: string },
    work: (progress: unknown, token: unknown) => Promise<unknown>,
  ): Promise<void> => {
    const listeners = new Set<() => void>();
    const notification = { title, cancel: () => listeners.forEach(listener => listener()) };
    notifications.push(notification);
    const onCancellationRequested = (listener: () => void) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    };
    await work({ report: () => undefined }, { onCancellationRequested });
    notifications = notifications.filter(shown => shown !== notification);
  };
  Object.assign(window, { withProgress });
  const openSession = (_: unknown, signal: AbortSignal): Promise<ZooKeeperClient> =>
    new Promise((resolve, reject) => {
      attempts.push({ signal, resolve, reject });
      signal.addEventListener('abort', () => reject(new CancelledError('Connecting')));
    });
  browser = new ClusterBrowser(profileNamed('orders'), browserParts({ openSession }));
  const unused: unknown = {};
  const targets = new Targets(unused as ClusterRegistry, unused as ClustersView, { inform: () => undefined });
  connected = () => targets.connected(browser);
});

afterEach(() => vi.useRealTimers());

/** So long that nobody would wait without a word. */
const aWhile = (): Promise<unknown> => vi.advanceTimersByTimeAsync(1_000);

describe('a command that connects', () => {
  it('shows progress while that takes its time, and no longer', async () => {
    const outcome = connected();
    expect(notifications).toEqual([]);
    await aWhile();
    expect(notifications).toMatchObject([{ title: 'Connecting to orders' }]);
    attempts[0]?.resolve(new FakeClient());
    expect(await outcome).toBe(browser);
    await aWhile();
    expect(notifications).toEqual([]);
  });

  it('shows none where a session is open already, or is at once', async () => {
    const outcome = connected();
    attempts[0]?.resolve(new FakeClient());
    await outcome;
    await connected();
    await aWhile();
    expect(notifications).toEqual([]);
    expect(attempts).toHaveLength(1);
  });

  it('ends as cancelled when the progress is cancelled, and the attempt with it', async () => {
    const outcome = expect(connected()).rejects.toBeInstanceOf(CancelledError);
    await aWhile();
    notifications[0]?.cancel();
    await outcome;
    expect(attempts[0]?.signal.aborted).toBe(true);
    expect(browser.connection.state.kind).toBe('disconnected');
    await aWhile();
    expect(notifications).toEqual([]);
  });

  it('ends as cancelled when the cluster is disconnected meanwhile', async () => {
    const outcome = expect(connected()).rejects.toBeInstanceOf(CancelledError);
    await browser.disconnect();
    await outcome;
  });

  it('leaves the rows of a lost session when the progress is cancelled', async () => {
    const client = new FakeClient();
    const first = connected();
    attempts[0]?.resolve(client);
    await first;
    await browser.open('/locks/a');
    client.lose();
    const outcome = expect(connected()).rejects.toBeInstanceOf(CancelledError);
    await aWhile();
    notifications[0]?.cancel();
    await outcome;
    expect(browser.connection.state.kind).toBe('lost');
    expect(browser.node.locks.size).toBe(1);
  });

  it('fails with the cause', async () => {
    const outcome = expect(connected()).rejects.toThrow('refused');
    attempts[0]?.reject(new Error('refused'));
    await outcome;
  });
});
