import { parseArgs } from 'node:util';
import { sharedServerOptions, startSandboxed } from '../support/testServer.ts';
import { runCampaign, type CampaignResult } from './campaign.ts';
import { ComparedServer } from './play.ts';
import { startNewestServer } from './realServer.ts';

// npm run test:differential -- --programs 10000 --seed 1 [--real] [--version 3.7.2] [--differences 5]

const { values } = parseArgs({
  options: {
    programs: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    /** A second real server in place of the sandbox: there must be no difference, or the comparison itself is wrong. */
    real: { type: 'boolean', default: false },
    /** Of the real server, from the folder ZOOKEEPER_SERVERS. Default: the newest. */
    version: { type: 'string' },
    /** Ends after so many. */
    differences: { type: 'string', default: '1' },
  },
});

function summary(
  { played, steps, differences, unrepeated, known, exercised }: CampaignResult,
  seconds: number,
): string {
  const byName = [...exercised].sort(([one], [other]) => one.localeCompare(other, 'en', { numeric: true }));
  return [
    ...byName.map(([name, times]) => `${String(times).padStart(8)} ${name}`),
    ...[...known].map(([reason, times]) => `known, ${times} times: ${reason}`),
    ...unrepeated.map(text => `\nNOT SEEN AGAIN ${text}`),
    ...differences.map(text => `\nDIFFERENCE ${text}`),
    `${played} programs, ${steps} steps, ${seconds.toFixed(1)} s, ${(played / seconds).toFixed(1)} programs/s, ${differences.length} differences`,
  ].join('\n');
}

const expected = await startNewestServer(values.version);
const actual = values.real ? await startNewestServer(values.version) : await startSandboxed(sharedServerOptions);
process.stdout.write(
  `ZooKeeper ${expected.version} and ${values.real ? 'another' : 'the sandbox'}, seed ${values.seed}\n`,
);
const servers = {
  expected: await ComparedServer.open(expected.port),
  actual: await ComparedServer.open(actual.port),
  version: expected.version,
};
const start = performance.now();
const result = await runCampaign(servers, {
  programs: Number(values.programs),
  seed: Number(values.seed),
  maxDifferences: Number(values.differences),
  onProgress: played => {
    if (played % 500 === 0) {
      process.stdout.write(`${played} programs, ${Math.round((performance.now() - start) / 1_000)} s\n`);
    }
  },
});
process.stdout.write(`${summary(result, (performance.now() - start) / 1_000)}\n`);
await Promise.all([servers.expected.close(), servers.actual.close()]);
await Promise.all([expected.stop(), actual.stop()]);
process.exitCode = result.differences.length === 0 ? 0 : 1;
