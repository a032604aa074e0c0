import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { childPath, lastSegment } from '../../base/paths.ts';
import { commandIds } from '../platform/contributions.ts';
import { sessionText } from '../../base/sessionText.ts';
import { nameOfLock, type TreeNode } from '../../app/clusters/clusterModel.ts';
import type { CommandParts } from './clusterCommands.ts';

/** The path of a row's node, or the connect string of a cluster. */
export function copiedPath(node: TreeNode): string | undefined {
  switch (node.type) {
    case 'cluster':
      return node.profile.connectString;
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

function copiedSession(node: TreeNode): string | undefined {
  if (node.type !== 'contender' || node.contender.ownerSession === 0n) return undefined;
  return sessionText(node.contender.ownerSession);
}

/** Copy path, name and session id: the foreign text byte for byte, not the text of the row. */
export function registerCopyCommands({ register, targets }: CommandParts): Disposable[] {
  const copy = (textOf: (node: TreeNode) => string | undefined) => async (argument: unknown) => {
    const node = targets.rowOrSelected(argument);
    const text = node === undefined ? undefined : textOf(node);
    if (text !== undefined) await vscode.env.clipboard.writeText(text);
  };
  return [
    register(commandIds.copyPath, copy(copiedPath)),
    register(commandIds.copyName, copy(copiedName)),
    register(commandIds.copySessionId, copy(copiedSession)),
  ];
}
