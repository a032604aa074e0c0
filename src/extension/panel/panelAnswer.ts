import { lockAnswer, type LockAnswer } from '../../app/panel/lockAnswer.ts';
import type { FoundOwners } from '../../app/owners/foundOwners.ts';
import { displayText } from '../../base/displayText.ts';
import { nextHorizon } from '../../inspector/turnsWithout.ts';
import type { Contender, LockQueue } from '../../locks/lockQueue.ts';
import {
  cardLimit,
  type Answer,
  type Card,
  type Next,
  type PanelSnapshot,
  type ShownContender,
} from '../../protocol.ts';
import { whoText } from '../words/contenderText.ts';
import { localTimes } from '../../app/panel/localTimes.ts';
import { sessionCell } from './lockTable.ts';

export interface AnswerFacts {
  /** Epoch ms of the server's clock. */
  now: number;
  /** How far the clock of this machine is ahead, ms. */
  aheadMs: number;
  owners: FoundOwners;
  shown: (contender: Contender) => ShownContender;
}

/** What the head of the page shows, and how many there are of each. */
export function buildAnswer(queue: LockQueue, facts: AnswerFacts): Pick<PanelSnapshot, 'answer' | 'totals'> {
  const found = lockAnswer(queue, facts.now);
  const { holders, kind, waiters, waitingSince, mayHold } = found;
  const { contenders, strangers, maxLeases } = queue;
  const cardOf = (contender: Contender): Card => shownCard(contender, queue, facts);
  const answer: Answer = {
    holders: holders.slice(0, cardLimit).map(cardOf),
    isHolderUnknown: found.isHolderUnknown,
    isLeaseOver: found.isLeaseOver,
    mayHold,
    ...(kind === undefined ? {} : { kind }),
    ...(maxLeases === undefined ? {} : { limit: maxLeases }),
    ...(waitingSince === undefined ? {} : { waitingSince: waitingSince + facts.aheadMs }),
    ...nextOf(found, cardOf),
  };
  const totals = { contenders: contenders.length, holders: holders.length, waiters, strangers: strangers.length };
  return { answer, totals };
}

function nextOf({ next: found }: LockAnswer, cardOf: (contender: Contender) => Card): { next?: Next } {
  if (found === undefined) return {};
  const { succession, next } = found;
  const [first] = next;
  if (first === undefined) return { next: { succession } };
  const others = next.length < nextHorizon ? { others: next.length - 1 } : {};
  return { next: { succession, card: cardOf(first), ...others } };
}

function shownCard(contender: Contender, { contenders }: LockQueue, { owners, aheadMs, shown }: AnswerFacts): Card {
  const address = owners.addresses.get(contender.ownerSession);
  const seen = owners.sessionOf(contender);
  return {
    ...shown(contender),
    ...localTimes(contender, aheadMs),
    position: contenders.indexOf(contender) + 1,
    kind: contender.kind,
    who: whoText(contender),
    session: sessionCell(contender),
    hasOwner: contender.ownerSession !== 0n,
    ...(address === undefined ? {} : { address: displayText(address, 60) }),
    ...(seen === undefined ? {} : { seen }),
  };
}
