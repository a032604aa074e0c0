import { createServer } from 'node:net';

/** Below the range that systems use for outgoing connections: a port stays free between a stop and a restart. */
const lowest = 12_000;
const highest = 32_000;

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/** @returns `count` different loopback ports that are free now */
export async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  for (let attempt = 0; found.size < count; attempt++) {
    if (attempt > 1000 + count) throw new Error('No free loopback port found in 1,000 attempts.');
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    if (!found.has(port) && (await isFree(port))) found.add(port);
  }
  return [...found];
}
