import { fileURLToPath } from 'node:url';
import { connect } from '../../src/zookeeper/connect.ts';
import { JsonLines } from '../support/jsonLines.ts';
import { Fixtures } from './fixtures.ts';
import { Programs } from './programs.ts';

/** A sandbox in a program of its own, with what rows need to work on it. */
export class SandboxServer {
  /** How long `startSandbox` took. */
  readonly startMs: number;
  readonly connectString: string;
  private readonly program: JsonLines;

  private constructor(program: JsonLines, { ms, connectString }: { ms: number; connectString: string }) {
    this.program = program;
    this.startMs = ms;
    this.connectString = connectString;
  }

  static async start(): Promise<SandboxServer> {
    const script = fileURLToPath(new URL('programs/sandbox.ts', import.meta.url));
    const program = new JsonLines('sandbox', process.execPath, ['--expose-gc', script]);
    return new SandboxServer(program, (await program.request('start')) as { ms: number; connectString: string });
  }

  /** @returns heap and buffers in use, without garbage */
  async bytes(): Promise<number> {
    return ((await this.program.request('memory')) as { bytes: number }).bytes;
  }

  /** @returns processor time since its start, and the time by its own clock */
  async processor(): Promise<{ cpuMs: number; nowMs: number }> {
    return (await this.program.request('processor')) as { cpuMs: number; nowMs: number };
  }

  /** Lets participants and fixtures work on it. */
  async use(work: (programs: Programs, fixtures: Fixtures) => Promise<void>): Promise<void> {
    const programs = new Programs(this.connectString);
    const client = await connect(this.connectString, { sessionTimeoutMs: 120_000 });
    try {
      await work(programs, new Fixtures(client));
    } finally {
      await programs.stop();
      await client.close();
    }
  }

  async stop(): Promise<void> {
    await this.program.close();
  }
}
