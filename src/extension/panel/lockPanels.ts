import type * as vscode from 'vscode';
import { panelTypes } from '../platform/contributions.ts';
import { displayText } from '../../base/displayText.ts';
import type { LockNode } from '../../app/clusters/clusterModel.ts';
import { isObject } from '../../app/clusters/clusterProfile.ts';
import { titleParts } from '../../app/panel/panelTitles.ts';
import { lockOf, readSavedLock, type SavedRecording } from '../../app/panel/savedLock.ts';
import { joined } from '../words/language.ts';
import { LockPanel, type LockPanelParts } from '../../app/panel/lockPanel.ts';
import type { HostMessage } from '../../protocol.ts';
import { OpenPanels } from './openPanels.ts';

export interface LockPanelsParts extends LockPanelParts {
  /** Called with the lock of each panel that comes to the front. */
  onFront(lock: () => LockNode | undefined): void;
}

/** The open panels of locks. `awaited` opens the recording of a lock. */
export type LockPanels = OpenPanels<LockPanel, { lock: LockNode; awaited?: SavedRecording | undefined }, HostMessage>;

export function lockPanels(parts: LockPanelsParts, extensionUri: vscode.Uri): LockPanels {
  return new OpenPanels(
    {
      type: panelTypes.queue,
      page: 'webview',
      make: (page, { lock, awaited }) => new LockPanel(parts, page, lock, awaited),
      isOf: (panel, { lock }) => panel.shows(lock),
      read: state => {
        const saved = readSavedLock(state['lock']);
        return saved && { lock: lockOf(parts.registry, saved), awaited: saved.recording };
      },
      titles: open =>
        titleParts(open.map(({ titled }) => titled)).map(title => joined(title.map(part => displayText(part, 60)))),
      onChange: parts.registry.onChange,
      onFilled: (panel, content) => noteFront(panel, content, parts),
    },
    extensionUri,
  );
}

function noteFront(panel: vscode.WebviewPanel, content: LockPanel, parts: LockPanelsParts): void {
  let isOpen = true;
  const note = (): void => {
    if (panel.active) parts.onFront(() => (isOpen && panel.active ? content.lock : undefined));
  };
  note();
  panel.onDidChangeViewState(note);
  panel.onDidDispose(() => (isOpen = false));
  panel.webview.onDidReceiveMessage((message: unknown) => {
    if (isObject(message) && message['type'] === 'focus') note();
  });
}
