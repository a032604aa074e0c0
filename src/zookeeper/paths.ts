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

/** Joins a directory and a child's name. */
export function childPath(directory: string, name: string): string {
  return directory === '/' ? `/${name}` : `${directory}/${name}`;
}

/** The node above; `undefined` for the root. */
export function parentPath(path: string): string | undefined {
  if (path === '/') return undefined;
  return path.slice(0, Math.max(1, path.lastIndexOf('/')));
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

/** Whether `path` is `root` or lies below it. */
export function isAtOrBelow(root: string, path: string): boolean {
  return root === '/' || path === root || path.startsWith(`${root}/`);
}
