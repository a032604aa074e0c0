import { provide, testParts } from './system/requirements.ts';
import { run } from './system/run.ts';
import { installWorkbench } from './system/workbenchPackage.ts';

await provide(testParts);
await installWorkbench();
process.exitCode = await run('vitest', ['run', '--project', 'workbench', ...process.argv.slice(2)]);
