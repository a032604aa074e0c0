import { describe, expect, it } from 'vitest';
import { overlaps, runLockChaos } from '../../chaos/lockWorkload.ts';

describe('contenders in programs of their own, with random faults', () => {
  it(
    'never hold together (L18, L19, L21), leave nothing behind (L5, L7, L27) and never get stuck (L9, L10, L22)',
    { timeout: 120_000 },
    async () => {
      const report = await runLockChaos({ runs: 20, seed: 1, restartEvery: 13 });
      expect(report.violations).toEqual([]);
      expect(report.runs).toBe(20);
      // Otherwise the runs have shown nothing.
      expect(report.counts.acquired).toBeGreaterThan(100);
      expect(report.faults.size).toBeGreaterThan(5);
    },
  );
});

describe('the check of the intervals', () => {
  const held = (recipe: 'mutex' | 'read' | 'write', from: number, until: number) => ({
    held: [{ recipe, from, until, path: '' }],
  });

  it('sees two who hold together, and no others', () => {
    expect(overlaps([held('mutex', 1, 5), held('mutex', 4, 6)], 1)).toHaveLength(1);
    expect(overlaps([held('mutex', 1, 5), held('mutex', 6, 8)], 1)).toEqual([]);
    expect(overlaps([held('read', 1, 5), held('read', 2, 8)], 1)).toEqual([]);
    expect(overlaps([held('read', 1, 5), held('write', 2, 8)], 1)).toHaveLength(1);
    expect(overlaps([held('mutex', 1, 9), held('mutex', 2, 8), held('mutex', 3, 4)], 2)).toHaveLength(1);
    expect(overlaps([held('mutex', 1, 9), held('mutex', 2, 4), held('mutex', 5, 6)], 2)).toEqual([]);
  });
});
