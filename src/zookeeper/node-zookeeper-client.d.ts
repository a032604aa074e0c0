/** The parts of node-zookeeper-client 1.1.3 that library.ts relies on; test/unit/zookeeper/library.test.ts checks them. */
declare module 'node-zookeeper-client/lib/ConnectionManager.js' {
  import type { EventEmitter } from 'node:events';

  interface LibraryOptions {
    sessionTimeout: number;
    spinDelay: number;
    retries: number;
  }

  class ConnectionManager extends EventEmitter {
    static readonly STATES: {
      readonly DISCONNECTED: number;
      readonly CONNECTING: number;
      readonly CONNECTED: number;
      readonly CONNECTED_READ_ONLY: number;
      readonly CLOSING: number;
      readonly CLOSED: number;
      readonly SESSION_EXPIRED: number;
      readonly AUTHENTICATION_FAILED: number;
    };

    constructor(connectionString: string, options: LibraryOptions, stateListener: (state: number) => void);

    protected servers: { host: string; port: number }[];
    protected nextServerIndex: number;
    /** Negotiated, ms. */
    sessionTimeout: number;
    protected sessionId: Buffer;
    protected sessionPassword: Buffer;
    protected zxid: Buffer;
    protected pingTimeout: number;
    protected credentials: { scheme: string; auth: Buffer }[];

    connect(): void;
    close(): void;
    addAuthInfo(scheme: string, auth: Buffer): void;
    protected updateTimeout(sessionTimeout: number): void;
    protected setState(state: number): void;
    protected findNextServer(callback: (server: { host: string; port: number }) => void): void;
  }
  export default ConnectionManager;
}

declare module 'node-zookeeper-client/lib/jute/index.js' {
  interface Jute {
    PROTOCOL_VERSION: number;
    XID_NOTIFICATION: number;
    XID_PING: number;
    XID_AUTHENTICATION: number;
    Request: new (header: unknown, payload: unknown) => { toBuffer(): Buffer };
    protocol: {
      ConnectRequest: new (
        protocolVersion: number,
        lastZxidSeen: Buffer,
        timeOut: number,
        sessionId: Buffer,
        passwd: Buffer,
      ) => object;
      ConnectResponse: new () => {
        timeOut: number;
        sessionId: Buffer;
        passwd: Buffer;
        deserialize(buffer: Buffer, offset: number): number;
      };
    };
  }
  const jute: Jute;
  export default jute;
}
