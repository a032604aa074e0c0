import type { Inspector } from '../../../../src/app/clusters/clusterBrowser.ts';
import { readQueues } from '../../../../src/inspector/readQueues.ts';
import { watchQueues } from '../../../../src/inspector/watchQueues.ts';

/** The real inspector, except that a search finds nothing. */
export const realInspector: Inspector = {
  findLocks: () => Promise.resolve({ locks: [], visited: 1, truncated: false, denied: [] }),
  readQueues,
  watchQueues,
};
