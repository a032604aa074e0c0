import type { Logger } from '../../base/logger.ts';
import { findLocks } from '../../inspector/findLocks.ts';
import { readQueues } from '../../inspector/readQueues.ts';
import { watchQueues } from '../../inspector/watchQueues.ts';
import { readSettings } from '../platform/settings.ts';
import type { Inspection } from '../../app/clusters/clusterBrowser.ts';

/** What the browsers ask of the inspector, within the limits of the settings. */
export function inspectorCalls(logger: Logger): Inspection {
  return {
    find: (client, root, options) => findLocks(client, root, { ...options, maxNodes: readSettings().maxSearchedNodes }),
    read: (client, path) => readQueues(client, path),
    watch: (client, path, listener, options) => watchQueues(client, path, listener, { ...options, logger }),
  };
}
