/** `play` in this variable turns the list round: only the listed tests are played, to see that each of them fails. */
export const listedTestsVariable = 'ZOOKEEPER_LISTED_TESTS';

/** Tests that some versions of the server cannot pass. */
export interface VersionLimit {
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

/** Everything that a supported server cannot do and a test needs. Whatever is not listed here passes on every version. */
export const versionLimits: readonly VersionLimit[] = [];

/** @returns whether `version` comes before `other`, both as `3.4.14`; what is left out is 0 */
export function isBefore(version: string, other: string): boolean {
  const [these, those] = [version, other].map(each => each.split('.').map(Number));
  for (let index = 0; index < 3; index++) {
    const difference = (these![index] ?? 0) - (those![index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/**
 * @param file path of the test file; what stands before `test/integration` does not matter
 * @param name full name of the test
 * @returns why this test cannot pass on this server, `undefined` if it can
 */
export function reasonToSkip(version: string, file: string, name: string): string | undefined {
  const within = file.replaceAll('\\', '/').replace(/^.*test\/integration\//, '');
  return versionLimits.find(limit => isOutside(limit, version) && within.startsWith(limit.file) && fits(limit, name))
    ?.reason;
}

function isOutside({ since, until }: VersionLimit, version: string): boolean {
  return (since !== undefined && isBefore(version, since)) || (until !== undefined && !isBefore(version, until));
}

function fits(limit: VersionLimit, name: string): boolean {
  return limit.name?.test(name) ?? true;
}
