import { startSandbox } from '../../../src/sandbox/startSandbox.ts';

// A sandbox in a program whose limits its test sets. Says its port, then what must not happen; ends with its standard input.

for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, error => process.stdout.write(`${event}: ${String(error)}\n`));
}
const sandbox = await startSandbox();
process.stdout.write(`${sandbox.port}\n`);
process.stdin.on('close', () => process.exit(0)).resume();
