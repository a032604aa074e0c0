import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nullLogger } from '../../../src/base/logger.ts';
import type { TreeEvent } from '../../../src/zookeeper/client.ts';
import { SessionLostError, ZooKeeperError } from '../../../src/zookeeper/errors.ts';
import { isAtOrBelow } from '../../../src/base/paths.ts';
import { TreeWatches, type TreeWatchPort } from '../../../src/zookeeper/treeWatches.ts';
import { seededRandom, type SeededRandom } from '../../support/seededRandom.ts';

function recursivePort(): TreeWatchPort {
  return {
    addWatch: () => Promise.resolve(true),
    removeWatch: () => Promise.resolve(),
    watchOnce: () => Promise.reject(new Error('not on such a server')),
  };
}

/** A tree of few names, so that random paths often lie above one another. */
function randomPath(random: SeededRandom): string {
  const names = Array.from({ length: random.below(4) }, () => random.pick(['a', 'ab', 'b']));
  return `/${names.join('/')}`;
}

it('an event reaches every listener at and above its path and no other, whatever is watched', async () => {
  const random = seededRandom(7);
  for (let run = 0; run < 50; run += 1) {
    const trees = new TreeWatches(recursivePort(), nullLogger);
    const watched = Array.from({ length: 8 }, () => randomPath(random));
    const heard: string[] = [];
    for (const [at, path] of watched.entries()) await trees.add(path, () => heard.push(`${at} ${path}`));
    const path = randomPath(random);
    trees.dispatch({ type: 'created', path });
    const expected = watched.flatMap((root, at) => (isAtOrBelow(root, path) ? [`${at} ${root}`] : []));
    expect(heard.sort()).toEqual(expected.sort());
  }
});

it('what is no longer watched hears nothing, nor does a list of children of a node count as a change', async () => {
  const events: TreeEvent[] = [];
  const trees = new TreeWatches(recursivePort(), nullLogger);
  const watch = await trees.add('/a', event => void events.push(event));
  trees.dispatch({ type: 'childrenChanged', path: '/a' });
  trees.dispatch({ type: 'deleted', path: '/a/b' });
  watch.dispose();
  trees.dispatch({ type: 'deleted', path: '/a/c' });
  expect(events).toEqual([{ type: 'deleted', path: '/a/b' }]);
});

describe('one-shot watches that the server refuses to set again', () => {
  const noAuth = new ZooKeeperError(-102, 'getChildren', '/a');
  let refusal: Error | undefined;
  let asked: number;
  let fire: () => void;
  let trees: TreeWatches;
  let events: TreeEvent[];

  beforeEach(() => {
    vi.useFakeTimers();
    refusal = undefined;
    asked = 0;
    events = [];
    const port: TreeWatchPort = {
      addWatch: () => Promise.resolve(false),
      removeWatch: () => Promise.resolve(),
      watchOnce: (_path, fired) => {
        asked += 1;
        if (refusal !== undefined) return Promise.reject(refusal);
        fire = fired;
        return Promise.resolve();
      },
    };
    trees = new TreeWatches(port, nullLogger);
  });
  afterEach(() => {
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  /** A watch that has fired, and was refused when it should have been set again. */
  async function refused(why: Error): Promise<{ dispose(): void }> {
    const watch = await trees.add('/a', event => void events.push(event));
    refusal = why;
    fire();
    await vi.advanceTimersByTimeAsync(0);
    expect(events).toEqual([{ type: 'reread', path: '/a' }]);
    return watch;
  }

  it('are set as soon as it allows it, and what happened before is read then', async () => {
    const watch = await refused(noAuth);
    refusal = undefined;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(events).toHaveLength(2);
    fire();
    await vi.advanceTimersByTimeAsync(0);
    expect(events).toHaveLength(3);
    watch.dispose();
  });

  it('are tried less and less often, silently', async () => {
    const watch = await refused(noAuth);
    const before = asked;
    await vi.advanceTimersByTimeAsync(10_000);
    const often = asked - before;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(often).toBeGreaterThan(3);
    expect(asked - before - often).toBeLessThan(often);
    expect(events).toHaveLength(1);
    watch.dispose();
  });

  it('are not tried twice when a reconnect comes first', async () => {
    const watch = await refused(noAuth);
    refusal = undefined;
    trees.reread();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([asked, events.length]).toEqual([3, 3]);
    watch.dispose();
  });

  it.each([
    ['no listener is left', (watch: { dispose(): void }) => watch.dispose()],
    ['the session was closed', () => trees.clear()],
  ])('are left alone once %s', async (_, end) => {
    end(await refused(noAuth));
    const before = asked;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toBe(before);
  });

  it('are left alone once the session is lost', async () => {
    await refused(new SessionLostError({ kind: 'expired', server: 'a:1' }));
    const before = asked;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toBe(before);
  });
});
