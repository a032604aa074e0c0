/** Where the core writes what it does. Messages never hold credentials, session passwords or node data. */
export interface Logger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

const silent = (): void => undefined;

/** The default: logs nothing. */
export const nullLogger: Logger = { debug: silent, info: silent, warn: silent, error: silent };
