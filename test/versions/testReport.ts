/** The parts of vitest's JSON report that are used here. */
export interface TestReport {
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    /** Path of the file. */
    name: string;
    status: string;
    /** Why it could not be loaded; empty otherwise. */
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}
