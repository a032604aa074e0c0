import type { LockNode, TreeNode } from '../../app/clusters/clusterModel.ts';

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function strangerPath(lock: LockNode, name: string): string {
  const directory = lock.queue?.path ?? lock.path;
  return directory === '/' ? `/${name}` : `${directory}/${name}`;
}

/** The path a row stands for: a node's, or the connect string of a cluster. */
export function copiedPath(node: TreeNode): string | undefined {
  switch (node.type) {
    case 'cluster':
      return node.profile.connectString;
    case 'lock':
      return node.path;
    case 'contender':
      return node.contender.path;
    case 'stranger':
      return strangerPath(node.lock, node.name);
    case 'hazard':
    case 'more':
    case 'message':
      return undefined;
  }
}

/** The name of what a row stands for, without its path. */
export function copiedName(node: TreeNode): string | undefined {
  if (node.type === 'cluster') return node.profile.name;
  if (node.type === 'lock' && node.lockName !== undefined) return node.lockName;
  const path = copiedPath(node);
  return path === undefined ? undefined : lastName(path);
}
