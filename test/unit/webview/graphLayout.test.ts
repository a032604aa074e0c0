import { describe, expect, it } from 'vitest';
import { layOutGraph } from '../../../webview/session/graphLayout.ts';
import { chain, fan } from './sessionStates.ts';

const boxesOf = (width: number, { nodes, edges } = chain()) => {
  const layout = layOutGraph(nodes, edges, width);
  return { layout, at: new Map(layout.nodes.map(({ node, box }) => [node.key, box])) };
};

describe('the layout of who waits for whom', () => {
  it('has what is waited for on the left, and at the top of a narrow page', () => {
    const wide = boxesOf(1_000).at;
    expect(wide.get('worker-1')!.x).toBeLessThan(wide.get('payment')!.x);
    expect(wide.get('payment')!.x).toBeLessThan(wide.get('worker-2')!.x);
    expect(wide.get('worker-2')!.x).toBeLessThan(wide.get('refund')!.x);
    const narrow = boxesOf(280).at;
    expect(narrow.get('worker-1')!.y).toBeLessThan(narrow.get('payment')!.y);
    expect(narrow.get('refund')!.y).toBeLessThan(narrow.get('nightly')!.y);
  });

  it('goes through the nodes layer by layer, beginning where others wait', () => {
    const [first, ...others] = boxesOf(1_000).layout.nodes.map(({ node }) => node.key);
    expect([first, others.at(-1)]).toEqual(['worker-1', 'nightly']);
  });

  it.each([1_000, 280])('has no two nodes at one place, and all within the drawing, at %i px', width => {
    const { layout } = boxesOf(width, fan(200));
    expect(layout.nodes).toHaveLength(200);
    for (const [at, { box }] of layout.nodes.entries()) {
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(layout.width);
      expect(box.y + box.height).toBeLessThanOrEqual(layout.height);
      for (const { box: other } of layout.nodes.slice(at + 1)) {
        const isApart =
          box.x + box.width <= other.x ||
          other.x + other.width <= box.x ||
          box.y + box.height <= other.y ||
          other.y + other.height <= box.y;
        expect(isApart).toBe(true);
      }
    }
    expect(layout.edges.every(({ path }) => /^M-?\d+ -?\d+[LQ][-\d LQ]+$/u.test(path))).toBe(true);
  });

  it('lays out a chain of 200, and a circle', () => {
    const keys = Array.from({ length: 200 }, (_, at) => `n${String(at)}`);
    const nodes = keys.map(key => ({ ...chain().nodes[0]!, key }));
    const edges = keys.map((from, at) => ({ kind: 'waits' as const, from, to: keys[(at + 1) % 200]! }));
    expect(layOutGraph(nodes, edges, 1_000).nodes).toHaveLength(200);
    expect(layOutGraph(nodes.slice(0, 2), [edges[0]!, { kind: 'holds', from: 'n1', to: 'n0' }], 1_000).edges).toHaveLength(2); // prettier-ignore
  });

  it('leaves out arrows that lead nowhere or to themselves, and takes any key', () => {
    const nodes = ['__proto__', 'constructor', ' '].map(key => ({ ...chain().nodes[0]!, key }));
    const edges = [
      { kind: 'waits', from: '__proto__', to: 'constructor' },
      { kind: 'waits', from: ' ', to: ' ' },
      { kind: 'waits', from: ' ', to: 'gone' },
    ] as const;
    const layout = layOutGraph(nodes, edges, 1_000);
    expect(layout.edges.map(({ key }) => key)).toEqual(['waits\0__proto__\0constructor']);
    expect(layout.nodes.map(({ box }) => Number.isFinite(box.x + box.y))).toEqual([true, true, true]);
    expect(layOutGraph([], [], 1_000)).toMatchObject({ nodes: [], edges: [] });
  });
});
