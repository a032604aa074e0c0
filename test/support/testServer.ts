import { startSandboxServer, type SandboxOptions } from '../../src/sandbox/startSandbox.ts';
import { engine } from './engine.ts';
import { setSequence } from './sequenceCounter.ts';
import { startZooKeeper } from './zookeeperServer.ts';

export interface TestServerOptions {
  /** ms; session time-outs are rounded up to it. Default 100: a session of 300 ms is possible. */
  tickTimeMs?: number;
  /** How often empty containers are removed, ms. Default: as on a server as it comes, once a minute. */
  containerCheckMs?: number;
  /** Largest request (`jute.maxbuffer`), bytes. */
  maxFrameBytes?: number;
  /** Lets TTL nodes be made, as a sandbox always does. Default: as on a server as it comes, no. */
  makesTtlNodes?: boolean;
}

/** A server deletes empty containers once a minute, which may fall between any two steps of a test: these wait a day. */
export const sharedServerOptions = { containerCheckMs: 86_400_000 } as const;

/** A lone server of whatever the tests play on. */
export interface TestServer {
  readonly port: number;
  readonly connectString: string;
  /** Ends it suddenly and starts it again on the same port and data; `undefined` where the data do not outlive it. */
  readonly restart: (() => Promise<void>) | undefined;
  /** Ends it suddenly and starts it again on the same port without its data, as a new cluster. */
  wipe(): Promise<void>;
  /** Sets the number that the next sequential child of each of these nodes gets; it may be started again for that. */
  setSequence(paths: readonly string[], next: number): Promise<void>;
  /** Freezes it: connections stay open and nothing answers. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

/** Starts a ZooKeeper of this machine. */
export async function startRealServer(options: TestServerOptions): Promise<TestServer> {
  const { tickTimeMs, containerCheckMs, maxFrameBytes, makesTtlNodes = false } = options;
  const ensemble = await startZooKeeper({
    ...(tickTimeMs === undefined ? {} : { tickTime: tickTimeMs }),
    systemProperties: {
      ...(containerCheckMs === undefined ? {} : { 'znode.container.checkIntervalMs': String(containerCheckMs) }),
      ...(maxFrameBytes === undefined ? {} : { 'jute.maxbuffer': String(maxFrameBytes) }),
      ...(makesTtlNodes ? { 'zookeeper.extendedTypesEnabled': 'true' } : {}),
    },
  });
  const [server] = ensemble.servers;
  return {
    port: server!.port,
    connectString: ensemble.connectString,
    restart: () => ensemble.restart(),
    wipe: async () => {
      await server!.kill();
      await server!.wipe();
      await server!.restart();
    },
    setSequence: async (paths, next) => {
      await server!.kill();
      for (const path of paths) setSequence(server!, path, next);
      await ensemble.launch();
    },
    pause: () => ensemble.pause(),
    resume: () => ensemble.resume(),
    stop: () => ensemble.stop(),
  };
}

/** As the real servers of the tests are set up: many ticks to a session, since loaded machines pause clients for seconds. */
export const sandboxSettings = {
  tickTimeMs: 100,
  maxSessionTimeoutMs: 60_000,
  containerCheckMs: 60_000,
} as const satisfies SandboxOptions;

/** Starts a sandbox in this process. */
export async function startSandboxed(options: TestServerOptions): Promise<TestServer> {
  let { sandbox, server } = await startSandboxServer({ ...sandboxSettings, ...options });
  const { port, connectString } = sandbox;
  return {
    port,
    connectString,
    restart: undefined,
    wipe: async () => {
      await sandbox.close();
      ({ sandbox, server } = await startSandboxServer({ ...sandboxSettings, ...options, port }));
    },
    setSequence: (paths, next) => {
      for (const path of paths) server.tree.get(path)!.childrenCreated = next;
      return Promise.resolve();
    },
    pause: () => sandbox.pause(),
    resume: () => sandbox.resume(),
    stop: () => sandbox.close(),
  };
}

/** Starts a lone server, on what the tests of this process play on. */
export function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  return engine() === 'sandbox' ? startSandboxed(options) : startRealServer(options);
}
