import type { ConnectionOptions } from './connectionTypes.ts';
import type { ServerAddress } from './connectString.ts';

/** What a server says of itself; `zxid` is the last transaction that it knows. */
export type ServerStatus = { mode: string; zxid: bigint } | 'not serving';

const largestReport = 4_096;

/**
 * Asks a server for its `srvr` report, the only four-letter word that is allowed by default. Fixed question, limited
 * answer (docs/faults.md, 4.13).
 *
 * @param timeoutMs for the whole exchange
 * @returns `undefined` if there is no such report
 */
export function askStatus(
  server: ServerAddress,
  { tls, openSocket }: Pick<ConnectionOptions, 'tls' | 'openSocket'>,
  timeoutMs: number,
): Promise<ServerStatus | undefined> {
  return new Promise(resolve => {
    const socket = openSocket(server, tls);
    let report = '';
    const end = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(parseStatus(report));
    };
    const timer = setTimeout(end, timeoutMs);
    socket.on(tls === undefined ? 'connect' : 'secureConnect', () => socket.write('srvr'));
    socket.on('data', (chunk: Buffer) => {
      report += chunk.toString('latin1');
      if (report.length > largestReport) end();
    });
    socket.on('error', end);
    socket.on('close', end);
  });
}

/** @returns `undefined` if `report` is none of a ZooKeeper server, or says too little */
export function parseStatus(report: string): ServerStatus | undefined {
  if (report.startsWith('This ZooKeeper instance is not currently serving requests')) return 'not serving';
  const mode = /^Mode: ([\w-]{1,20})$/m.exec(report)?.[1];
  const zxid = /^Zxid: 0x([0-9a-f]{1,16})$/m.exec(report)?.[1];
  return mode === undefined || zxid === undefined ? undefined : { mode, zxid: BigInt.asIntN(64, BigInt(`0x${zxid}`)) };
}
