import { describe, expect, it } from 'vitest';
import type { Picture } from '../../../src/protocol.ts';
import { layOut, type Box } from '../../../webview/pictureLayout.ts';
import { nodeName, queueOf, snapshotOf, type Sketch } from './snapshots.ts';

function pictureOf(sketches: readonly Sketch[], change: Partial<Picture> = {}): Picture {
  return { ...snapshotOf(sketches).picture, ...change };
}

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

describe('the layout of the picture', () => {
  it.each([150, 368, 800, 1_152, 2_000])('keeps nodes apart and within %d pixels', width => {
    const { nodes, width: drawn, height } = layOut(pictureOf(queueOf(40)), width);
    expect(nodes).toHaveLength(40);
    for (const [index, { box }] of nodes.entries()) {
      expect(box.x + box.width).toBeLessThanOrEqual(Math.max(drawn, 170));
      expect(box.y + box.height).toBeLessThanOrEqual(height);
      for (const other of nodes.slice(index + 1)) expect(overlap(box, other.box)).toBe(false);
    }
  });

  it('puts holders on the left and waiters on their right, in grant order', () => {
    const { nodes } = layOut(pictureOf([{ isHolder: true }, { isHolder: true }, {}, {}, {}]), 1_000);
    const [first, second, ...waiters] = nodes.map(({ box }) => box);
    expect(first?.x).toBe(second?.x);
    expect(waiters.every(box => box.x > (first?.x ?? 0))).toBe(true);
    const reading = waiters.map(box => box.y * 10_000 + box.x);
    expect(reading).toEqual(reading.toSorted((a, b) => a - b));
  });

  it('puts waiters below the holders when there is room for one column', () => {
    const { nodes, titles } = layOut(pictureOf(queueOf(3)), 200);
    expect(new Set(nodes.map(({ box }) => box.x)).size).toBe(1);
    expect(titles.waiters).toBeUndefined();
  });

  it('has an arrow for each wait: straight to a neighbour, a stub to one that is folded', () => {
    const { edges } = layOut(pictureOf([{}, {}, { waitsFor: 'far' }]), 1_000);
    expect(edges.map(({ isCut }) => isCut)).toEqual([false, true]);
    expect(edges[0]?.path).toMatch(/^M[\d. ]+L[\d. ]+$/);
  });

  it('leads every arrow clear of the nodes that it does not join', () => {
    const waits = [1, 2, 3, 2, 9, 4, 1, 12, 3, 7, 2, 5, 1, 20, 6, 3, 8, 2, 4, 11];
    const sketches = waits.map((target, index): Sketch => (index === 0 ? {} : { waitsFor: nodeName(target) }));
    const { edges, nodes } = layOut(pictureOf(sketches), 1_000);
    for (const { key, path } of edges) {
      const target = nodes.find(({ contender }) => contender.name === key)?.contender.waitsFor;
      const others = nodes.filter(({ contender }) => contender.name !== key && contender.name !== target);
      for (const line of segments(path)) {
        expect(others.filter(({ box }) => overlap(line, box)).map(({ contender }) => contender.name)).toEqual([]);
      }
    }
  });

  it('frames consecutive readers, row by row, and counts them once', () => {
    const read = { kind: 'read' } as const;
    const { readers } = layOut(pictureOf([{}, ...Array.from({ length: 6 }, () => read), {}, read]), 800);
    expect(readers.map(frame => frame.readers).filter(count => count > 0)).toEqual([6]);
    expect(readers.length).toBeGreaterThan(1);
  });

  it('draws no more free leases than can be taken in', () => {
    expect(layOut(pictureOf([{}], { slots: 3 }), 800).freeSlots).toHaveLength(2);
    expect(layOut(pictureOf([{}], { slots: 500 }), 800).freeSlots).toHaveLength(24);
    expect(layOut(pictureOf([{}, { isHolder: true }], { slots: 1 }), 800).freeSlots).toHaveLength(0);
  });
});

/** The lines between the corners of a path, as boxes. */
function segments(path: string): Box[] {
  const numbers = [...path.matchAll(/([\d.]+) ([\d.]+)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }));
  return numbers.slice(1).map((point, index) => {
    const before = numbers[index] ?? point;
    return {
      x: Math.min(point.x, before.x),
      y: Math.min(point.y, before.y),
      width: Math.abs(point.x - before.x),
      height: Math.abs(point.y - before.y),
    };
  });
}
