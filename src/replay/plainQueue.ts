import type { Member } from '../locks/dialect.ts';
import type { Contender, LockQueue } from '../locks/lockQueue.ts';
import { identifierOf } from '../locks/recognition/members.ts';

/** Whether a contender of that kind keeps those behind it from holding. */
export type Blocks = (kind: Contender['kind']) => boolean;

/** From here on a number behind a dash may be a negative one. */
const largestPlain = 999_999_999;

/**
 * A queue of one library whose numbers are plain and rise in the order of its nodes' creation. So the numbers alone are the order, and a
 * change says more than a look at all: who comes is behind all others, and holders are found from the front on, up to the first that
 * blocks those behind it. These are the rules of turn.ts for such queues.
 */
export class PlainQueue {
  /** What separates it from others in its directory. */
  readonly key: string;
  readonly queue: LockQueue;
  private readonly blocks: Blocks;
  private lastSequence = -1;
  /** By name, in grant order. */
  private readonly members = new Map<string, Member>();
  private readonly readers = new Set<string>();
  private readonly holding = new Set<string>();
  /** Whose contenders are new or changed since the last `takeChanged`. */
  private changed = new Set<Member>();

  constructor(key: string, queue: LockQueue, blocks: Blocks) {
    this.key = key;
    this.queue = queue;
    this.blocks = blocks;
  }

  get isEmpty(): boolean {
    return this.members.size === 0;
  }

  /** Takes in a member that is new behind all others, or known and read again. @returns whether it is either */
  put(member: Member): boolean {
    const { name, sequence, czxid } = member;
    if (this.members.get(name)?.czxid !== czxid) {
      if (sequence <= this.lastSequence || sequence > largestPlain) return false;
      this.lastSequence = sequence;
      if (member.match.kind === 'read') this.addReader(name);
    }
    this.members.set(name, member);
    this.changed.add(member);
    return true;
  }

  /** Beside the first reader all others are writers. */
  private addReader(name: string): void {
    if (this.readers.size === 0) for (const member of this.members.values()) this.changed.add(member);
    this.readers.add(name);
  }

  remove(name: string): void {
    this.members.delete(name);
    this.readers.delete(name);
    this.holding.delete(name);
  }

  /** @returns contenders that are new or changed */
  takeChanged(): Contender[] {
    for (const holder of this.newHolders()) {
      this.holding.add(holder.name);
      this.changed.add(holder);
    }
    const changed = Array.from(this.changed).filter(member => this.members.get(member.name) === member);
    this.changed = new Set();
    return changed.map(member => this.contenderOf(member));
  }

  /** Those that hold and did not before. */
  private *newHolders(): Generator<Member> {
    let isFirst = true;
    for (const member of this.members.values()) {
      const { kind } = member.match;
      if ((isFirst || kind === 'read') && !this.holding.has(member.name)) yield member;
      if (this.blocks(kind)) return;
      isFirst = false;
    }
  }

  private contenderOf(member: Member): Contender {
    const { node, match, sequence, dialect } = member;
    const { name, path, ephemeralOwner: ownerSession, czxid, createdAt } = node;
    const isWriter = dialect.writesAsExclusive === true && match.kind === 'exclusive' && this.readers.size > 0;
    const kind = isWriter ? 'write' : match.kind;
    const role = this.holding.has(name) ? 'holder' : 'waiter';
    return { name, path, kind, role, sequence, ownerSession, czxid, createdAt, identifier: identifierOf(member) };
  }
}
