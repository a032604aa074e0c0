import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { repositoryRoot } from '../../scripts/build/bundle.ts';
import { changedVerdicts, textOfChanges } from './changedVerdicts.ts';
import { writeDocument } from './document.ts';
import type { Report } from './report.ts';
import { runBench } from './runBench.ts';

// npm run bench -- [--only row] [--quick] [--long] [--json file] [--beside file] [--write]

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    quick: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    json: { type: 'string' },
    beside: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});

// The server and its data go with this program, and the participants end with their standard input.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

const { only, quick, long, json, beside, write } = values;
// Read first: it may be the file that is written.
const before = beside === undefined ? undefined : (JSON.parse(await readFile(beside, 'utf8')) as Report);
const report = await runBench({ quick, long, only, say: text => console.log(text) });
if (json !== undefined) await writeFile(json, `${JSON.stringify(report, undefined, 2)}\n`);
if (write) await writeDocument(join(repositoryRoot, 'docs/performance.md'), report);
if (before === undefined) process.exit(0);
const changes = changedVerdicts(before, report);
console.log(textOfChanges(changes));
process.exit(changes.some(({ isClear }) => isClear) ? 1 : 0);
