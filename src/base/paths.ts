/** Joins a directory and a child's name. */
export function childPath(directory: string, name: string): string {
  return directory === '/' ? `/${name}` : `${directory}/${name}`;
}

/** The directory that holds a node; '/' for the root itself. */
export function parentPath(path: string): string {
  const at = path.lastIndexOf('/');
  return at <= 0 ? '/' : path.slice(0, at);
}

/** The last segment of a path; '' for the root. */
export function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Whether `path` is `root` or lies below it. */
export function isAtOrBelow(root: string, path: string): boolean {
  return root === '/' || path === root || path.startsWith(`${root}/`);
}
