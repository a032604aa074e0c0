import * as vscode from 'vscode';
import { callLater } from '../../base/timer.ts';

/** VS Code's 50 ms, and as long again for each of the ways: a command comes from the window, and a page may be busy. */
const settlingMs = 150;

function isPage(input: unknown): boolean {
  return input instanceof vscode.TabInputWebview || input instanceof vscode.TabInputCustom;
}

/**
 * Resolves when a question that is opened now keeps the keyboard: at once, unless a page (lock panel, report) is in front.
 *
 * When the palette or a question closes, VS Code gives the focus back to the editor; to a page it does so twice: at once, and
 * after 50 ms by a message on which the page takes the keyboard, whatever was opened between. No event says when that is over.
 */
export async function pageFocusSettled(): Promise<void> {
  if (!isPage(vscode.window.tabGroups.activeTabGroup.activeTab?.input)) return;
  await new Promise<void>(resolve => void callLater(resolve, settlingMs));
}
