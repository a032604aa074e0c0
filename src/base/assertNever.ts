/**
 * Marks the branch that a closed union can never reach; the compiler refuses it when a member was forgotten.
 *
 * @throws Error when it is reached all the same
 */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
