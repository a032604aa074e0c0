/** Tests that some servers cannot pass. */
export interface TestLimit {
  /** Begins the path of the test file, from `test/integration` on. */
  file: string;
  /** Is found in the full name of the test: the titles of its `describe` blocks and its own. Default: every test. */
  name?: RegExp;
  /** The first version that passes. */
  since?: string;
  /** The first version that does not pass any more. */
  until?: string;
  /** Why, for people: a whole sentence. */
  reason: string;
}

/** @returns one entry for each of the tests, which have the rest in common */
export function each(
  tests: readonly (readonly [file: string, name?: RegExp])[],
  limit: Pick<TestLimit, 'since' | 'until' | 'reason'>,
): TestLimit[] {
  return tests.map(([file, name]) => ({ file, ...(name === undefined ? {} : { name }), ...limit }));
}
