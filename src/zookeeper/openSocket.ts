import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ServerAddress } from './connectString.ts';
import type { ConnectFailure } from './errors.ts';

/** PEM texts, never file names: reading files and secrets is the caller's business. */
export interface TlsOptions {
  ca?: string;
  cert?: string;
  key?: string;
  passphrase?: string;
  /** Expected name in the certificate; default: the host that is dialled. */
  servername?: string;
}

/** @returns a socket that is still connecting; it emits `connect` (TCP) or `secureConnect` (TLS, server verified) */
export function openSocket(server: ServerAddress, tls: TlsOptions | undefined): Socket {
  const socket =
    tls === undefined
      ? connectTcp({ host: server.host, port: server.port })
      : connectTls({
          host: server.host,
          port: server.port,
          minVersion: 'TLSv1.2',
          rejectUnauthorized: true,
          servername: tls.servername ?? server.host,
          ...(tls.ca === undefined ? {} : { ca: tls.ca }),
          ...(tls.cert === undefined ? {} : { cert: tls.cert }),
          ...(tls.key === undefined ? {} : { key: tls.key }),
          ...(tls.passphrase === undefined ? {} : { passphrase: tls.passphrase }),
        });
  // The kernel would hold back small requests for up to 40 ms otherwise.
  socket.setNoDelay(true);
  return socket;
}

const failureByCode = new Map<string, ConnectFailure>([
  ['ENOTFOUND', 'dns'],
  ['EAI_AGAIN', 'dns'],
  ['EAI_FAIL', 'dns'],
  ['ECONNREFUSED', 'refused'],
  ['EHOSTUNREACH', 'unreachable'],
  ['ENETUNREACH', 'unreachable'],
  ['EADDRNOTAVAIL', 'unreachable'],
  ['ETIMEDOUT', 'timeout'],
  ['ECONNRESET', 'closed'],
  ['EPIPE', 'closed'],
]);

/** Names the cause of a socket error. An AggregateError (several addresses of one host) counts as its first error. */
export function classifySocketError(error: Error): { failure: ConnectFailure; detail: string } {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const cause = first instanceof Error ? first : error;
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  const failure =
    failureByCode.get(code) ?? (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_|SELF_|UNABLE_|EPROTO)/.test(code) ? 'tls' : 'closed');
  return { failure, detail: cause.message === '' ? code : cause.message };
}
