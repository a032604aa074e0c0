import { Op } from '../../src/zookeeper/wire/records.ts';
import { startTcpProxy } from '../support/tcpProxy.ts';
import type { Bench } from './bench.ts';

/**
 * The requests that a client sends, with their lengths, in Base64: what the bare socket plays. Pings and the end of the session are
 * left out.
 *
 * @param use does the work with the connect string that it gets
 */
export async function recordRequests(bench: Bench, use: (hosts: string) => Promise<unknown>): Promise<string[]> {
  const proxy = await startTcpProxy(bench.port);
  try {
    const requests: string[] = [];
    proxy.onRequest(({ xid, opcode, frame }) => {
      // Pings and the like have negative numbers.
      if (xid !== undefined && xid > 0 && opcode !== Op.closeSession) requests.push(frame.toString('base64'));
      return 'forward';
    });
    await use(proxy.connectString);
    return requests;
  } finally {
    await proxy.close();
  }
}
