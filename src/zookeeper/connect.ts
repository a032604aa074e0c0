import { monotonicNow } from '../base/deadline.ts';
import { nullLogger, type Logger } from '../base/logger.ts';
import { unlessAborted } from '../base/unlessAborted.ts';
import type { FailureCause, ServerFailure } from './connectFailure.ts';
import type { ZooKeeperClient } from './client.ts';
import type { ConnectionOptions } from './hardenedConnection.ts';
import { parseConnectString, type ServerAddress } from './connectString.ts';
import { AuthenticationFailedError, CancelledError, ConnectError } from './errors.ts';
import { type OpenSocket, openSocket, prepareTls, type TlsContext, type TlsOptions } from './openSocket.ts';
import { ZooKeeperSession } from './zooKeeperSession.ts';

export interface ConnectOptions {
  /** Requested; the server may change it. Default 30,000 ms. */
  sessionTimeoutMs?: number;
  /** For all servers together. Default 10,000 ms. */
  connectTimeoutMs?: number;
  signal?: AbortSignal;
  logger?: Logger;
  auth?: { scheme: string; credential: string }[];
  tls?: TlsOptions;
  /** Replies above this are refused one by one while the connection goes on, bytes. Default 64 MB. */
  replyLimitBytes?: number;
  /** For connections inside this process. Default: the network. */
  openSocket?: OpenSocket;
}

const defaultReplyLimit = 64 * 1024 * 1024;

/**
 * Opens a session: the servers are tried in random order, until one attaches us. Those that do not serve yet, or refuse, are tried
 * again until the time is over; when none is left that may serve us soon, the attempt ends at once.
 *
 * @param connectString `host:port,host:port/chroot`; IPv6 hosts in brackets
 * @throws ConnectStringError, ConnectError (the latest cause of each server), AuthenticationFailedError, CancelledError
 */
export async function connect(connectString: string, options: ConnectOptions = {}): Promise<ZooKeeperClient> {
  const { servers, chroot } = parseConnectString(connectString);
  const { connectTimeoutMs = 10_000, signal } = options;
  if (signal?.aborted === true) throw new CancelledError('Connecting');
  return attach(chroot, connectionOptions(servers, options, connectTimeoutMs), connectTimeoutMs, signal);
}

/**
 * The inner part of `connect`, for a parsed connect string and with every dependency passed in.
 *
 * @throws as `connect`
 */
export async function attach(
  chroot: string,
  options: ConnectionOptions,
  connectTimeoutMs: number,
  signal?: AbortSignal,
): Promise<ZooKeeperClient> {
  const { servers, clock } = options;
  const begunAt = clock();
  const latest = new Map<string, ServerFailure>(
    servers.map(server => [nameOf(server), { ...server, failure: 'timeout', detail: 'no answer' }]),
  );
  const open = new Set(latest.keys());
  const attached = Promise.withResolvers<undefined>();
  const giveUp = (): void => attached.reject(new ConnectError([...latest.values()], clock() - begunAt));
  const session = new ZooKeeperSession(chroot, options, {
    attached: () => attached.resolve(undefined),
    failed: failure => {
      const name = nameOf(failure);
      latest.set(name, failure);
      if (mayPass(failure)) open.add(name);
      else open.delete(name);
      if (open.size === 0) giveUp();
    },
    ended: why => attached.reject(why),
  });
  const timer = setTimeout(giveUp, connectTimeoutMs);
  session.connect();
  try {
    await unlessAborted(attached.promise, signal, () => new CancelledError('Connecting'));
    return session;
  } catch (error) {
    session.abandon();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function nameOf({ host, port }: ServerAddress): string {
  return `${host}:${port}`;
}

/** Whether the server may serve us a moment later: it starts, or its ensemble elects a leader. */
function mayPass(cause: FailureCause): boolean {
  if (cause.failure === 'closed') return cause.reason === 'not-serving' || cause.reason === 'hung-up';
  return cause.failure === 'refused';
}

function connectionOptions(
  servers: readonly ServerAddress[],
  options: ConnectOptions,
  connectTimeoutMs: number,
): ConnectionOptions {
  return {
    servers: shuffled(servers),
    sessionTimeoutMs: options.sessionTimeoutMs ?? 30_000,
    handshakeTimeoutMs: connectTimeoutMs / servers.length,
    auth: checkedCredentials(options.auth ?? []),
    tls: tlsContext(servers, options.tls),
    openSocket: options.openSocket ?? openSocket,
    clock: monotonicNow,
    logger: options.logger ?? nullLogger,
    replyLimit: options.replyLimitBytes ?? defaultReplyLimit,
  };
}

/** Certificates that cannot be read fail every server alike, before any connection is opened. */
function tlsContext(servers: readonly ServerAddress[], tls: TlsOptions | undefined): TlsContext | undefined {
  if (tls === undefined) return undefined;
  try {
    return prepareTls(tls);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const detail = `certificate, key or passphrase cannot be used (${why})`;
    throw new ConnectError(
      servers.map(server => ({ ...server, failure: 'tls', reason: 'own-files', detail }) as const),
      0,
    );
  }
}

function checkedCredentials(auth: NonNullable<ConnectOptions['auth']>): NonNullable<ConnectOptions['auth']> {
  for (const { scheme, credential } of auth) {
    if ((scheme === 'digest' || scheme === 'sasl') && !/^[^:]+:/.test(credential)) {
      const detail = `a ${scheme} credential is written user:password`;
      throw new AuthenticationFailedError({ kind: 'login', server: undefined, scheme, refusal: 'malformed', detail });
    }
  }
  return auth;
}

/** Spreads many clients over the servers. */
function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map(value => ({ value, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value);
}
