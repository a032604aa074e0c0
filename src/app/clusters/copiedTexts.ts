import { childPath, lastSegment } from '../../base/paths.ts';
import { sessionText } from '../../base/sessionText.ts';
import { nameOfLock, type TreeNode } from './clusterModel.ts';

/** The path of a row's node, or the connect string of a cluster. */
export function copiedPath(node: TreeNode): string | undefined {
  switch (node.type) {
    case 'cluster':
      return node.profile.connectString;
    case 'directory':
    case 'lock':
      return node.path;
    case 'contender':
      return node.contender.path;
    case 'stranger':
      return childPath(node.lock.queue?.path ?? node.lock.path, node.name);
    default:
      return undefined;
  }
}

/** The name of a row's node, lock or cluster, without the path. */
export function copiedName(node: TreeNode): string | undefined {
  if (node.type === 'cluster') return node.profile.name;
  if (node.type === 'lock') return nameOfLock(node);
  const path = copiedPath(node);
  return path === undefined ? undefined : lastSegment(path);
}

/** The session id of the owner of a row's node; `undefined` where there is none. */
export function copiedSession(node: TreeNode): string | undefined {
  if (node.type !== 'contender' || node.contender.ownerSession === 0n) return undefined;
  return sessionText(node.contender.ownerSession);
}
