import type { Card, Next, PanelSnapshot, PanelStatus } from '../src/protocol.ts';
import { exactTime } from './instantText.ts';
import type { PageTexts } from './pageTexts.ts';

type Answered = Pick<PanelSnapshot, 'answer' | 'totals' | 'status' | 'time'>;

/**
 * The moment that ages of the shown queue are counted to: now while it is current, else the last contact.
 *
 * @param now epoch ms
 * @returns `undefined` if it is not known of when the queue is
 */
export function momentOf(status: PanelStatus, now: number): number | undefined {
  if (status.state === 'disconnected') return status.lastContact;
  return status.state === 'failed' ? undefined : now;
}

/**
 * Who holds, for how long, how many wait, and who is next, in one sentence. That the queue is not current stands first.
 *
 * @param now epoch ms by the host's clock; absent: without ages, for what is announced
 */
export function answerText(snapshot: Answered, texts: PageTexts, now?: number): string {
  const { status, time } = snapshot;
  const at = now === undefined ? undefined : momentOf(status, now);
  const parts = [
    holderPart(snapshot, texts, at),
    leasePart(snapshot, texts),
    waiterPart(snapshot, texts, at),
    snapshot.answer.mayHold > 0 ? texts.page('answer.mayHold', snapshot.answer.mayHold) : '',
    nextPart(snapshot, texts),
  ].filter(part => part !== '');
  const sentence = texts.page(
    'answer.sentence',
    parts.reduce((left, right) => texts.page('answer.and', left, right)),
  );
  if (status.state === 'live') return sentence;
  if (time !== undefined) {
    // While the end is followed its moment alone is no news.
    const isPlain = time.isFollowing && now === undefined;
    const then = isPlain ? sentence : texts.page('answer.at', exactTime(time.at).slice(0, -4), sentence);
    return time.isSure ? then : texts.page('answer.unsure', then);
  }
  return at === undefined
    ? texts.page('answer.notCurrent', sentence)
    : texts.page('answer.asOf', texts.time(at, now ?? at), sentence);
}

function holderPart({ answer, totals }: Answered, texts: PageTexts, at: number | undefined): string {
  const [first] = answer.holders;
  if (first === undefined) return texts.page(answer.isHolderUnknown ? 'answer.unknownHolder' : 'answer.noHolder');
  if (answer.isLeaseOver) return texts.page('answer.leaseOver', whoText(first, texts));
  if (totals.holders === 1) return onePart(first, texts, at);
  if (answer.kind === 'lease') return leasesText(answer.limit, totals.holders, texts);
  return texts.page(answer.kind === 'read' ? 'answer.readers' : 'answer.holders', totals.holders);
}

function onePart(holder: Card, texts: PageTexts, at: number | undefined): string {
  const verb = verbOf(holder);
  const who = whoText(holder, texts);
  if (at === undefined || holder.isUnread === true) return texts.page(`answer.${verb}`, who);
  return texts.page(`answer.${verb}For`, who, texts.heldFor(holder, at));
}

function verbOf({ kind }: Card): 'led' | 'read' | 'held' {
  if (kind === 'candidate') return 'led';
  return kind === 'read' ? 'read' : 'held';
}

/** With the address, if that is known. */
function whoText({ who, address }: Card, texts: PageTexts): string {
  return address === undefined ? who : texts.page('answer.where', who, address);
}

/** Said besides who holds the only one. */
function leasePart({ answer: { kind, limit }, totals }: Answered, texts: PageTexts): string {
  return kind === 'lease' && totals.holders === 1 && limit !== undefined ? leasesText(limit, 1, texts) : '';
}

function leasesText(limit: number | undefined, holders: number, texts: PageTexts): string {
  return limit === undefined
    ? texts.page('answer.leasesOfUnknown', holders)
    : texts.page('answer.leases', holders, limit);
}

function waiterPart({ answer, totals: { waiters } }: Answered, texts: PageTexts, at: number | undefined): string {
  // Of a lock that is one node, those that wait have none.
  if (waiters === 0) return answer.next?.succession === 'race' ? '' : texts.page('answer.noWaiter');
  const { waitingSince } = answer;
  if (at === undefined || waitingSince === undefined) {
    return waiters === 1 ? texts.page('answer.waiter') : texts.page('answer.waiters', waiters);
  }
  const longest = texts.age(at - waitingSince);
  return waiters === 1 ? texts.page('answer.waiterFor', longest) : texts.page('answer.waitersFor', waiters, longest);
}

function nextPart({ answer: { next, kind }, totals }: Answered, texts: PageTexts): string {
  if (next === undefined) return '';
  const who = nextText(next, texts);
  if (next.succession === 'limit-unknown') return texts.page('answer.nextProbably', who);
  const isShared = totals.holders > 1 && kind !== 'lease';
  return texts.page(isShared ? 'answer.nextAfterAll' : 'answer.next', who);
}

function nextText({ succession, card, others }: Next, texts: PageTexts): string {
  if (succession === 'race' || succession === 'election') return texts.page(`answer.${succession}`);
  if (card === undefined) return texts.page('answer.none');
  if (others === undefined) return texts.page('answer.withMany', card.who);
  return others === 0 ? card.who : texts.page('answer.withOthers', card.who, others);
}
