import type { Contender, LockQueue } from '../../../../src/locks/lockQueue.ts';
import type { SeededRandom } from '../../../support/seededRandom.ts';
import { queuesOf, randomLocks } from '../diagnosisBruteForce.ts';
import { curatorQueue, semaphoreQueue } from '../diagnosisQueues.ts';

/** Any lock: sessions may have several places in it, and what they are may be unknown. */
export function randomQueue(random: SeededRandom, path: string, sessions: number, most = 7): LockQueue {
  const count = random.below(most + 1);
  const owners = Array.from({ length: count }, () => BigInt(random.below(sessions + 1)));
  // Some are as late as those of all other locks, so that sessions joined the locks in any order.
  const czxids = owners.map(() => BigInt(1 + random.below(1_000_000))).sort((one, other) => Number(one - other));
  const queue = queueOf(random, path, owners, czxids);
  const contenders = queue.contenders.map(contender => vary(random, contender));
  return { ...queue, contenders };
}

/** Some locks of one cluster; half of the time few sessions want the same locks, which gives circles. */
export function randomQueues(random: SeededRandom): LockQueue[] {
  if (random.below(2) === 0) return queuesOf(randomLocks(random, 3 + random.below(4), 2 + random.below(3)));
  const sessions = 2 + random.below(8);
  return Array.from({ length: 2 + random.below(6) }, (_, at) => randomQueue(random, `/locks/l${at}`, sessions));
}

function queueOf(random: SeededRandom, path: string, owners: readonly bigint[], czxids: readonly bigint[]): LockQueue {
  const recipe = random.pick(['exclusive', 'shared', 'shared', 'lease', 'candidate'] as const);
  if (owners.length === 0) return { path, dialect: 'curator', contenders: [], strangers: [], hazards: [] };
  if (recipe === 'lease') return semaphoreQueue(path, owners, 1 + random.below(3), czxids);
  const members = owners.map((owner, at) => ({
    owner,
    kind: recipe === 'shared' ? random.pick(['read', 'read', 'write'] as const) : recipe,
    czxid: czxids[at]!,
  }));
  return curatorQueue(path, members);
}

function vary(random: SeededRandom, contender: Contender): Contender {
  const createdAt = 1 + random.below(1_000);
  const dice = random.below(20);
  if (dice === 0) return { ...contender, createdAt: 0, czxid: 0n, ownerSession: 0n, isUnread: true };
  if (dice === 1 && contender.role === 'waiter') return { ...contender, createdAt, mayHold: true };
  return { ...contender, createdAt };
}
