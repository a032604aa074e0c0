import type { Duplex } from 'node:stream';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import {
  checkServerIdentity,
  connect as connectTls,
  createSecureContext,
  getCACertificates,
  type SecureContext,
} from 'node:tls';
import type { ServerAddress } from './connectString.ts';

/** An IP address, as the system's resolver reports it. */
export interface ResolvedAddress {
  address: string;
  family: number;
}

/** A server, and where it is dialled. */
export interface DialTarget extends ServerAddress {
  /** Only these are dialled, and the name is not resolved again; it stays the name in TLS. Absent: the system resolves it. */
  addresses?: readonly ResolvedAddress[];
}

/** PEM texts, never file names: the caller reads files and secrets. */
export interface TlsOptions {
  /** Default: the authorities that the machine trusts. */
  ca?: string;
  cert?: string;
  key?: string;
  passphrase?: string;
  /** Expected name in the certificate; default: the host of the connect string. */
  servername?: string;
}

/** Certificates and key, read once. */
export interface TlsContext {
  secureContext: SecureContext;
  servername: string | undefined;
  /** There is a client certificate, for servers that request one. */
  showsCertificate: boolean;
}

/**
 * PEM texts of the authorities that are trusted by default: those of Node and, which Node leaves out by default, those of the
 * operating system, where companies install their own.
 */
function machineAuthorities(): string[] {
  return [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
}

/** @throws Error of the TLS library when a PEM text, or the passphrase of the key, is wrong */
export function prepareTls({ servername, ...material }: TlsOptions): TlsContext {
  const ca = material.ca ?? machineAuthorities();
  const secureContext = createSecureContext({ ...material, ca, minVersion: 'TLSv1.2' });
  return { secureContext, servername, showsCertificate: material.cert !== undefined };
}

/** @returns a stream that is still connecting; it emits `connect` (TCP) or `secureConnect` (TLS, server verified) */
export type OpenSocket = (server: DialTarget, tls: TlsContext | undefined) => Duplex;

/** How sockets are opened: a parameter, for connections inside the process and for tests. */
export interface SocketOptions {
  /** `undefined`: plain TCP. */
  tls: TlsContext | undefined;
  openSocket: OpenSocket;
}

/** The `OpenSocket` of the network. */
export function openSocket(server: DialTarget, tls: TlsContext | undefined): Socket {
  const { host, port, addresses } = server;
  // Node reads on while a socket is paused, up to this.
  const where = {
    host,
    port,
    highWaterMark: 1,
    ...(addresses === undefined ? {} : { lookup: lookupAmong(addresses) }),
  };
  const socket = tls === undefined ? connectTcp(where) : openTlsSocket(where, tls);
  // The kernel would hold back small requests for up to 40 ms otherwise.
  socket.setNoDelay(true);
  return socket;
}

/** The resolver of one connection. A host that is an address is dialled without one. */
function lookupAmong(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_, { all }, callback) => {
    const [first] = addresses;
    if (all === true || first === undefined) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

function openTlsSocket(where: ServerAddress & { lookup?: LookupFunction }, tls: TlsContext): Socket {
  const name = tls.servername ?? where.host;
  return connectTls({
    ...where,
    secureContext: tls.secureContext,
    rejectUnauthorized: true,
    // An address is no server name (RFC 6066); the certificate is checked against it anyway.
    ...(isIP(name) === 0 ? { servername: name } : {}),
    checkServerIdentity: (_, certificate) => checkServerIdentity(name, certificate),
  });
}
