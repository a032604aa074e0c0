import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { buildExtension } from '../../scripts/build/bundle.ts';
import { provide, testParts } from '../../scripts/system/requirements.ts';
import { installWorkbench } from '../../scripts/system/workbenchPackage.ts';
import { measurePanel } from './panel/measurePanel.ts';
import { panelTable } from './panel/panelTable.ts';

// npm run bench:panel -- [--waiters 10000] [--changes 20] [--seconds 20] [--json file]

const { values } = parseArgs({
  options: {
    waiters: { type: 'string', default: '10000' },
    changes: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '20' },
    json: { type: 'string' },
  },
});

// The server, VS Code and the browser go with this program.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

await provide(testParts);
await installWorkbench();
await buildExtension({ production: true });
const plan = {
  waiters: Number(values.waiters),
  changesPerSecond: Number(values.changes),
  seconds: Number(values.seconds),
};
const report = await measurePanel(plan, text => console.log(text));
console.log(panelTable(report));
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(report, undefined, 2)}\n`);
process.exit(report.figures.every(({ isMet }) => isMet !== false) ? 0 : 1);
