import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { delimiter } from 'node:path';
import { createInterface } from 'node:readline';
import { findZooKeeper } from '../../scripts/zookeeper/locate.ts';

/** ZooKeeper's own command line, kept running: the start of a JVM takes a second. */
export class ZkCli {
  /** What came that no command asked for: events. */
  readonly unasked: string[] = [];
  private readonly child: ChildProcess;
  private onLine: (line: string) => void = line => void this.unasked.push(line);
  private fail: (error: Error) => void = () => undefined;

  constructor(hosts: string, { sessionTimeoutMs = 30_000 } = {}) {
    const install = findZooKeeper(process.env);
    if (install === undefined) throw new Error('This needs ZooKeeper. Run npm test, which installs it.');
    const flags = ['-Djute.maxbuffer=67108864', '-Dorg.slf4j.simpleLogger.defaultLogLevel=off'];
    const classPath = install.classPath.join(delimiter);
    const args = [...flags, '-cp', classPath, 'org.apache.zookeeper.ZooKeeperMain', '-server', hosts];
    args.push('-timeout', String(sessionTimeoutMs));
    // What it prints as an error and what it prints as a result come in order through one pipe alone.
    const joined = ['-c', 'exec "$0" "$@" 2>&1', install.java, ...args];
    this.child = spawn('sh', joined, { stdio: ['pipe', 'pipe', 'ignore'] });
    this.child.once('exit', () => this.fail(new Error('zkCli has ended.')));
    createInterface({ input: this.child.stdout! }).on('line', line => this.onLine(line));
  }

  /** Runs one command. @returns the lines that came until it was done */
  async run(command: string): Promise<string[]> {
    // Printed where other results are printed, when the command is done.
    const mark = 'printwatches is on';
    const lines: string[] = [];
    await new Promise<void>((resolve, reject) => {
      this.fail = reject;
      this.onLine = line => {
        if (line.includes(mark)) resolve();
        else lines.push(line);
      };
      this.child.stdin!.write(`${command}\nprintwatches\n`);
    });
    this.onLine = line => void this.unasked.push(line);
    return lines;
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.stdin!.end('quit\n');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 3_000);
    await ended;
    clearTimeout(timer);
  }
}
