import { atOnce } from '../../src/base/interruptible.ts';
import type { ChildNode } from '../../src/locks/lockDirectory.ts';
import type { LockQueue } from '../../src/locks/lockQueue.ts';
import { recognisingQueues } from '../../src/locks/recognition/recognise.ts';

/** Locks so many in a row are a chain: the holder of one waits in the one before. */
const chainLength = 6;
const leases = 4;

/** Many locks that many sessions want: mutexes, readers and writers, semaphores; some sessions hold one and wait for another. */
export class BlockedLocks {
  readonly queues: LockQueue[];
  private readonly contendersEach: number;
  private readonly sessions: number;
  private zxid = 1_000_000n;

  constructor(locks: number, contendersEach: number) {
    this.contendersEach = contendersEach;
    this.sessions = Math.max(1, Math.floor((locks * contendersEach) / 2));
    this.queues = Array.from({ length: locks }, (_, at) => this.read(at));
  }

  /** A contender joins the end of a queue, or the last one leaves: the queue is another object, the others are not. */
  change(at: number): void {
    const queue = this.queues[at]!;
    const [last] = queue.contenders.slice(-1);
    if (queue.contenders.length > this.contendersEach || last === undefined) {
      this.queues[at] = { ...queue, contenders: queue.contenders.slice(0, -1) };
      return;
    }
    const sequence = (last.sequence ?? 0) + 1;
    const name = `${last.name.slice(0, -10)}${digits(sequence)}`;
    const path = `${last.path.slice(0, -10)}${digits(sequence)}`;
    const czxid = this.zxid++;
    const joined = { ...last, name, path, sequence, czxid, ownerSession: this.session(at, Number(czxid)) };
    this.queues[at] = { ...queue, contenders: [...queue.contenders, joined] };
  }

  private read(at: number): LockQueue {
    const path = `/bench/blockers/l${at}`;
    const places = Array.from({ length: this.contendersEach }, (_, place) => place);
    const isSemaphore = at % 3 === 2;
    const marker = (place: number): string => (at % 3 === 0 ? 'lock-' : place % 3 === 0 ? '__WRIT__' : '__READ__');
    const leaf = (place: number): string => {
      if (!isSemaphore) return `${path}/_c_${uuid(place)}-${marker(place)}${digits(place)}`;
      const id = place.toString(16).padStart(32, '0');
      return place < leases ? `${path}/${id}` : `${path}-__lock__/${id}__lock__${digits(place)}`;
    };
    const nodes = places.map(place => node(leaf(place), this.owner(at, place), BigInt(place * 100_000 + at + 1)));
    const inside = nodes.filter(each => each.path.startsWith(`${path}/`));
    const self = { ...node(path, 0n, 1n), data: Buffer.from(isSemaphore ? String(leases) : '') };
    const further = isSemaphore ? [[`${path}-__lock__`, nodes.slice(leases)] as const] : [];
    const [queue] = atOnce(recognisingQueues({ path, self, children: inside, further: new Map(further) }, []));
    if (queue?.contenders.length !== this.contendersEach) throw new Error(`${path} is no queue of that length.`);
    return queue;
  }

  /** The holder of each lock is the first waiter of the one before. */
  private owner(at: number, place: number): bigint {
    if (place === 0) return BigInt(at + 1);
    const first = at % 3 === 2 ? leases : 1;
    const next = at + 1;
    if (place < first) return BigInt(50_000_000 + at * leases + place);
    if (place === first && next % chainLength !== 0) return BigInt(next + 1);
    return this.session(at, place);
  }

  private session(at: number, place: number): bigint {
    return 1_000_000n + BigInt((at * 37 + place * 101) % this.sessions);
  }
}

function digits(number: number): string {
  return String(number).padStart(10, '0');
}

function uuid(number: number): string {
  return `01234567-89ab-cdef-0123-${number.toString(16).padStart(12, '0')}`;
}

function node(path: string, owner: bigint, czxid: bigint): ChildNode {
  return {
    name: path.slice(path.lastIndexOf('/') + 1),
    path,
    data: new Uint8Array(),
    czxid,
    createdAt: 1_700_000_000_000 + Number(czxid),
    ephemeralOwner: owner,
    version: 0,
    numChildren: 0,
  };
}
