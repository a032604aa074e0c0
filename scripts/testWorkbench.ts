import { provide, testParts } from './system/requirements.ts';
import { runTool } from './system/tool.ts';
import { installWorkbench } from './system/workbenchPackage.ts';

await provide(testParts);
await installWorkbench();
process.exitCode = await runTool('vitest', ['run', '--project', 'workbench', ...process.argv.slice(2)]);
