import { parseArgs } from 'node:util';
import { buildExtension, BundleError, watchExtension, type BuiltFile } from './build/bundle.ts';

function report(outcome: BuiltFile[] | BundleError): void {
  if (outcome instanceof BundleError) {
    console.error(outcome.message);
    return;
  }
  for (const { path, bytes } of outcome) console.log(`${path}  ${(bytes / 1024).toFixed(1)} kB`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { production: { type: 'boolean', default: false }, watch: { type: 'boolean', default: false } },
  });
  if (values.watch) {
    const stop = await watchExtension({ production: values.production }, report);
    console.log('Watching the sources. Ctrl-C ends.');
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
    return;
  }
  try {
    report(await buildExtension({ production: values.production }));
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    report(error);
    process.exitCode = 1;
  }
}

await main();
