import type { Contender } from '../locks/lockQueue.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError } from '../zookeeper/errors.ts';
import type { StaleFinding, StaleReason } from './findStale.ts';
import { readQueues } from './readQueues.ts';
import { isUnchanged } from './waitWatches.ts';

/** Reasons that rest on what servers said. */
const askedReasons: ReadonlySet<StaleReason> = new Set(['owner-unknown', 'never-woken']);

/**
 * Reads the queues of findings that rest on what servers said once more: a program that left, or whose turn came, while they were
 * asked looks stale by their answers.
 *
 * @returns the findings without those whose contenders have changed, or can no longer be read, in the same order
 * @throws what reading throws, but for NO_AUTH
 */
export async function confirmFindings(
  client: ZooKeeperClient,
  findings: readonly StaleFinding[],
  signal?: AbortSignal,
): Promise<StaleFinding[]> {
  const isByFacts = ({ reasons }: StaleFinding): boolean => reasons.some(({ reason }) => askedReasons.has(reason));
  const later = new Map<string, Contender>();
  for (const path of new Set(findings.filter(isByFacts).map(({ queue }) => queue.path))) {
    for (const contender of await contendersAt(client, path, signal)) later.set(contender.path, contender);
  }
  return findings.filter(each => !isByFacts(each) || isUnchanged(each.contender, later.get(each.contender.path)));
}

async function contendersAt(client: ZooKeeperClient, path: string, signal?: AbortSignal): Promise<Contender[]> {
  try {
    return (await readQueues(client, path, signal && { signal })).flatMap(({ contenders }) => contenders);
  } catch (error) {
    if (isZooKeeperError(error, 'NO_AUTH')) return [];
    throw error;
  }
}
