import type { Contender, DialectId, LockQueue } from '../../../src/locks/lockQueue.ts';
import { recogniseQueues } from '../../../src/locks/recognition/recognise.ts';
import { directory, type ChildSpec } from '../locks/directory.ts';

const guid = '01234567-89ab-cdef-0123-456789abcde';

/** A Curator node's name; `marker` such as `lock-` or `__READ__`. */
export function curatorName(marker: string, sequence: number): string {
  return `_c_${guid}${(sequence % 16).toString(16)}-${marker}${String(sequence).padStart(10, '0')}`;
}

/** One who joined a queue; without a czxid they joined one after the other. */
export interface Member {
  owner: bigint;
  kind: Contender['kind'];
  czxid?: bigint;
}

/** A lock directory of Curator's read/write lock or mutex, in the order in which they joined. */
export function curatorQueue(path: string, members: readonly Member[]): LockQueue {
  const marker = { read: '__READ__', write: '__WRIT__', exclusive: 'lock-', lease: 'lease-', candidate: 'latch-' };
  return onlyQueue(
    path,
    members.map(({ kind, ...member }, at) => ({ name: curatorName(marker[kind], at), ...member })),
  );
}

/** A kazoo semaphore: those who fit hold, the rest wait in order. */
export function semaphoreQueue(
  path: string,
  owners: readonly bigint[],
  maxLeases: number,
  czxids: readonly bigint[] = owners.map((_, at) => BigInt(at < maxLeases ? 100 + at : 1_000 + at)),
): LockQueue {
  const hex = (at: number) => (at + 1).toString(16).padStart(32, '0');
  const leases = owners
    .slice(0, maxLeases)
    .map((owner, at): ChildSpec => ({ name: hex(at), owner, czxid: czxids[at] ?? 0n }));
  const waiting = owners.slice(maxLeases).map((owner, at): ChildSpec => ({
    name: `${hex(at + maxLeases)}__lock__${String(at).padStart(10, '0')}`,
    owner,
    czxid: czxids[at + maxLeases] ?? 0n,
  }));
  return onlyQueue(path, leases, { further: { [`${path}-__lock__`]: waiting }, data: String(maxLeases) });
}

/** The one queue of a directory, as the model reads it. */
export function onlyQueue(
  path: string,
  children: readonly (ChildSpec | string)[],
  more: { further?: Record<string, readonly ChildSpec[]>; data?: string } = {},
): LockQueue {
  const { further = {}, data = '' } = more;
  const self = { data: new TextEncoder().encode(data) };
  const queues = recogniseQueues(directory(path, children, { further, self }));
  if (queues.length !== 1) throw new Error(`${path} has ${queues.length} queues.`);
  return queues[0]!;
}

/** A queue of a given shape for rules that need no names. */
export function plainQueue(path: string, dialect: DialectId, contenders: readonly Partial<Contender>[]): LockQueue {
  return {
    path,
    dialect,
    strangers: [],
    hazards: [],
    contenders: contenders.map((contender, at) => ({
      name: `n${at}`,
      path: `${path}/n${at}`,
      kind: 'exclusive',
      role: at === 0 ? 'holder' : 'waiter',
      ownerSession: BigInt(at + 1),
      czxid: BigInt(at + 100),
      createdAt: 1_000,
      identifier: '',
      ...contender,
    })),
  };
}
