import type { OwnerFacts } from '../inspector/owners/ownerFacts.ts';
import { startSandbox } from '../sandbox/startSandbox.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { connect, type ConnectOptions } from '../zookeeper/connect.ts';
import { parseConnectString } from '../zookeeper/connectString.ts';
import { openSocket, type OpenSocket } from '../zookeeper/openSocket.ts';

/** Puts the link of a session between the client and its sockets. */
export type Over = (open: OpenSocket) => OpenSocket;

/** Where a scenario is played. */
export interface ScenarioCluster {
  /** Of the connect string; '' for none. */
  readonly chroot: string;
  /**
   * Opens a session.
   *
   * @param over left out for the session that only reads
   * @throws what `connect` throws
   */
  connect(over: Over | undefined, signal: AbortSignal): Promise<ZooKeeperClient>;
  /** Ends a session at once, as if its client had been silent for too long; absent where only its time-out does that. */
  readonly expire?: (sessionId: bigint) => void;
  /** Asks the servers who is behind the sessions; absent where none can be asked. */
  readonly owners?: (reader: ZooKeeperClient, signal: AbortSignal) => Promise<OwnerFacts>;
}

/** Session time-out that a scenario requests, ms: the servers raise it to their least, which is 4 s unless they are set otherwise. */
const sessionTimeoutMs = 4_000;

/** How sessions of a cluster are opened; its servers, log-in and TLS are with who passes it in. */
export type OpenScenarioSession = (
  options: Pick<ConnectOptions, 'openSocket' | 'sessionTimeoutMs' | 'signal'>,
) => Promise<ZooKeeperClient>;

/**
 * A cluster of real servers, or any that is reached by a connect string.
 *
 * @param owners how its servers are asked, with the TLS that `open` has
 * @throws ConnectStringError
 */
export function clusterAt(
  connectString: string,
  open: OpenScenarioSession,
  owners: NonNullable<ScenarioCluster['owners']>,
): ScenarioCluster {
  const { chroot } = parseConnectString(connectString);
  return {
    chroot,
    connect: (over, signal) =>
      open({ signal, sessionTimeoutMs, ...(over === undefined ? {} : { openSocket: over(openSocket) }) }),
    owners,
  };
}

/** Plays on a sandbox of its own, which ends with it. @throws SandboxPortError, and what `play` throws */
export async function onSandbox<T>(play: (cluster: ScenarioCluster) => Promise<T>): Promise<T> {
  const sandbox = await startSandbox();
  try {
    return await play({
      chroot: '',
      connect: (over, signal) =>
        connect(sandbox.connectString, {
          signal,
          sessionTimeoutMs,
          openSocket: over === undefined ? sandbox.openSocket : over(sandbox.openSocket),
        }),
      expire: sessionId => sandbox.expire(sessionId),
    });
  } finally {
    await sandbox.close();
  }
}
