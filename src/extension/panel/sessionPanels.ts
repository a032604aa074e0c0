import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { displayText } from '../../base/displayText.ts';
import { isObject } from '../../app/clusters/clusterProfile.ts';
import type { ClusterNode } from '../../app/clusters/clusterModel.ts';
import { readSavedSession, type ShownSubject } from '../../app/panel/savedSession.ts';
import type { Subject } from '../../app/sessions/subject.ts';
import { panelTypes } from '../platform/contributions.ts';
import { joined } from '../words/language.ts';
import { subjectTitle } from '../words/sessionPageText.ts';
import { SessionPanel, type SessionActions, type SessionPanelParts } from './sessionPanel.ts';
import { loadPage, pageOf } from './webviewPage.ts';

export type SessionPanelsParts = Omit<SessionPanelParts, 'actions'> & { actions: Omit<SessionActions, 'showSession'> };

/** The open session pages, one for each subject and cluster. */
export class SessionPanels implements Disposable {
  private readonly parts: SessionPanelParts;
  private readonly extensionUri: vscode.Uri;
  private readonly open = new Map<vscode.WebviewPanel, SessionPanel>();
  private readonly following: Disposable;

  constructor(parts: SessionPanelsParts, extensionUri: vscode.Uri) {
    const showSession = (cluster: ClusterNode, subject: Subject): void => this.show(cluster, subject);
    this.parts = { ...parts, actions: { ...parts.actions, showSession } };
    this.extensionUri = extensionUri;
    // A cluster may get another name.
    this.following = parts.registry.onChange(() => this.nameAll());
  }

  /** Opens the page of a subject, or brings the open one to the front. */
  show(cluster: ClusterNode, subject: Subject): void {
    const known = [...this.open].find(([, content]) => content.shows(cluster.id, subject));
    if (known !== undefined) {
      known[0].reveal();
      return;
    }
    const panel = vscode.window.createWebviewPanel(panelTypes.session, '', vscode.ViewColumn.Active);
    this.fill(panel, { cluster: cluster.id, clusterName: cluster.profile.name, subject });
  }

  /**
   * Gives a panel its content back after the window was loaded again. Nothing is connected; the files of a recording are read.
   *
   * @param state what the page kept; a panel whose page kept nothing is closed
   */
  revive(panel: vscode.WebviewPanel, state: unknown): void {
    const saved = readSavedSession(isObject(state) ? state['kept'] : undefined);
    if (saved === undefined) panel.dispose();
    else this.fill(panel, saved);
  }

  dispose(): void {
    this.following.dispose();
    for (const panel of [...this.open.keys()]) panel.dispose();
  }

  private nameAll(): void {
    for (const [panel, { subject, cluster }] of this.open) {
      const title = joined([subjectTitle(subject, 40), displayText(cluster, 60)]);
      if (panel.title !== title) panel.title = title;
    }
  }

  private fill(panel: vscode.WebviewPanel, shown: ShownSubject): void {
    panel.iconPath = vscode.Uri.joinPath(this.extensionUri, 'media', 'icon.png');
    const content = new SessionPanel(this.parts, pageOf(panel), shown);
    this.open.set(panel, content);
    this.nameAll();
    panel.onDidDispose(() => {
      this.open.delete(panel);
      content.dispose();
    });
    loadPage(panel.webview, this.extensionUri, 'session');
  }
}
