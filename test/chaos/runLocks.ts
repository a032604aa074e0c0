import { parseArgs } from 'node:util';
import { runLockChaos, type LockChaosReport } from './lockWorkload.ts';

// npm run test:chaos -- --runs 1000 --seed 1 plays this after the sessions; alone: node test/chaos/runLocks.ts

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '100' }, seed: { type: 'string', default: '1' } },
});

function summary({ runs, counts, faults, violations, longestRunMs }: LockChaosReport): string {
  const done = [...faults].map(([name, count]) => `${name} ${count}`).join(', ');
  const { acquired, timedOut, cancelled, sessionsLost } = counts;
  return `${runs} runs: ${acquired} acquired, ${timedOut} timed out, ${cancelled} cancelled, ${sessionsLost} sessions lost; faults: ${done}; longest run ${Math.round(longestRunMs)} ms; ${violations.length} violations`;
}

let told = 0;
const report = await runLockChaos({
  runs: Number(values.runs),
  seed: Number(values.seed),
  onRun: soFar => {
    for (const violation of soFar.violations.slice(told)) process.stdout.write(`${violation}\n`);
    told = soFar.violations.length;
    if (soFar.runs % 25 === 0) process.stdout.write(`${summary(soFar)}\n`);
  },
});
process.stdout.write(`${summary(report)}\n`);
// Another workload may have failed before.
if (report.violations.length > 0) process.exitCode = 1;
