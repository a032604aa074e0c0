import { startSandbox, type Sandbox } from '../../../src/sandbox/startSandbox.ts';
import { answerLines } from './answerLines.ts';

// The sandbox as a server in a program of its own, as the Java server is one. Ends when its standard input ends.

let sandbox: Sandbox | undefined;

await answerLines(
  {
    async start() {
      const before = performance.now();
      sandbox = await startSandbox({ maxSessionTimeoutMs: 120_000 });
      return { ms: performance.now() - before, connectString: sandbox.connectString };
    },
    /** Without garbage. */
    memory() {
      globalThis.gc?.();
      const { heapUsed, external } = process.memoryUsage();
      return Promise.resolve({ bytes: heapUsed + external });
    },
    processor() {
      const { user, system } = process.cpuUsage();
      return Promise.resolve({ cpuMs: (user + system) / 1000, nowMs: performance.now() });
    },
  },
  async () => sandbox?.close(),
);
process.exit(0);
