import { parseArgs } from 'node:util';
import { describeEnsembleReport } from './ensembleReport.ts';
import { runEnsembleChaos } from './ensembleWorkload.ts';

// npm run test:chaos -- --ensemble --minutes 30 --seed 1, or --runs 100

const { values } = parseArgs({
  options: {
    ensemble: { type: 'boolean' },
    minutes: { type: 'string' },
    runs: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});

const runs = values.runs === undefined ? Infinity : Number(values.runs);
const minutes = Number(values.minutes ?? (values.runs === undefined ? 30 : Infinity));
const start = performance.now();
let printed = 0;
const report = await runEnsembleChaos({
  seed: Number(values.seed),
  goesOn: soFar => soFar.runs < runs && performance.now() - start < minutes * 60_000,
  onRun: soFar => {
    for (const violation of soFar.violations.slice(printed)) process.stdout.write(`${violation}\n`);
    printed = soFar.violations.length;
    if (soFar.runs % 8 === 0) process.stdout.write(`${describeEnsembleReport(soFar)}\n\n`);
  },
});
process.stdout.write(`${describeEnsembleReport(report)}\n`);
process.stdout.write(`took: ${Math.round((performance.now() - start) / 1_000)} s\n`);
process.exitCode = report.violations.length === 0 ? 0 : 1;
