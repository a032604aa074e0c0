import { createServer } from 'node:net';

/** Below the range that systems use for outgoing connections: a port stays free between a stop and a restart. */
const lowest = 12_000;
const blockSize = 125;
const blocks = 40;
const parts = 4;

// A port is free until it is used, and programs that start at the same time would choose the same. Test files that run side by side have
// parts of their own (vitest numbers them). Within a part neighbouring process numbers have different blocks, and a program goes through
// its block in turn.
const part = Number(process.env['VITEST_POOL_ID'] ?? 0) % parts;
const block = lowest + (part * blocks + (process.pid % blocks)) * blockSize;
let next = Math.floor(Math.random() * blockSize);

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/** @returns `count` different loopback ports that are free now, and that this program did not get in its last 125 tries */
export async function freePorts(count: number): Promise<number[]> {
  const found: number[] = [];
  for (let tries = 0; found.length < count; tries++) {
    if (tries === blockSize) throw new Error(`No ${count} free loopback ports from ${block} on.`);
    const port = block + (next++ % blockSize);
    if (await isFree(port)) found.push(port);
  }
  return found;
}
