import type { TurnContender } from '../locks/turn.ts';
import type { Stat, ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError } from '../zookeeper/errors.ts';
import { childPath } from '../base/paths.ts';

/**
 * Asks for each of some contenders, in order to learn who is left of them: costs the same however many stand behind.
 *
 * @param remembered in grant order; the last one is the own node
 * @returns those that are left, and the own node's stat if it is
 * @throws NotConnectedError, ReplyLostError
 */
export async function askForEach(
  client: ZooKeeperClient,
  directory: string,
  remembered: readonly TurnContender[],
): Promise<{ own: Stat | undefined; left: TurnContender[] }> {
  const answers = await client.readMany(
    remembered.map(({ name }) => ({ op: 'getData', path: childPath(directory, name) })),
  );
  const own = answers.at(-1);
  const left = remembered.filter((_, index) => {
    const answer = answers[index];
    // One that may not be read is there all the same.
    return answer?.op !== 'error' || !isZooKeeperError(answer.error, 'NO_NODE');
  });
  return { own: own?.op === 'getData' ? own.stat : undefined, left };
}
