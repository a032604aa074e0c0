import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { engineVariable } from './test/support/engine.ts';

/** Unit tests run without VS Code; what src/extension takes from it at run time is this small stand-in. */
const fakeVscode = fileURLToPath(new URL('test/unit/extension/fakeVscode.ts', import.meta.url));

/** The same tests on both engines: a real ZooKeeper, and the sandbox. */
const integration = {
  include: ['test/integration/**/*.integration.test.ts'],
  environment: 'node',
  runner: 'test/versions/limitedRunner.ts',
  testTimeout: 60_000,
  hookTimeout: 60_000,
  maxWorkers: 3,
};

export default defineConfig({
  test: {
    projects: [
      {
        resolve: { alias: { vscode: fakeVscode } },
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          environment: 'node',
        },
      },
      { test: { ...integration, name: 'integration', globalSetup: ['test/support/globalServer.ts'] } },
      {
        test: {
          ...integration,
          name: 'sandbox',
          globalSetup: ['test/support/globalSandbox.ts'],
          env: { [engineVariable]: 'sandbox' },
        },
      },
      {
        test: {
          name: 'workbench',
          include: ['test/workbench/*.workbench.test.ts'],
          environment: 'node',
          globalSetup: ['test/workbench/support/buildFirst.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          // One VS Code and one browser are all that a small machine can take.
          maxWorkers: 1,
        },
      },
    ],
  },
});
