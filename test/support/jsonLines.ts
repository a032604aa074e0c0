import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

interface Reply {
  id?: number;
  ok?: unknown;
  error?: string;
  event?: string;
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/**
 * A helper program in another language that answers one JSON line per request line.
 *
 * Request: `{id, command, ...arguments}`; reply: `{id, ok}` or `{id, error}`; unasked: `{event, ...}`. It ends when its
 * standard input ends, so that none survives its test.
 */
export class JsonLines {
  private readonly child: ChildProcess;
  private readonly pending = new Map<number, Pending>();
  private readonly name: string;
  private nextId = 1;
  private stderr = '';
  private readonly ended: Promise<void>;

  constructor(name: string, command: string, args: readonly string[], env: Record<string, string> = {}) {
    this.name = name;
    this.child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...env } });
    createInterface({ input: this.child.stdout! }).on('line', line => this.read(line));
    this.child.stderr!.on('data', chunk => {
      this.stderr = (this.stderr + String(chunk)).slice(-4_000);
    });
    // Writing to a program that has just ended: `close` rejects the pending requests.
    this.child.stdin!.on('error', () => undefined);
    this.ended = once(this.child, 'close').then(
      () => this.fail('ended'),
      (error: unknown) => this.fail(String(error)),
    );
  }

  /** @throws Error with the program's own words when it refuses, or when it ends before it answers */
  request(command: string, args: Record<string, unknown> = {}): Promise<unknown> {
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      if (this.child.exitCode !== null) {
        reject(new Error(`${this.name} has ended: ${this.stderr}`));
        return;
      }
      this.pending.set(id, { resolve, reject });
      this.child.stdin!.write(`${JSON.stringify({ id, command, ...args })}\n`);
    });
  }

  /** Ends the program in order; kills it after `timeoutMs`. */
  async close(timeoutMs = 5_000): Promise<void> {
    this.child.stdin!.end();
    const timer = setTimeout(() => this.child.kill('SIGKILL'), timeoutMs);
    await this.ended;
    clearTimeout(timer);
  }

  /** Ends the program suddenly: its sessions run out without a close. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  /** Freezes it: its sessions stop their heartbeats. */
  pause(): void {
    this.child.kill('SIGSTOP');
  }

  resume(): void {
    this.child.kill('SIGCONT');
  }

  private read(line: string): void {
    let reply: Reply;
    try {
      reply = JSON.parse(line) as Reply;
    } catch {
      this.stderr += `unexpected output: ${line}\n`;
      return;
    }
    const waiting = reply.id === undefined ? undefined : this.pending.get(reply.id);
    if (waiting === undefined || reply.id === undefined) return;
    this.pending.delete(reply.id);
    if (reply.error === undefined) waiting.resolve(reply.ok);
    else waiting.reject(new Error(`${this.name}: ${reply.error}`));
  }

  private fail(why: string): void {
    for (const waiting of this.pending.values()) {
      waiting.reject(new Error(`${this.name} ${why} before it answered: ${this.stderr}`));
    }
    this.pending.clear();
  }
}
