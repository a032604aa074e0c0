import type { OwnerQueryOptions } from '../../app/owners/gatherFacts.ts';
import { readSettings } from '../platform/settings.ts';
import type { CommandParts } from './clusterCommands.ts';

/** How servers are asked for owners, by the settings of this moment. */
export function ownerQueryOptions({ security }: Pick<CommandParts, 'security'>): OwnerQueryOptions {
  return { adminServerPort: readSettings().adminServerPort, secrets: security.secrets };
}
