import type { Uri } from 'vscode';
import type { Logger } from '../../base/logger.ts';
import type { CommandParts } from './clusterCommands.ts';
import type { OwnLocks } from './diagnosisParts.ts';
import type { MarkSource } from '../../app/clusters/marks.ts';
import type { ViewState } from '../views/viewState.ts';

/** What the panels need of the rest of the extension. */
export interface PanelsParts extends Pick<CommandParts, 'register' | 'registry' | 'targets' | 'reporter' | 'security'> {
  state: ViewState;
  marks: MarkSource;
  ownLocks: OwnLocks;
  extensionUri: Uri;
  logger: Logger;
}
