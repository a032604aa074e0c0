/**
 * An error that carries facts instead of prose. Its message is short and technical, for stack traces; the sentences that
 * people read are made from the facts in one table, `src/extension/words/errorText.ts`.
 */
export abstract class FactError extends Error {
  /** @param message the facts, the path first: `/orders timeoutMs=5000` */
  constructor(name: string, message: string, options?: ErrorOptions) {
    super(message, options);
    // Class names do not survive minifying.
    this.name = name;
  }
}

/** Makes an error without a stack, which costs more than the rest of it: for answers of which there may be thousands. */
export function withoutStack<T extends Error>(make: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
