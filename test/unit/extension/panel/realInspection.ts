import type { Inspection } from '../../../../src/app/clusters/clusterBrowser.ts';
import { readQueues } from '../../../../src/inspector/readQueues.ts';
import { watchQueues } from '../../../../src/inspector/watchQueues.ts';

/** The real inspector, except that a search finds nothing. */
export const realInspection: Inspection = {
  find: () => Promise.resolve({ locks: [], visited: 1, truncated: false, denied: [] }),
  read: (client, path) => readQueues(client, path),
  watch: (client, path, listener, options) => watchQueues(client, path, listener, options),
};
