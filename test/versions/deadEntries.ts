import { limitsWithoutTest } from './limits.ts';

/** The parts of vitest's JSON report that are used here. */
interface NamedTests {
  testResults: { name: string; assertionResults: { fullName: string }[] }[];
}

/**
 * @param report of a run of all files
 * @returns for people: the entries of the lists that no test fits
 */
export function deadEntries({ testResults }: NamedTests): string[] {
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName }) => ({ file: name, name: fullName })),
  );
  return limitsWithoutTest(tests).map(({ file, name }) =>
    `No test fits this entry of test/versions: ${file} ${String(name ?? '')}`.trim(),
  );
}
