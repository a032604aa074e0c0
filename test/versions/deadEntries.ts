import { limitsWithoutTest } from './limits.ts';
import type { TestReport } from './testReport.ts';

/**
 * @param report of a run of all files
 * @returns for people: the entries of the lists that no test fits
 */
export function deadEntries({ testResults }: TestReport): string[] {
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName }) => ({ file: name, name: fullName })),
  );
  return limitsWithoutTest(tests).map(({ file, name }) =>
    `No test fits this entry of test/versions: ${file} ${String(name ?? '')}`.trim(),
  );
}
