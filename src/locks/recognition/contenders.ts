import type { Member } from '../dialect.ts';
import type { Contender, HeldSince } from '../lockQueue.ts';
import type { Turn } from '../turn.ts';
import { identifierOf } from './members.ts';

// A member with its turn: the contender as it was last shown, if that is still right, since seldom more than a few change.

/** @returns the contender of a member whose turn it is not */
export function waiterOf(member: Member, { waitsFor, mayHold }: Extract<Turn, { holds: false }>): Contender {
  const { node, kind, contender: last } = member;
  const isSame = last?.role === 'waiter' && last.waitsFor === waitsFor && last.kind === kind;
  if (isSame && last.mayHold === mayHold) return last;
  const contender: Contender = waitsFor === undefined ? new Waiter(member) : new Follower(member, waitsFor);
  if (node.isUnread === true) contender.isUnread = true;
  if (mayHold === true) contender.mayHold = true;
  return keep(member, contender);
}

/** @returns the contender of a member whose turn it is */
export function holderOf(member: Member, heldSince: HeldSince): Contender {
  const { node, kind, contender: last } = member;
  const { earliest, latest } = heldSince;
  const known = last?.role === 'holder' && last.kind === kind ? last.heldSince : undefined;
  if (last !== undefined && known?.earliest === earliest && known.latest === latest) return last;
  const contender: Contender = node.isUnread === true ? new UnreadHolder(member) : new Holder(member, heldSince);
  return keep(member, contender);
}

function keep(member: Member, contender: Contender): Contender {
  const details = member.dialect.detailsOf?.(member.node) ?? '';
  // A field that few have: written out for all, it would cost each of 10,000 contenders more memory.
  if (details !== '') contender.details = details;
  member.contender = contender;
  return contender;
}

/**
 * Classes, one for each set of fields: V8 makes what it takes for long-lived by a literal where only a full collection frees it,
 * with all texts that it points to. Reading 10,000 contenders again and again then copied twice as much in each collection. A
 * field that is added to an object later would take a second object behind it.
 */
abstract class Placed {
  readonly name: string;
  readonly path: string;
  readonly kind: Contender['kind'];
  readonly sequence: number;
  readonly ownerSession: bigint;
  readonly czxid: bigint;
  readonly createdAt: number;
  readonly identifier: string;

  constructor(member: Member) {
    const { node } = member;
    this.name = node.name;
    this.path = node.path;
    this.kind = member.kind;
    this.sequence = member.sequence;
    this.ownerSession = node.ephemeralOwner;
    this.czxid = node.czxid;
    this.createdAt = node.createdAt;
    this.identifier = identifierOf(member);
  }
}

class Waiter extends Placed implements Contender {
  readonly role = 'waiter';
}

class Follower extends Waiter {
  readonly waitsFor: string;

  constructor(member: Member, waitsFor: string) {
    super(member);
    this.waitsFor = waitsFor;
  }
}

class Holder extends Placed implements Contender {
  readonly role = 'holder';
  readonly heldSince: HeldSince;

  constructor(member: Member, heldSince: HeldSince) {
    super(member);
    this.heldSince = heldSince;
  }
}

class UnreadHolder extends Placed implements Contender {
  readonly role = 'holder';
  readonly isUnread = true;
}
