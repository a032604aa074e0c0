import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { delimiter } from 'node:path';
import { createInterface } from 'node:readline';
import { findZooKeeper } from '../../scripts/zookeeper/locate.ts';

/** ZooKeeper's own command line, kept running, so that the start of a JVM is not part of what it is measured by. */
export class ZkCli {
  private readonly child: ChildProcess;
  private onLine: (line: string) => void = () => undefined;
  private count = 0;

  constructor(hosts: string) {
    const install = findZooKeeper(process.env);
    if (install === undefined) throw new Error('The benchmark needs ZooKeeper. Run npm test, which installs it.');
    const flags = ['-Djute.maxbuffer=67108864', '-Dorg.slf4j.simpleLogger.defaultLogLevel=off'];
    const classPath = install.classPath.join(delimiter);
    const args = [...flags, '-cp', classPath, 'org.apache.zookeeper.ZooKeeperMain', '-server', hosts];
    this.child = spawn(install.java, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    for (const input of [this.child.stdout!, this.child.stderr!]) {
      createInterface({ input }).on('line', line => this.onLine(line));
    }
  }

  /** `ls -R`. @returns how long it took, ms, and how many paths it printed */
  async list(root: string): Promise<{ ms: number; paths: number }> {
    // A command that prints something of its own when the one before it is done.
    const mark = `/mark-${++this.count}`;
    let paths = 0;
    const start = performance.now();
    await new Promise<void>((resolve, reject) => {
      this.child.once('exit', () => reject(new Error('zkCli has ended.')));
      this.onLine = line => {
        if (line.includes(`Node does not exist: ${mark}`)) resolve();
        else if (line.startsWith(root)) paths += 1;
      };
      this.child.stdin!.write(`ls -R ${root}\nls ${mark}\n`);
    });
    return { ms: performance.now() - start, paths };
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.stdin!.end('quit\n');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 3_000);
    await ended;
    clearTimeout(timer);
  }
}
