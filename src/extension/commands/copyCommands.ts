import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { commandIds } from '../platform/contributions.ts';
import type { TreeNode } from '../../app/clusters/clusterModel.ts';
import { copiedName, copiedPath, copiedSession } from '../../app/clusters/copiedTexts.ts';
import type { CommandParts } from './clusterCommands.ts';

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
