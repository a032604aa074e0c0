import { inject } from 'vitest';
import { isBefore } from '../../versions/limits.ts';
import type { FrameFate, ReplyFrame, RequestFrame, TcpProxy } from '../../support/tcpProxy.ts';

/** `create2`, and `create` before 3.5. */
const create = isBefore(inject('zooKeeperVersion'), '3.5') ? 1 : 15;

/** Operation codes of the wire protocol. */
export const opcode = { delete: 2, getData: 4, setData: 5, sync: 9, getChildren: 12, create, multiRead: 22 } as const;

/** What a waiter that is woken lists its queue with: a bulk read, and before 3.6 single ones. */
export const listingOpcode = isBefore(inject('zooKeeperVersion'), '3.6') ? opcode.getChildren : opcode.multiRead;

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
  let count = 0;
  const isMeant = (request: RequestFrame): boolean =>
    isRequest(request.xid) && (kind === undefined || request.opcode === kind) && ++count === nth;
  return harmReply(proxy, isMeant, () => 'cut');
}

/** Lets the server create the first ephemeral node, and replaces its reply by that error. */
export function answerCreateWith(proxy: TcpProxy, error: number): Fault {
  return harmReply(proxy, isEphemeralCreate, ({ frame }) => {
    const header = Buffer.from(frame.subarray(0, 20));
    header.writeInt32BE(16, 0);
    header.writeInt32BE(error, 16);
    return header;
  });
}

/** Decides about the reply to the first request that is meant. */
function harmReply(
  proxy: TcpProxy,
  isMeant: (request: RequestFrame) => boolean,
  fate: (reply: ReplyFrame) => FrameFate,
): Fault {
  const fault: Fault = { happened: false };
  let meant: number | undefined;
  proxy.onRequest(request => {
    if (meant === undefined && isMeant(request)) meant = request.xid;
    return 'forward';
  });
  proxy.onReply(reply => {
    if (fault.happened || meant === undefined || reply.xid !== meant) return 'forward';
    fault.happened = true;
    return fate(reply);
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

/** The mode is the last word of a create request; its lowest bit says ephemeral, the next one sequential. */
function isEphemeralCreate({ opcode: code, frame }: RequestFrame): boolean {
  return code === opcode.create && [1, 3].includes(frame.readInt32BE(frame.length - 4));
}

function isRequest(xid: number | undefined): boolean {
  return xid !== undefined && xid > 0;
}

/** Takes the network away, as a pulled cable would: open connections break, new ones are refused. */
export async function unplug(proxy: TcpProxy): Promise<void> {
  await proxy.setAccepting(false);
  proxy.cut();
}
