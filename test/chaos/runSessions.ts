import { parseArgs } from 'node:util';
import { describeSessionChaos, runSessionChaos } from './sessionChaos.ts';

// npm run test:chaos -- --runs 1000 --seed 1

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '100' }, seed: { type: 'string', default: '1' } },
});

const start = performance.now();
const report = await runSessionChaos({
  runs: Number(values.runs),
  seed: Number(values.seed),
  onBatch: ({ runs, violations }) => {
    process.stdout.write(`${runs} runs, ${violations.length} violations\n`);
  },
});
process.stdout.write(`${describeSessionChaos(report)}\n`);
process.stdout.write(`took: ${Math.round((performance.now() - start) / 1_000)} s\n`);
process.exitCode = report.violations.length === 0 ? 0 : 1;
