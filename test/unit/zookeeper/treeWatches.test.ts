import { expect, it } from 'vitest';
import { nullLogger } from '../../../src/base/logger.ts';
import type { TreeEvent } from '../../../src/zookeeper/client.ts';
import { isAtOrBelow } from '../../../src/zookeeper/paths.ts';
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
  expect(trees.count).toBe(0);
});
