import { isIPv6 } from 'node:net';
import { isAtOrBelow } from '../base/paths.ts';
import { ConnectStringError, ZooKeeperError } from './errors.ts';

export interface ServerAddress {
  host: string;
  port: number;
}

export interface ConnectTarget {
  servers: ServerAddress[];
  /** '' or an absolute path without a slash at the end. */
  chroot: string;
}

const defaultPort = 2181;
/** An address in brackets, or a name, with the port if there is one. */
const hostAndPort = /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/;
const hostName = /^[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_.])?$/;

/**
 * Parses `host[:port],host[:port],.../chroot`; IPv6 hosts stand in brackets. The port is 2181 when left out.
 *
 * @throws ConnectStringError with the fault and the part that is wrong
 */
export function parseConnectString(text: string): ConnectTarget {
  const trimmed = text.trim();
  if (trimmed === '') {
    throw new ConnectStringError('empty', '');
  }
  const slash = trimmed.indexOf('/');
  const hosts = slash === -1 ? trimmed : trimmed.slice(0, slash);
  const servers = hosts.split(',').map(parseServer);
  return { servers, chroot: slash === -1 ? '' : parseChroot(trimmed.slice(slash)) };
}

function parseServer(part: string): ServerAddress {
  const text = part.trim();
  if (text.includes('@')) {
    // Neither the error nor a log may repeat what stands there (docs/faults.md, 4.6).
    throw new ConnectStringError('host', '');
  }
  if (text === '') {
    throw new ConnectStringError('host', part);
  }
  if (/\s/.test(text)) {
    throw new ConnectStringError('blank', text);
  }
  if (/[;|]/.test(text)) {
    throw new ConnectStringError('separator', text);
  }
  return parseAddress(text);
}

function parseAddress(text: string): ServerAddress {
  const [, address, name = '', port] = hostAndPort.exec(text) ?? [];
  const isHost = address === undefined ? hostName.test(name) && !isIPv6(text) : isIPv6(address);
  if (!isHost) {
    throw new ConnectStringError('host', text);
  }
  return { host: address ?? name, port: parsePort(port, text) };
}

function parsePort(text: string | undefined, part: string): number {
  if (text === undefined) return defaultPort;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65535) {
    throw new ConnectStringError('port', part);
  }
  return port;
}

function parseChroot(text: string): string {
  const path = text === '/' ? '' : text.replace(/\/$/, '');
  const segments = path.split('/').slice(1);
  // Control characters: what the server itself refuses in a path (PathUtils.java).
  const refused = /\p{Cc}/u.test(path);
  if (refused || segments.some(segment => segment === '' || segment === '.' || segment === '..')) {
    throw new ConnectStringError('chroot', text);
  }
  return path;
}

const badArguments = -8;

/**
 * Checks a path before it is sent, by the server's own rules (PathUtils.java).
 *
 * @throws ZooKeeperError BAD_ARGUMENTS
 */
export function checkPath(operation: string, path: string): void {
  if (path === '/') return;
  if (!path.startsWith('/') || path.endsWith('/') || path.includes('\0')) {
    throw new ZooKeeperError(badArguments, operation, path);
  }
  if (path.includes('//') || /\/\.\.?(\/|$)/.test(path)) throw new ZooKeeperError(badArguments, operation, path);
}

/** Turns the client's path into the server's. */
export function toServerPath(chroot: string, path: string): string {
  return path === '/' && chroot !== '' ? chroot : chroot + path;
}

/** Turns the server's path into the client's; `undefined` if it lies outside of the chroot. */
export function toClientPath(chroot: string, path: string): string | undefined {
  if (path === chroot) return '/';
  return isAtOrBelow(chroot, path) ? path.slice(chroot.length) : undefined;
}
