import { afterAll, beforeAll, expect } from 'vitest';
import { fourLetterWord } from '../../../scripts/zookeeper/fourLetterWord.ts';
import { startSandbox } from '../../../src/sandbox/startSandbox.ts';
import { eventually } from '../../support/eventually.ts';
import { startObserver, type Observer } from '../../support/observer.ts';
import { sandboxSettings, startRealServer } from '../../support/testServer.ts';
import { startTcpProxy } from '../../support/tcpProxy.ts';

/**
 * Of sessions that are to expire, ms: the real server is left without them for so long. Programs on a busy machine pause for
 * seconds, and their sessions must outlive that.
 */
export const shortTimeoutMs = 6_000;

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

/** A real server: faults come from the network before it, for all of its clients. */
async function startRealEngine(): Promise<Engine> {
  const server = await startRealServer({});
  const { port } = server;
  const proxy = await startTcpProxy(port);
  return {
    port,
    connectString: proxy.connectString,
    directConnectString: server.connectString,
    disconnect() {
      proxy.cut();
    },
    async expire(sessionId) {
      await proxy.setAccepting(false);
      proxy.cut();
      await eventually(async () => expect(await isAlive(port, sessionId)).toBe(false), 30_000);
      await proxy.setAccepting(true);
    },
    async stop() {
      await proxy.close();
      await server.stop();
    },
  };
}

async function startSandboxEngine(): Promise<Engine> {
  const sandbox = await startSandbox(sandboxSettings);
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

/**
 * Starts an engine for the calling `describe`, and an observer beside it.
 *
 * @returns an object whose fields are there while tests and hooks run
 */
export function useEngine(start: () => Promise<Engine>): { readonly engine: Engine; readonly observer: Observer } {
  let engine: Engine | undefined;
  let observer: Observer | undefined;
  beforeAll(async () => {
    engine = await start();
    observer = await startObserver(engine.directConnectString);
  });
  afterAll(async () => {
    await observer?.stop();
    await engine?.stop();
  });
  return {
    get engine() {
      return engine!;
    },
    get observer() {
      return observer!;
    },
  };
}

function hexOf(sessionId: bigint): string {
  return `0x${BigInt.asUintN(64, sessionId).toString(16)}`;
}

async function isAlive(port: number, sessionId: bigint): Promise<boolean> {
  const dump = await fourLetterWord('127.0.0.1', port, 'dump');
  const [sessions = ''] = dump.split('ephemeral nodes dump');
  return sessions.includes(hexOf(sessionId));
}

/** Cuts the connections of the sessions, and maybe those of others. @returns waits until each has another connection */
export async function cutOff(engine: Engine, ...sessionIds: bigint[]): Promise<() => Promise<void>> {
  const before = await eventually(() => clientPorts(engine.port, sessionIds), 30_000);
  for (const sessionId of sessionIds) engine.disconnect(sessionId);
  return async () => {
    await eventually(async () => {
      const now = await clientPorts(engine.port, sessionIds);
      // A server may list the old connection for a while.
      for (const [index, ports] of now.entries()) {
        expect(ports.filter(each => !before[index]!.includes(each))).not.toEqual([]);
      }
    }, 30_000);
  };
}

/** @returns the ports from which each session is connected @throws Error when one of them is not */
async function clientPorts(port: number, sessionIds: readonly bigint[]): Promise<string[][]> {
  const lines = (await fourLetterWord('127.0.0.1', port, 'cons')).split('\n');
  return sessionIds.map(sessionId => {
    const own = lines.filter(line => line.includes(`sid=${hexOf(sessionId)},`));
    const ports = own.map(line => /:(\d+)\[/.exec(line)?.[1] ?? '');
    expect(ports).not.toEqual([]);
    return ports;
  });
}
