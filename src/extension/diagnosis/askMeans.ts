import type { CommandParts } from '../commands/clusterCommands.ts';
import { readSettings } from '../settings.ts';
import type { AskMeans } from './gatherFacts.ts';

/** The means of questions to servers, as they are set and known now. */
export function askMeans({ security }: Pick<CommandParts, 'security'>): AskMeans {
  return { adminServerPort: readSettings().adminServerPort, secrets: security.secrets };
}
