import type { OwnerFacts } from '../../../../src/inspector/owners/ownerFacts.ts';
import type { Contender, LockQueue } from '../../../../src/locks/lockQueue.ts';

/** Noon of an arbitrary day, UTC. */
export const noon = Date.UTC(2026, 4, 6, 12);

export interface QueueSketch {
  path: string;
  /** The session of each contender, in grant order; the first one holds. */
  sessions: readonly (bigint | undefined)[];
  fields?: Partial<LockQueue>;
  /** Of every contender. */
  contender?: Partial<Contender>;
}

function nodeName(at: number): string {
  return `_c_${'0'.repeat(8)}-0000-0000-0000-${String(at).padStart(12, '0')}-lock-${String(at).padStart(10, '0')}`;
}

/** A mutex of Curator, named as Curator names its nodes: what follows an end is decided by its rules. */
export function mutex({ path, sessions, fields = {}, contender = {} }: QueueSketch): LockQueue {
  const contenders = sessions.map((session, at): Contender => {
    const name = nodeName(at);
    return {
      name,
      path: `${path}/${name}`,
      kind: 'exclusive',
      role: at === 0 ? 'holder' : 'waiter',
      ...(at === 0 ? { heldSince: { earliest: noon - 64_000, latest: noon - 5_000 } } : { waitsFor: nodeName(at - 1) }),
      sequence: at,
      ownerSession: session ?? 0n,
      czxid: BigInt(100 + at),
      createdAt: noon - 64_000 + at,
      identifier: session === undefined ? 'nightly' : `worker-${session.toString(16)}`,
      ...contender,
    };
  });
  return { path, dialect: 'curator', contenders, strangers: [], hazards: [], ...fields };
}

/** What a leader said of these sessions. */
export function ownersOf(addresses: Readonly<Record<string, string>>, fields: Partial<OwnerFacts> = {}): OwnerFacts {
  const sessions = Object.entries(addresses).map(([id, address]) => [BigInt(id), address] as const);
  return {
    connections: new Map(sessions.map(([id, address]) => [id, { address, server: 'zk1:2181', timeoutMs: 10_000 }])),
    live: { ids: new Set(sessions.map(([id]) => id)), listedBy: 'leader', server: 'zk1:2181' },
    sources: [],
    askedAt: noon,
    ...fields,
  };
}
