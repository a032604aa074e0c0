import { describe, expect, it } from 'vitest';
import { judge, type Grant } from '../../chaos/ensembleChecks.ts';
import { runEnsembleChaos } from '../../chaos/ensembleWorkload.ts';
import type { NodeLife } from '../../chaos/transactionLog.ts';

describe('our recipes, Curator and kazoo on three failing servers', () => {
  it(
    'ours are never late and never early, leave nothing behind and never get stuck (L18, L19, L21, L34)',
    { timeout: 240_000 },
    async () => {
      const report = await runEnsembleChaos({ seed: 1, goesOn: ({ runs }) => runs < 4 });
      expect(report.violations).toEqual([]);
      // Otherwise the runs have shown nothing.
      const { ours, curator, kazoo } = report.libraries;
      expect(Math.min(ours.acquired, curator.acquired, kazoo.acquired)).toBeGreaterThan(0);
      expect(report.faults.size).toBeGreaterThan(4);
    },
  );
});

describe('the check of the leases', () => {
  const at = (library: Grant['library'], program: number, token: number, from: number, until: number): Grant => ({
    library,
    program,
    recipe: 'mutex',
    path: `/lock/${token}`,
    token: String(token),
    from,
    until,
  });
  const lives = (...all: [token: number, deletedAt?: number][]): Map<string, NodeLife> =>
    new Map(
      all.map(([token, deletedAt]) => [
        `/lock/${token}`,
        { czxid: BigInt(token), owner: 1n, ...(deletedAt === undefined ? {} : { deletedAt }) },
      ]),
    );

  it('takes one after the other', () => {
    const grants = [at('ours', 0, 1, 10, 20), at('curator', 2, 2, 25, 30), at('ours', 1, 3, 31, 40)];
    const { violations, lateness, early } = judge(grants, lives([1, 22], [2, 30], [3, 41]), 0);
    expect({ violations, lateness, early }).toEqual({ violations: [], lateness: [], early: [] });
  });

  it('sees a lease of ours that is believed after its node has gone', () => {
    const { violations } = judge([at('ours', 0, 1, 10, 60), at('kazoo', 2, 2, 50, 70)], lives([1, 40], [2]), 0);
    expect(violations).toEqual([expect.stringContaining('was believed after its node had gone, 10.0 ms')]);
  });

  it('sees a lease of ours that is granted while the other node stands', () => {
    const { violations } = judge([at('kazoo', 2, 1, 10, 60), at('ours', 0, 2, 50, 70)], lives([1, 65], [2]), 0);
    expect(violations).toEqual([expect.stringContaining('was granted while the other node stood')]);
  });

  it('counts what other libraries believe too long, and how much less it is for a careful program', () => {
    const late = { ...at('curator', 2, 1, 10, 60), suspendedAt: 53 };
    const verdict = judge([late, at('ours', 0, 2, 50, 70)], lives([1, 45], [2]), 0);
    expect(verdict).toEqual({
      violations: [],
      lateness: [{ late: 'curator', ms: 10 }],
      carefulLateness: [{ late: 'curator', ms: 3 }],
      early: [],
    });
  });

  it('sees tokens of ours that fall, and one that the register has refused', () => {
    const refused = { ...at('ours', 1, 1, 30, 40), heldAfterRefusal: true };
    const { violations } = judge([at('ours', 0, 2, 10, 20), refused], lives([1], [2, 25]), 0);
    expect(violations).toEqual([
      expect.stringContaining('has an older token than'),
      expect.stringContaining('was held although the register had seen a newer token'),
    ]);
  });
});
