import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { buildExtension } from '../../scripts/build/bundle.ts';
import { provide, testParts } from '../../scripts/system/requirements.ts';
import { installWorkbench } from '../../scripts/system/workbenchPackage.ts';
import { measurePanel } from './panel/measurePanel.ts';
import { panelTable } from './panel/panelTable.ts';

// npm run bench:panel -- [--waiters 100000] [--changes 1000] [--seconds 30] [--json file] [--profile file]

const { values } = parseArgs({
  options: {
    waiters: { type: 'string', default: '100000' },
    changes: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '30' },
    json: { type: 'string' },
    profile: { type: 'string' },
  },
});

// The server, VS Code and the browser go with this program.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

await provide(testParts);
await installWorkbench();
// A profile is for people: with the names of the source.
await buildExtension({ production: values.profile === undefined });
const plan = {
  waiters: Number(values.waiters),
  changesPerSecond: Number(values.changes),
  seconds: Number(values.seconds),
  ...(values.profile === undefined ? {} : { profile: values.profile }),
};
const report = await measurePanel(plan, text => console.log(text));
console.log(panelTable(report));
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(report, undefined, 2)}\n`);
process.exit(report.figures.every(({ isMet }) => isMet !== false) ? 0 : 1);
