import type { Logger } from '../../base/logger.ts';
import { startSandbox } from '../../sandbox/startSandbox.ts';
import { connect } from '../../zookeeper/connect.ts';
import { startExampleLocks } from './exampleLocks.ts';
import type { RunningSandbox } from './sandboxCluster.ts';

/**
 * Starts a sandbox with example locks, whose sessions need no sockets.
 *
 * @throws what `startSandbox` and `connect` throw; any error when the signal aborts. Nothing is left then
 */
export async function runSandbox(logger: Logger, signal: AbortSignal): Promise<RunningSandbox> {
  const sandbox = await startSandbox({ logger });
  const { connectString, openSocket } = sandbox;
  try {
    const examples = await startExampleLocks(
      () => connect(connectString, { openSocket, signal }),
      '/examples',
      text => logger.warn(text),
      signal,
    );
    return {
      connectString,
      async stop() {
        await examples.stop();
        await sandbox.close();
      },
    };
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}
