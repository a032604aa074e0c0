// Control characters, surrogates and private use, and the specials at the end (PathUtils.validatePath).
const refused = /[\u0000-\u001f\u007f-\u009f\ud800-\uf8ff\ufff0-\uffff]|\/\/|\/\.\.?(?:\/|$)/;

/** Whether the server accepts `path` as the path of a node. */
export function isValidPath(path: string): boolean {
  if (path === '/') return true;
  return path.startsWith('/') && !path.endsWith('/') && !refused.test(path);
}

/** Whether it is `/` or slashes with names behind each: in a tree of such paths the names of children lead to every node, once. */
export function isRooted(path: string): boolean {
  return path === '/' || (path.startsWith('/') && !path.endsWith('/') && !path.includes('//'));
}

/** @returns what stands before the last slash (`''` for children of the root); `undefined` for what can be no path at all */
export function directoryOf(path: string): string | undefined {
  const at = path.lastIndexOf('/');
  return at === -1 || path.includes('\0') ? undefined : path.slice(0, at);
}

/** Paths that no client may delete (DataTree.isSpecialPath). */
const specialPaths: ReadonlySet<string> = new Set(['/', '/zookeeper', '/zookeeper/quota', '/zookeeper/config']);

/** Whether the node is the root or one of ZooKeeper's own. */
export function isSpecialPath(path: string): boolean {
  return specialPaths.has(path);
}
