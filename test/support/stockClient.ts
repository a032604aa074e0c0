import { fileURLToPath } from 'node:url';
import { JsonLines } from './jsonLines.ts';

export interface StockStatus {
  /** `SYNC_CONNECTED`, `DISCONNECTED`, ... */
  state: string;
  /** Every state event so far. */
  events: string[];
  /** Exceptions that no caller could catch. */
  uncaught: string[];
  /** By name: `pending`, `ok`, or the text of the error. */
  results: Record<string, string>;
  servers: { host: string; port: string }[];
}

type StockAction = 'ephemeral' | 'remove' | 'removeVersion0' | 'exists';

/** The stock library under the same fault, to prove that a regression test can fail. */
export class StockClient {
  private readonly program: JsonLines;

  constructor(connectString: string, sessionTimeoutMs: number) {
    const script = fileURLToPath(new URL('stockProgram.ts', import.meta.url));
    this.program = new JsonLines('stock client', process.execPath, [script, connectString, String(sessionTimeoutMs)]);
  }

  async connect(): Promise<void> {
    await this.program.request('connect');
  }

  async status(): Promise<StockStatus> {
    return (await this.program.request('status')) as StockStatus;
  }

  /** Starts an operation; its result is found in the status under `name`. */
  async start(action: StockAction, path: string, name: string = action, watch = false): Promise<void> {
    await this.program.request(action, { path, name, watch });
  }

  async addDigest(credential: string): Promise<void> {
    await this.program.request('auth', { name: credential });
  }

  /** Adds a listener of `connected` that throws. */
  async throwOnConnected(): Promise<void> {
    await this.program.request('throwOnConnected');
  }

  async close(): Promise<void> {
    await this.program.request('close');
  }

  /** Ends its process: nothing is said to the server. */
  kill(): Promise<void> {
    return this.program.kill();
  }
}

/** Runs `run` with a stock client and ends its process afterwards. */
export async function withStock(
  connectString: string,
  sessionTimeoutMs: number,
  run: (stock: StockClient) => Promise<void>,
): Promise<void> {
  const stock = new StockClient(connectString, sessionTimeoutMs);
  try {
    await run(stock);
  } finally {
    await stock.kill();
  }
}
