/** What the tests play on: a ZooKeeper of this machine, or the one of `src/sandbox`. */
export type Engine = 'real' | 'sandbox';

/** Set by the project `sandbox` of vitest.config.ts; programs that a test starts inherit it. */
export const engineVariable = 'ZOOKEEPER_ENGINE';

/** @returns what the tests of this process play on */
export function engine(): Engine {
  return process.env[engineVariable] === 'sandbox' ? 'sandbox' : 'real';
}
