import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { commandIds } from '../platform/contributions.ts';
import { sessionText } from '../../base/sessionText.ts';
import { copiedName, copiedPath } from '../views/copiedText.ts';
import type { TreeNode } from '../../app/clusters/clusterModel.ts';
import type { CommandParts } from './clusterCommands.ts';

function copiedSession(node: TreeNode): string | undefined {
  if (node.type !== 'contender' || node.contender.ownerSession === 0n) return undefined;
  return sessionText(node.contender.ownerSession);
}

/** Copy path, name and session id. What is copied is the foreign text itself, byte for byte, not what the row shows. */
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
