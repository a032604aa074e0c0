import { seededRandom } from '../support/seededRandom.ts';
import { LogWriter } from '../support/logWriter.ts';

/** Logs in a folder. */
const logs = 5;
const lockPaths = 20;
const directories = 100;
/** Contenders of all locks at a time. */
const contenders = 50;
const data = 'x'.repeat(100);

/** A service and its locks: of the transactions 2 % create and delete the nodes of locks, the others are those of ordinary nodes. */
class Service {
  private readonly random = seededRandom(1);
  private readonly writer: LogWriter;
  private readonly session: bigint;
  private readonly nodes: { path: string; version: number }[] = [];
  private readonly queued: string[] = [];
  private count = 0;

  constructor(writer: LogWriter) {
    this.writer = writer;
    this.session = writer.createSession();
    for (const path of ['/app', '/locks']) writer.create(this.session, path);
    for (let each = 0; each < directories; each++) writer.create(this.session, `/app/d${each}`);
    for (let each = 0; each < lockPaths; each++) writer.create(this.session, `/locks/l${each}`);
  }

  step(): void {
    this.count++;
    const roll = this.random.below(100);
    if (roll < 2) this.lock();
    else if (roll < 72 && this.nodes.length > 0) this.change();
    else if (roll < 86 || this.nodes.length < 1_000) this.create();
    else this.delete();
  }

  private lock(): void {
    const { writer, session, queued, random } = this;
    const first = queued.length < contenders ? undefined : queued.shift();
    if (first !== undefined) {
      writer.delete(session, first);
      return;
    }
    const id = random
      .bytes(16)
      .toString('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    const path = `/locks/l${random.below(lockPaths)}/_c_${id}-lock-`;
    queued.push(writer.create(session, path, { ephemeral: true, sequential: true, data: '10.1.2.3' }));
  }

  private change(): void {
    const node = this.random.pick(this.nodes);
    this.writer.setData(this.session, node.path, data, ++node.version);
  }

  private create(): void {
    const path = `/app/d${this.random.below(directories)}/node-${this.count}`;
    this.writer.create(this.session, path, { data });
    this.nodes.push({ path, version: 0 });
  }

  private delete(): void {
    const [node] = this.nodes.splice(this.random.below(this.nodes.length), 1, ...this.nodes.splice(-1));
    if (node !== undefined) this.writer.delete(this.session, node.path);
  }
}

/** Writes logs with so many transactions. @returns their paths */
export async function writeReplayLogs(folder: string, transactions: number): Promise<string[]> {
  const writer = new LogWriter();
  const service = new Service(writer);
  const paths: string[] = [];
  for (let log = 1; log <= logs; log++) {
    while (writer.zxid <= BigInt(Math.ceil((transactions * log) / logs))) service.step();
    paths.push(await writer.save(folder));
  }
  return paths;
}
