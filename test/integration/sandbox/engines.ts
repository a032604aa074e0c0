import { expect } from 'vitest';
import { fourLetterWord } from '../../../scripts/zookeeper/fourLetterWord.ts';
import { startSandbox } from '../../../src/sandbox/startSandbox.ts';
import { eventually } from '../../support/eventually.ts';
import { startTcpProxy } from '../../support/tcpProxy.ts';
import { startZooKeeper } from '../../support/zookeeperServer.ts';

/** Of sessions that are to expire, ms: the real server is left without them for so long. */
export const shortTimeoutMs = 2_000;

/** A server to test real clients on, and the two things that may happen to their sessions. */
export interface Engine {
  readonly port: number;
  /** For clients whose sessions are cut. */
  readonly connectString: string;
  /** For all others. */
  readonly directConnectString: string;
  /** Cuts the connection of the session, and maybe those of others; its client connects again. */
  disconnect(sessionId: bigint): void;
  /** Ends the session, whose time-out is `shortTimeoutMs`; its client connects again. */
  expire(sessionId: bigint): Promise<void>;
  stop(): Promise<void>;
}

const tickTime = 100;
const longestTimeoutMs = 60_000;

/** A real server: faults come from the network before it, for all of its clients. */
async function startRealEngine(): Promise<Engine> {
  const ensemble = await startZooKeeper({ tickTime, config: { maxSessionTimeout: longestTimeoutMs } });
  const port = ensemble.ports[0]!;
  const proxy = await startTcpProxy(port);
  return {
    port,
    connectString: proxy.connectString,
    directConnectString: ensemble.connectString,
    disconnect() {
      proxy.cut();
    },
    async expire(sessionId) {
      await proxy.setAccepting(false);
      proxy.cut();
      await eventually(async () => expect(await isAlive(port, sessionId)).toBe(false));
      await proxy.setAccepting(true);
    },
    async stop() {
      await proxy.close();
      await ensemble.stop();
    },
  };
}

async function startSandboxEngine(): Promise<Engine> {
  const sandbox = await startSandbox({ tickTimeMs: tickTime, maxSessionTimeoutMs: longestTimeoutMs });
  return {
    port: sandbox.port,
    connectString: sandbox.connectString,
    directConnectString: sandbox.connectString,
    disconnect: sessionId => {
      sandbox.disconnect(sessionId);
    },
    expire: sessionId => {
      sandbox.expire(sessionId);
      return Promise.resolve();
    },
    stop: () => sandbox.close(),
  };
}

/** What the sandbox must do as the real one does is played on both. */
export const engines: readonly (readonly [name: string, start: () => Promise<Engine>])[] = [
  ['a real server', startRealEngine],
  ['the sandbox', startSandboxEngine],
];

function hexOf(sessionId: bigint): string {
  return `0x${BigInt.asUintN(64, sessionId).toString(16)}`;
}

async function isAlive(port: number, sessionId: bigint): Promise<boolean> {
  const dump = await fourLetterWord('127.0.0.1', port, 'dump');
  const [sessions = ''] = dump.split('ephemeral nodes dump');
  return sessions.includes(hexOf(sessionId));
}

/** Waits until each of the sessions has a connection. */
export async function connected({ port }: Engine, ...sessionIds: bigint[]): Promise<void> {
  await eventually(async () => {
    const connections = await fourLetterWord('127.0.0.1', port, 'cons');
    for (const sessionId of sessionIds) expect(connections).toContain(`sid=${hexOf(sessionId)},`);
  }, 30_000);
}
