import { inject } from 'vitest';
import { isBefore } from '../../versions/limits.ts';
import type { TcpProxy } from '../../support/tcpProxy.ts';

/** `create2`, and `create` before 3.5. */
const create = isBefore(inject('zooKeeperVersion'), '3.5') ? 1 : 15;

/** Operation codes of the wire protocol. */
export const opcode = { delete: 2, getData: 4, setData: 5, sync: 9, getChildren: 12, create, multiRead: 22 } as const;

/** What a fault has done so far. */
export interface Fault {
  happened: boolean;
}

/**
 * Lets the server carry out one request and loses its reply with the connection.
 *
 * @param nth which of the requests of that kind, from 1; without a kind: of all requests
 */
export function loseReply(proxy: TcpProxy, kind?: number, nth = 1): Fault {
  const fault: Fault = { happened: false };
  let count = 0;
  let lost: number | undefined;
  proxy.onRequest(request => {
    if (isRequest(request.xid) && (kind === undefined || request.opcode === kind) && ++count === nth)
      lost = request.xid;
    return 'forward';
  });
  proxy.onReply(({ xid }) => {
    if (fault.happened || lost === undefined || xid !== lost) return 'forward';
    fault.happened = true;
    return 'cut';
  });
  return fault;
}

/** Loses one request with the connection before the server sees it. Counts as `loseReply` does. */
export function loseRequest(proxy: TcpProxy, kind?: number, nth = 1): Fault {
  const fault: Fault = { happened: false };
  let count = 0;
  proxy.onRequest(request => {
    if (fault.happened || !isRequest(request.xid) || (kind !== undefined && request.opcode !== kind)) return 'forward';
    if (++count !== nth) return 'forward';
    fault.happened = true;
    return 'cut';
  });
  return fault;
}

function isRequest(xid: number | undefined): boolean {
  return xid !== undefined && xid > 0;
}

/** Takes the network away, as a pulled cable would: open connections break, new ones are refused. */
export async function unplug(proxy: TcpProxy): Promise<void> {
  await proxy.setAccepting(false);
  proxy.cut();
}
