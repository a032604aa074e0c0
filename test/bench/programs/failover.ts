import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import type { Commands } from './answerLines.ts';

/** A session that lives through the end of its ensemble's leader. */
export function failoverCommands(): Commands {
  let client: ZooKeeperClient | undefined;
  return {
    async attach({ hosts, timeoutMs }) {
      client = await connect(String(hosts), { sessionTimeoutMs: Number(timeoutMs) });
      await client.sync('/');
      return {};
    },
    /** Answers when the session has written, or is lost. */
    async writeAgain({ path }) {
      while (client !== undefined && client.state !== 'lost') {
        try {
          await client.create(`${String(path)}/write-`, { mode: 'ephemeral_sequential' });
          return { isLost: false };
        } catch {
          await new Promise(resolve => setTimeout(resolve, 2));
        }
      }
      return { isLost: true };
    },
    async letGo() {
      await client?.close();
      return {};
    },
  };
}
