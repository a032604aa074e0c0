import { fourLetterWord } from '../../scripts/zookeeper/fourLetterWord.ts';
import { eventually } from './eventually.ts';
import type { ZooKeeperEnsemble } from './zookeeperServer.ts';

/** What `srvr` says: `leader`, `follower`, `read-only`, ...; `undefined` of a member that does not serve. */
export async function modesOf(ensemble: ZooKeeperEnsemble): Promise<(string | undefined)[]> {
  const reports = await Promise.all(
    ensemble.ports.map(port => fourLetterWord('127.0.0.1', port, 'srvr').catch(() => '')),
  );
  return reports.map(report => /^Mode: (\S+)$/m.exec(report)?.[1]);
}

/** Waits until every member serves. @returns the index of the leader */
export function leaderOf(ensemble: ZooKeeperEnsemble): Promise<number> {
  return eventually(async () => {
    const modes = await modesOf(ensemble);
    const leader = modes.indexOf('leader');
    if (leader === -1 || modes.includes(undefined)) throw new Error(`The members are ${modes.join()}.`);
    return leader;
  }, 30_000);
}
