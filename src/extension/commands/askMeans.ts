import type { CommandParts } from './clusterCommands.ts';
import { readSettings } from '../platform/settings.ts';
import type { AskMeans } from '../../app/owners/gatherFacts.ts';

/** The means of questions to servers, as they are set and known now. */
export function askMeans({ security }: Pick<CommandParts, 'security'>): AskMeans {
  return { adminServerPort: readSettings().adminServerPort, secrets: security.secrets };
}
