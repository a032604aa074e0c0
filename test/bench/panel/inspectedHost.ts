import { eventually } from '../../support/eventually.ts';

/** Where Node listens when a program is asked for its inspector. */
const inspectorUrl = 'http://127.0.0.1:9229/json/list';

/** How late the program's own timers come: what a user's action waits for, ms. */
export interface LoopDelays {
  longest: number;
  /** How many were longer than 50 ms, and their sum. */
  long: number;
  longSum: number;
  /** Processor time of the thread in the longest: what it would take on a core with no other work. */
  longestOwn: number;
}

interface Answer {
  id?: number;
  error?: { message: string };
  result?: { result?: { value?: unknown }; profile?: unknown; exceptionDetails?: unknown };
}

/** Runs in the extension host: a timer of 1 ms notes how late it comes. */
const probe = `(() => {
  let last = performance.now();
  let own = process.threadCpuUsage();
  const seen = { longest: 0, long: 0, longSum: 0, longestOwn: 0 };
  const timer = setInterval(() => {
    const now = performance.now();
    const delay = now - last - 1;
    const used = process.threadCpuUsage(own);
    const ownMs = (used.user + used.system) / 1000;
    own = process.threadCpuUsage();
    last = now;
    seen.longest = Math.max(seen.longest, delay);
    seen.longestOwn = Math.max(seen.longestOwn, ownMs);
    if (delay > 50) { seen.long++; seen.longSum += delay; }
  }, 1);
  globalThis.__benchLoop = () => { clearInterval(timer); return JSON.stringify(seen); };
})()`;

/** The extension host with its inspector open. */
export class InspectedHost {
  private readonly socket: WebSocket;
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private lastId = 0;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const answer = JSON.parse(String(data)) as Answer;
      if (answer.id !== undefined) this.waiting.get(answer.id)?.(answer);
    });
  }

  /** @throws Error if another program has the inspector's port */
  static async open(pid: number): Promise<InspectedHost> {
    process.kill(pid, 'SIGUSR1');
    const url = await eventually(async () => {
      const [target] = (await (await fetch(inspectorUrl)).json()) as { webSocketDebuggerUrl: string }[];
      if (target === undefined) throw new Error('The extension host has no inspector yet.');
      return target.webSocketDebuggerUrl;
    });
    const socket = new WebSocket(url);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve);
      socket.addEventListener('error', reject);
    });
    const host = new InspectedHost(socket);
    if ((await host.evaluate('process.pid')) !== pid) throw new Error('The inspector is that of another program.');
    return host;
  }

  async watchLoop(): Promise<void> {
    await this.evaluate(probe);
  }

  /** What was seen since `watchLoop`. */
  async loopDelays(): Promise<LoopDelays> {
    return JSON.parse(String(await this.evaluate('globalThis.__benchLoop()'))) as LoopDelays;
  }

  async startProfile(): Promise<void> {
    await this.ask('Profiler.enable');
    await this.ask('Profiler.start');
  }

  /** @returns a profile as development tools open it */
  async stopProfile(): Promise<unknown> {
    return (await this.ask('Profiler.stop')).result?.profile;
  }

  /** Frees what is not in use any more; V8 does so by itself only when the memory is needed. */
  async collectGarbage(): Promise<void> {
    await this.ask('HeapProfiler.enable');
    await this.ask('HeapProfiler.collectGarbage');
    await this.ask('HeapProfiler.disable');
  }

  close(): void {
    this.socket.close();
  }

  private async evaluate(expression: string): Promise<unknown> {
    const { result } = await this.ask('Runtime.evaluate', { expression, returnByValue: true });
    if (result?.exceptionDetails !== undefined) throw new Error(JSON.stringify(result.exceptionDetails));
    return result?.result?.value;
  }

  private async ask(method: string, params: object = {}): Promise<Answer> {
    const id = ++this.lastId;
    const answered = new Promise<Answer>(resolve => this.waiting.set(id, resolve));
    this.socket.send(JSON.stringify({ id, method, params }));
    const answer = await answered;
    this.waiting.delete(id);
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
    return answer;
  }
}
