import { expect, it } from 'vitest';
import { stronglyConnected } from '../../../src/base/stronglyConnected.ts';
import { seededRandom } from '../../support/seededRandom.ts';

type Graph = readonly (readonly number[])[];

const found = (graph: Graph): number[][] =>
  sorted(stronglyConnected(graph.keys(), node => graph[node]!).map(each => each.toSorted(byNumber)));

const byNumber = (one: number, other: number): number => one - other;
const sorted = (components: readonly number[][]): number[][] =>
  components.toSorted(([one = 0], [other = 0]) => one - other);

/** Everything that can be reached from everywhere. */
function reachability(graph: Graph): Set<number>[] {
  return graph.map((_, start) => {
    const reached = new Set([start]);
    for (const node of reached) for (const next of graph[node]!) reached.add(next);
    return reached;
  });
}

function naive(graph: Graph): number[][] {
  const reach = reachability(graph);
  const components = graph.map((_, one) =>
    [...graph.keys()].filter(other => reach[one]!.has(other) && reach[other]!.has(one)),
  );
  // Each once, by its first node.
  return components.filter((component, at) => component.length > 1 && component[0] === at);
}

it('finds circles, each once, and no nodes alone', () => {
  expect(found([])).toEqual([]);
  expect(found([[0], [], [1]])).toEqual([]);
  expect(found([[1], [2], [0], [0]])).toEqual([[0, 1, 2]]);
  expect(found([[1, 1], [0, 2], [3], [2]])).toEqual([
    [0, 1],
    [2, 3],
  ]);
});

it('agrees with reachability in 2,000 random graphs', () => {
  const random = seededRandom(7);
  let [single, several] = [0, 0];
  for (let round = 0; round < 2_000; round++) {
    const size = 1 + random.below(12);
    const graph = Array.from({ length: size }, () =>
      Array.from({ length: random.below(4) }, () => random.below(size)).filter(() => random.below(3) > 0),
    );
    const expected = naive(graph);
    expect(found(graph), `round ${round}: ${JSON.stringify(graph)}`).toEqual(expected);
    if (expected.length === 1) single++;
    else if (expected.length > 1) several++;
  }
  expect(Math.min(single, several)).toBeGreaterThan(50);
});

it('goes along a path of 100,000 without recursion, and asks once for each node', () => {
  const size = 100_000;
  let asked = 0;
  const components = stronglyConnected([0], node => {
    asked++;
    return [(node + 1) % size];
  });
  expect(components.map(({ length }) => length)).toEqual([size]);
  expect(asked).toBe(size);
});
