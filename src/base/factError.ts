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
