import type { ZxidSpan } from './endCauses.ts';
import type { Vanished } from './sessionLists.ts';

const keptTransactions = 20_000;
const prunedAtOnce = 5_000;
/** More than that are not gone through for one question. */
const longestSpan = 2_000n;

/**
 * What a transaction did. `wrote`: it created or wrote a node, or began a session, and deleted nothing. `deleted-one`: it deleted a node.
 * `deleted`: it may have deleted nodes, and ended no session. The owner of a node that it deleted (0n: none): it may have ended that
 * session, or deleted nodes.
 */
export type KnownDeed = 'wrote' | 'deleted-one' | 'deleted' | bigint;

/** `deleted-known`: it deleted one node, which is known. */
type Deed = KnownDeed | 'deleted-known';

/** What is known of single transactions, to find out which of them deleted a node, and which can have ended a session. */
export class KnownTransactions {
  private readonly known = new Map<bigint, Deed>();
  /** How often something became known. */
  private changes = 0;
  /** What was counted, and after how many changes. */
  private readonly counted = new WeakMap<Vanished, { at: number; isEven: boolean }>();

  note(zxid: bigint, deed: KnownDeed): void {
    const before = this.known.get(zxid);
    this.changes++;
    this.known.set(zxid, before === undefined ? deed : bothOf(before, deed));
    this.prune();
  }

  /** The only one of them that can have deleted a node that is not known to be deleted by one of them; `undefined`: there are several. */
  deletionWithin({ first, last }: ZxidSpan): bigint | undefined {
    if (first === last) return first;
    if (last - first > longestSpan) return undefined;
    let found: bigint | undefined;
    for (let zxid = first; zxid <= last; zxid++) {
      if (!this.canDelete(zxid)) continue;
      if (found !== undefined) return undefined;
      found = zxid;
    }
    return found;
  }

  /**
   * Whether the transaction that deleted a node of a session must be the one that ended it: no later one can have ended it.
   *
   * @param within the transactions that can have deleted the node
   * @param reached transaction at which the session was over
   */
  isDeletedByEnd({ first, last }: ZxidSpan, reached: bigint, session: bigint): boolean {
    if (reached - first > longestSpan) return false;
    const ids = new Set([session]);
    let isFound = false;
    let mayBeGone = false;
    for (let zxid = first; zxid <= reached; zxid++) {
      const canEnd = this.canEnd(zxid, ids);
      if (canEnd && mayBeGone) return false;
      const canDelete = zxid <= last && (first === last || this.canDelete(zxid));
      isFound ||= canEnd && canDelete;
      mayBeGone ||= canDelete;
    }
    return isFound;
  }

  /**
   * Whether the transaction that deleted a node with an owner must be one that ended a session, and so its owner's: no more transactions can
   * have ended one of the sessions that went than there were.
   *
   * @param within the transactions that can have deleted the node
   * @param vanished each of those sessions was ended by a transaction of its own
   */
  isDeletedByOneOfEnds({ first, last }: ZxidSpan, vanished: Vanished): boolean {
    const { within, ids } = vanished;
    if (first < within.first || last > within.last || !this.areAsManyAs(vanished)) return false;
    const deleting = this.deletingWithin({ first, last });
    return deleting.length > 0 && deleting.every(zxid => this.canEnd(zxid, ids));
  }

  /** Whether so many of the transactions can have ended one of the sessions as there are sessions. */
  private areAsManyAs(vanished: Vanished): boolean {
    const { ids, within } = vanished;
    const before = this.counted.get(vanished);
    if (before?.at === this.changes) return before.isEven;
    let left = within.last - within.first > longestSpan ? -1 : ids.size;
    for (let zxid = within.first; zxid <= within.last && left >= 0; zxid++) if (this.canEnd(zxid, ids)) left--;
    this.counted.set(vanished, { at: this.changes, isEven: left === 0 });
    return left === 0;
  }

  clear(): void {
    this.changes++;
    this.known.clear();
  }

  private deletingWithin({ first, last }: ZxidSpan): bigint[] {
    if (first === last) return [first];
    const all = Array.from({ length: Number(last - first) + 1 }, (_, at) => first + BigInt(at));
    return all.filter(zxid => this.canDelete(zxid));
  }

  private canDelete(zxid: bigint): boolean {
    const deed = this.known.get(zxid);
    return deed !== 'wrote' && deed !== 'deleted-known';
  }

  /** Whether it can have ended one of those sessions. */
  private canEnd(zxid: bigint, ids: ReadonlySet<bigint>): boolean {
    const deed = this.known.get(zxid);
    return deed === undefined || (typeof deed === 'bigint' && ids.has(deed));
  }

  /** Many at once: a map finds its first key the slower the more were deleted before it. */
  private prune(): void {
    if (this.known.size <= keptTransactions + prunedAtOnce) return;
    for (const zxid of this.known.keys()) {
      if (this.known.size <= keptTransactions) return;
      this.known.delete(zxid);
    }
  }
}

function bothOf(one: Deed, other: Deed): Deed {
  if (one === other) return one;
  const isKnown = [one, other].some(deed => deed === 'deleted-known' || typeof deed === 'bigint');
  if (isKnown && (one === 'deleted-one' || other === 'deleted-one')) return 'deleted-known';
  // What did two things is no end of a session.
  return 'deleted';
}
