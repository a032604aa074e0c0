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
 * Why a mutant did not fail as it must; '' if it did.
 *
 * @param ms - How long claims have to become true, ms.
 */
async function faultWithin(mutant: Mutant, ms: number): Promise<string> {
  const { failure, left } = await onSandbox(cluster => playText(mutant.text, cluster, { settleMs: ms }));
  const line = `${mutant.change}: ${failureLine(failure)}`;
  if (failure?.kind !== 'not so' || failure.step.span.line !== mutant.line) return line;
  const [claim, ...others] = failure.claims;
  const isNamed = others.length === 0 && claim === failure.step.claims[mutant.at];
  return isNamed && failure.seen !== '' && left.length === 0 ? '' : line;
}

/** The true claims, of this line and those before it, may need the usual time on a busy machine. */
async function faultOf(mutant: Mutant): Promise<string> {
  return (await faultWithin(mutant, shortMs)) && faultWithin(mutant, settleMs);
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
