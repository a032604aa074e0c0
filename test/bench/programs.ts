import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findJava } from '../../scripts/zookeeper/locate.ts';
import { compiledClasses, curatorClassPath } from '../support/javaClasses.ts';
import { JsonLines } from '../support/jsonLines.ts';
import { python } from '../support/python.ts';
import { ZkCli } from '../support/zkCli.ts';

function here(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}

/** Each participant is a program of its own, so that none pays for another's garbage; started when first asked for. */
export class Programs {
  private readonly hosts: string;
  private readonly running = new Map<string, JsonLines>();
  private cli: ZkCli | undefined;

  constructor(hosts: string) {
    this.hosts = hosts;
  }

  get ours(): JsonLines {
    return this.once('ours', () => this.freshOurs());
  }

  /** One more program of ours, with nothing in its memory yet. The caller closes it. */
  freshOurs(): JsonLines {
    return new JsonLines('this project', process.execPath, ['--expose-gc', here('programs/ours.ts'), this.hosts]);
  }

  get bareSocket(): JsonLines {
    return this.once('bare socket', () => this.freshBareSocket());
  }

  /** One more bare socket, with nothing compiled yet. The caller closes it. */
  freshBareSocket(): JsonLines {
    const port = this.hosts.slice(this.hosts.lastIndexOf(':') + 1);
    return new JsonLines('bare socket', process.execPath, [here('programs/bareSocket.ts'), port]);
  }

  get curator(): JsonLines {
    return this.once('Curator', () => {
      const classPath = curatorClassPath();
      const java = findJava(process.env);
      if (java === undefined) throw new Error('The benchmark needs Java. Run npm test, which installs it.');
      const classes = compiledClasses(here('java'), 'bench', classPath);
      // A listing of 100,000 names is larger than the 1 MB that Curator's client accepts by default.
      const flags = ['-Xmx512m', '-XX:+UseSerialGC', '-Djute.maxbuffer=67108864'];
      return new JsonLines('Curator', java, [
        ...flags,
        '-cp',
        [classes, ...classPath].join(delimiter),
        'Bench',
        this.hosts,
      ]);
    });
  }

  get kazoo(): JsonLines {
    return this.once('kazoo', () => new JsonLines('kazoo', python(), [here('python/bench.py'), this.hosts]));
  }

  get zkCli(): ZkCli {
    this.cli ??= new ZkCli(this.hosts);
    return this.cli;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.running.values()].map(program => program.close()));
    await this.cli?.stop();
  }

  private once(name: string, start: () => JsonLines): JsonLines {
    const known = this.running.get(name);
    if (known !== undefined) return known;
    const program = start();
    this.running.set(name, program);
    return program;
  }
}
