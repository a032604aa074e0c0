import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { repositoryRoot } from '../../scripts/build/bundle.ts';
import { writeDocument } from './document.ts';
import { runBench } from './runBench.ts';

// npm run bench -- [--only row] [--quick] [--long] [--json file] [--write]

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    quick: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    json: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});

// The server and its data go with this program, and the participants end with their standard input.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

const { only, quick, long, json, write } = values;
const report = await runBench({ quick, long, only, say: text => console.log(text) });
if (json !== undefined) await writeFile(json, `${JSON.stringify(report, undefined, 2)}\n`);
if (write) await writeDocument(join(repositoryRoot, 'docs/performance.md'), report);
process.exit(0);
