import { ZooKeeperError } from './errors.ts';

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

/** The client's path as the server knows it. */
export function toServerPath(chroot: string, path: string): string {
  if (chroot === '') return path;
  return path === '/' ? chroot : chroot + path;
}

/** The server's path as the client knows it; `undefined` if it lies outside of the chroot. */
export function toClientPath(chroot: string, path: string): string | undefined {
  if (chroot === '') return path;
  if (path === chroot) return '/';
  return path.startsWith(`${chroot}/`) ? path.slice(chroot.length) : undefined;
}
