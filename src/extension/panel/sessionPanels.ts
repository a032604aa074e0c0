import type * as vscode from 'vscode';
import { displayText } from '../../base/displayText.ts';
import type { ClusterNode } from '../../app/clusters/clusterModel.ts';
import { readSavedSession, type ShownSubject } from '../../app/panel/savedSession.ts';
import type { Subject } from '../../app/sessions/subject.ts';
import type { SessionHostMessage } from '../../sessionProtocol.ts';
import { panelTypes } from '../platform/contributions.ts';
import { joined } from '../words/language.ts';
import { subjectTitle } from '../words/sessionPageText.ts';
import { OpenPanels } from './openPanels.ts';
import { SessionPanel, type SessionActions, type SessionPanelParts } from './sessionPanel.ts';

type SessionPanelsParts = Omit<SessionPanelParts, 'actions'> & { actions: Omit<SessionActions, 'showSession'> };

/** The open session pages, one for each subject and cluster. */
export type SessionPanels = OpenPanels<SessionPanel, ShownSubject, SessionHostMessage>;

export function sessionPanels(parts: SessionPanelsParts, extensionUri: vscode.Uri): SessionPanels {
  const showSession = (cluster: ClusterNode, subject: Subject): void => panels.show(shownOf(cluster, subject));
  const panels: SessionPanels = new OpenPanels(
    {
      type: panelTypes.session,
      page: 'session',
      make: (page, shown) => new SessionPanel({ ...parts, actions: { ...parts.actions, showSession } }, page, shown),
      isOf: (panel, { cluster, subject }) => panel.shows(cluster, subject),
      read: state => readSavedSession(state['kept']),
      titles: open => open.map(({ subject, cluster }) => joined([subjectTitle(subject, 40), displayText(cluster, 60)])),
      onChange: parts.registry.onChange,
    },
    extensionUri,
  );
  return panels;
}

/** What the page of a subject of a cluster shows. */
export function shownOf({ id, profile }: ClusterNode, subject: Subject): ShownSubject {
  return { cluster: id, clusterName: profile.name, subject };
}
