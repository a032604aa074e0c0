import type { Uri } from 'vscode';
import type { Event } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import type { CommandParts } from '../commands/clusterCommands.ts';
import type { OwnLocks } from '../diagnosis/diagnosisParts.ts';
import type { MarkSource } from '../diagnosis/marks.ts';
import type { ClusterNode, LockNode } from '../tree/nodes.ts';
import type { ViewState } from '../tree/viewState.ts';

/** What the panels need of the rest of the extension. */
export interface PanelsParts extends Pick<CommandParts, 'register' | 'registry' | 'targets' | 'reporter' | 'security'> {
  state: ViewState;
  marks: MarkSource;
  ownLocks: OwnLocks;
  onClusterChange: Event<ClusterNode | LockNode>;
  extensionUri: Uri;
  logger: Logger;
}
