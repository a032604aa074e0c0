import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Unit tests run without VS Code; what src/extension takes from it at run time is this small stand-in. */
const fakeVscode = fileURLToPath(new URL('test/unit/extension/fakeVscode.ts', import.meta.url));

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
      {
        test: {
          name: 'integration',
          include: ['test/integration/**/*.integration.test.ts'],
          environment: 'node',
          globalSetup: ['test/support/globalServer.ts'],
          runner: 'test/versions/limitedRunner.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 3,
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
