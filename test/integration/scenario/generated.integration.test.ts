import { describe, expect, it } from 'vitest';
import { severalAtOnce } from '../../../src/base/severalAtOnce.ts';
import { onSandbox } from '../../../src/scenario/scenarioCluster.ts';
import { useTestRealm } from '../../support/freshChroot.ts';
import { generateScenario, type GeneratedScenario } from '../../support/scenarioModel.ts';
import { failureLine, playText, watchedCluster } from '../../support/scenarioPlays.ts';
import { seededRandom } from '../../support/seededRandom.ts';

const [count, seed] = [200, 20_261_127];
/** Sessions that end take seconds on a real server: these scenarios are played side by side, on paths of their own. */
const atOnce = 16;

const scenarios: readonly GeneratedScenario[] = Array.from({ length: count }, (_, at) =>
  generateScenario(seededRandom(seed + at), `/g${at}`, at % 5 === 0),
);

/** Those that did not pass, or left something, as a text to look at. */
async function faultsOf(play: (text: string) => ReturnType<typeof playText>): Promise<string[]> {
  const faults: string[] = [];
  await severalAtOnce([...scenarios.entries()], atOnce, async ([at, { text }]) => {
    const { failure, left } = await play(text);
    if (failure !== undefined || left.length > 0) {
      const numbered = text.split('\n').map((line, index) => `${index + 1} ${line}`);
      faults.push(`seed ${seed + at}: ${failureLine(failure)}\n${numbered.join('\n')}`);
    }
  });
  return faults.slice(0, 3);
}

describe(`${count} random scenarios`, () => {
  const realm = useTestRealm();

  it('have much to expect', () => {
    const claims = scenarios.reduce((sum, each) => sum + each.claims, 0);
    expect(claims).toBeGreaterThan(10 * count);
  });

  it('go on a server as a model of the recipes says', async () => {
    const { cluster } = watchedCluster(realm.connectString);
    expect(await faultsOf(text => playText(text, cluster))).toEqual([]);
    expect(await realm.observer.ls('/')).toEqual([]);
  }, 180_000);

  it('go on the sandbox of a run as a model of the recipes says', async () => {
    expect(await faultsOf(text => onSandbox(cluster => playText(text, cluster)))).toEqual([]);
  }, 180_000);
});
