import { unlessAborted } from '../../base/unlessAborted.ts';
import { CancelledError } from '../../zookeeper/errors.ts';
import type { ClusterBrowser } from './clusterBrowser.ts';

/** Connects a cluster, which a person may give up. @throws CancelledError at once when aborted */
export async function connectUnlessAborted(browser: ClusterBrowser, signal: AbortSignal): Promise<void> {
  try {
    await unlessAborted(browser.connect(), signal, () => new CancelledError('Connecting'));
  } catch (error) {
    // Only a first connection is given up: a lost session is being replaced, and its rows would go with it.
    if (signal.aborted && browser.connection.state.kind === 'connecting') void browser.disconnect();
    throw error;
  }
}
