import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { createInterface } from 'node:readline';

/** What the register holds for one lock. */
interface Cell {
  newest: bigint;
  value: number;
  accepted: number;
  refused: number;
}

/**
 * The store that a lock protects, outside ZooKeeper: one number per lock. It refuses a token that is older than the newest that it
 * has seen (Kleppmann 2016). One line per request: `read LOCK TOKEN` or `write LOCK TOKEN VALUE`; reply: the value, or `refused`.
 */
export class FencedRegister {
  private readonly cells = new Map<string, Cell>();
  private readonly server: Server;

  constructor() {
    this.server = createServer(socket => {
      socket.on('error', () => undefined);
      createInterface({ input: socket }).on('line', line => socket.write(`${this.answer(line)}\n`));
    });
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async start(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  close(): void {
    this.server.close();
  }

  /** What was written for a lock. */
  cell(lock: string): Readonly<Cell> {
    const cell = this.cells.get(lock) ?? { newest: -1n, value: 0, accepted: 0, refused: 0 };
    this.cells.set(lock, cell);
    return cell;
  }

  private answer(line: string): string {
    const [command, lock = '', token = '', value] = line.split(' ');
    const cell = this.cell(lock) as Cell;
    if (BigInt(token) < cell.newest) {
      cell.refused++;
      return 'refused';
    }
    cell.newest = BigInt(token);
    if (command === 'write') {
      cell.value = Number(value);
      cell.accepted++;
    }
    return String(cell.value);
  }
}

/** @returns the value, or `undefined` where the register refused the token */
export async function askRegister(port: number, request: string): Promise<number | undefined> {
  const socket = connect({ host: '127.0.0.1', port });
  socket.write(`${request}\n`);
  const [line] = (await once(createInterface({ input: socket }), 'line')) as [string];
  socket.destroy();
  return line === 'refused' ? undefined : Number(line);
}
