import { fourLetterWord } from '../../scripts/zookeeper/fourLetterWord.ts';

/** How many watches clients have set on the server. */
export async function watchCount(port: number): Promise<number> {
  // `mntr` counts a recursive watch twice, since it covers data and children.
  const report = await fourLetterWord('127.0.0.1', port, 'wchs', 10_000);
  return Number(/^Total watches:(\d+)/m.exec(report)?.[1] ?? Number.NaN);
}

/** How many watches the server has fired since it started. */
export async function firedWatches(port: number): Promise<number> {
  const report = await fourLetterWord('127.0.0.1', port, 'mntr', 10_000);
  const counted = report.matchAll(/^zk_sum_node_(?:created|deleted|changed|children)_watch_count\t(\d+)/gm);
  return [...counted].reduce((sum, [, fired]) => sum + Number(fired), 0);
}
