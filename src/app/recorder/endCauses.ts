import type { EndCause, Moment } from '../../history/hold.ts';

/** Transactions, from the first to the last: one of them did something. */
export interface ZxidSpan {
  first: bigint;
  last: bigint;
}

/** A node of a lock that was deleted, as far as the watch shows it. */
export interface Deletion {
  path: string;
  czxid: bigint;
  /** 0n: not ephemeral, or not known. */
  owner: bigint;
  at: Moment;
  /** The transactions that can have deleted it. */
  within: ZxidSpan;
  /** When its event came, steady ms: it was deleted before that. */
  seenAt: number;
}

/** The transaction of a deletion; `undefined`: not known. */
export function deletedBy({ first, last }: ZxidSpan): bigint | undefined {
  return first === last ? first : undefined;
}

/** A session whose server said that a transaction was its last operation. */
export interface Author {
  session: bigint;
  /** `DELE`, `MULT` or `CLOS`. */
  operation: string;
}

/** What the servers say of a deletion. */
export interface Evidence {
  /** Who made that very transaction; empty where that is not known. */
  authors: readonly Author[];
  /** Present if the owner session is over: a complete list lacks it, which was asked for after the deletion was seen. */
  end?: {
    how?: 'closed' | 'expired';
    /** No other transaction can have ended the session than the one that deleted the node. */
    isThatTransaction: boolean;
  };
}

/** Why a node went. */
export interface Verdict {
  ended: EndCause;
  endedBy?: bigint;
}

/**
 * Why a node went, as far as that is proven; nothing is guessed.
 *
 * A program that releases a lock and then ends leaves the same picture as one that only ends, so that the session is over proves nothing
 * by itself: the end must be the deleting transaction. So it is with a session that runs out: another one may have deleted its node
 * before.
 *
 * @returns `undefined`: not proven
 */
export function causeOf({ owner }: Pick<Deletion, 'owner'>, { authors, end }: Evidence): Verdict | undefined {
  // The creator of a node without an owner is not known.
  if (owner === 0n) return undefined;
  const [author, ...others] = authors;
  if (author !== undefined) return others.length === 0 ? byAuthor(author, owner) : undefined;
  if (end?.isThatTransaction !== true) return undefined;
  if (end.how === 'expired') return { ended: 'session expired' };
  return { ended: end.how === 'closed' ? 'session closed' : 'session ended' };
}

function byAuthor({ session, operation }: Author, owner: bigint): Verdict | undefined {
  // The end of another session deletes no node of this one.
  if (operation === 'CLOS') return session === owner ? { ended: 'session closed' } : undefined;
  return session === owner ? { ended: 'released' } : { ended: 'deleted by another session', endedBy: session };
}
