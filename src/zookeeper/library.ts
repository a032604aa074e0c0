/**
 * The only use of `node-zookeeper-client` (1.1.3, pinned): its connection manager as a base class, its state names and
 * its handshake records. Everything else of it is unsafe as it stands (docs/faults.md, section 2) and is never used.
 */
import ConnectionManager from 'node-zookeeper-client/lib/ConnectionManager.js';
import jute from 'node-zookeeper-client/lib/jute/index.js';

export const LibraryConnection = ConnectionManager;
export const LibraryState = ConnectionManager.STATES;

/** Xids with a meaning of their own; every other reply answers a request in order. */
export const Xid = {
  notification: jute.XID_NOTIFICATION,
  ping: jute.XID_PING,
  auth: jute.XID_AUTHENTICATION,
  // The library has this constant too but forgets to export it.
  setWatches: -8,
  /** Requests begin at 1, so this one is free. */
  sasl: 0,
} as const;

export interface HandshakeReply {
  /** Negotiated, ms; 0 or less: the session is expired. */
  sessionTimeoutMs: number;
  sessionId: Buffer;
  password: Buffer;
}

/**
 * Requests a new session, or an existing one. Never accepts a read-only server: one without quorum is to refuse us (the
 * protocol's flag concerns admission only).
 *
 * @param sessionTimeoutMs requested
 * @param sessionId 8 bytes, zero for a new session
 * @returns the whole frame, with the trailing `readOnly` flag that the library's record lacks (servers 3.4+)
 */
export function encodeHandshake(
  lastZxid: Buffer,
  sessionTimeoutMs: number,
  sessionId: Buffer,
  password: Buffer,
): Buffer {
  const { ConnectRequest } = jute.protocol;
  const record = new ConnectRequest(jute.PROTOCOL_VERSION, lastZxid, sessionTimeoutMs, sessionId, password);
  const frame = Buffer.concat([new jute.Request(null, record).toBuffer(), Buffer.from([0])]);
  frame.writeInt32BE(frame.length - 4, 0);
  return frame;
}

/**
 * @param body the first frame of a connection, without its length
 * @returns `undefined` if this cannot be a handshake reply: the sender is no ZooKeeper server
 */
export function decodeHandshake(body: Buffer): HandshakeReply | undefined {
  // version 4, timeout 4, session 8, password length 4 + 16, and since 3.4 the read-only flag 1
  if (body.length !== 36 && body.length !== 37) return undefined;
  if (body.readInt32BE(0) !== jute.PROTOCOL_VERSION || body.readInt32BE(16) !== 16) return undefined;
  const record = new jute.protocol.ConnectResponse();
  record.deserialize(body, 0);
  return {
    sessionTimeoutMs: record.timeOut,
    sessionId: record.sessionId,
    password: record.passwd,
  };
}
