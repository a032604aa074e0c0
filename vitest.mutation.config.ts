import { defineConfig } from 'vitest/config';

/** The unit tests that scripts/mutation.ts runs: those of the layers whose code it changes. */
export default defineConfig({
  plugins: [
    {
      // The code is many times slower with all its mutants in it: what a test measures with a stopwatch says nothing here.
      name: 'no stopwatch in tests',
      transform: (code, id) => (id.endsWith('.test.ts') ? code.replaceAll('performance.now()', '0') : undefined),
    },
  ],
  test: {
    name: 'unit',
    include: ['test/unit/{locks,inspector,recipes}/**/*.test.ts'],
    environment: 'node',
    testTimeout: 20_000,
  },
});
