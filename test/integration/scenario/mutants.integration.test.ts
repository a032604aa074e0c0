import { describe, expect, it } from 'vitest';
import { severalAtOnce } from '../../../src/base/severalAtOnce.ts';
import { settleMs } from '../../../src/scenario/runScenario.ts';
import { onSandbox } from '../../../src/scenario/scenarioCluster.ts';
import { failureLine, playText, samples } from '../../support/scenarioPlays.ts';
import { mutantsOf, type Mutant } from '../../support/scenarioMutants.ts';

/** Further claims, so that each kind has mutants. */
const further = `path: /scenario/further
A: acquire mutex
B: acquire mutex within 100ms
C: leave
expect: A holds, B times out, C stale
delete C
D: acquire mutex
expect: nothing stale, /scenario/elsewhere empty, no deadlock, waiters D
A: release
expect: D holds, woken at most 2, no waiters
D: release
expect: no holders
`;

/** A wrong claim never becomes true, so waiting for it is short at first, ms. */
const shortMs = 100;

/**
 * Why a mutant did not fail as it must; '' if it did. Where a true claim was late, on a busy machine, it is played with the usual time.
 *
 * @param ms how long claims have to become true
 */
async function faultOf(mutant: Mutant, ms = shortMs): Promise<string> {
  const { failure, left } = await onSandbox(cluster => playText(mutant.text, cluster, { settleMs: ms }));
  const line = `${mutant.change}: ${failureLine(failure)}`;
  if (failure?.kind !== 'not so') return line;
  const { claims, step, seen } = failure;
  const isMutated = step.span.line === mutant.line;
  const trueClaims = claims.filter(claim => !isMutated || claim !== step.claims[mutant.at]);
  if (trueClaims.length > 0) return ms < settleMs ? faultOf(mutant, settleMs) : line;
  return claims.length === 1 && seen !== '' && left.length === 0 ? '' : line;
}

describe.each([...samples, ['further claims', further] as const])('%s', (_, text) => {
  const mutants = mutantsOf(text);

  it(`fails with each of its ${mutants.length} wrong claims, and names the claim`, async () => {
    expect(mutants.length).toBeGreaterThan(0);
    const faults: string[] = [];
    await severalAtOnce(mutants, 6, async mutant => {
      faults.push(await faultOf(mutant));
    });
    expect(faults.filter(fault => fault !== '')).toEqual([]);
  });
});
