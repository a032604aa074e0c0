import { fourLetterWord } from '../../scripts/zookeeper/fourLetterWord.ts';
import type { ZooKeeperClient } from '../../src/zookeeper/client.ts';
import type { TestRealm } from './freshChroot.ts';

/** The paths on which a session has watches of data and existence, recursive ones included, as the server reports them. */
export async function serverWatches(
  { sessionId }: Pick<ZooKeeperClient, 'sessionId'>,
  realm: TestRealm,
): Promise<string[]> {
  const report = await fourLetterWord('127.0.0.1', Number(realm.serverConnectString.split(':')[1]), 'wchc');
  const lines = report.split('\n');
  const start = lines.indexOf(`0x${BigInt.asUintN(64, sessionId).toString(16)}`);
  if (start === -1) return [];
  const rest = lines.slice(start + 1);
  const end = rest.findIndex(line => !line.startsWith('\t'));
  return rest.slice(0, end).map(line => line.trim().slice(realm.chroot.length) || '/');
}
