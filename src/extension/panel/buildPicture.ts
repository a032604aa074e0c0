import type { Contender, LockQueue } from '../../locks/lockQueue.ts';
import { placeOf } from '../../locks/placeOf.ts';
import { pictureLimit, type Picture, type PictureContender } from '../../protocol.ts';
import { whoText } from '../words/whoText.ts';
import { shownName } from '../../base/shownName.ts';

/** What is drawn of a contender besides itself. */
export interface PictureFacts {
  isDeadlocked(contender: Contender): boolean;
  /** How many contenders `isDeadlocked` holds for; 0 saves looking for them. */
  deadlocked: number;
  isStale(contender: Contender): boolean;
  isOwn(contender: Contender): boolean;
}

/**
 * The head of the queue, and of those further back only the ones that are part of a deadlock.
 *
 * @param wanted how many contenders are unfolded, from the head
 */
export function buildPicture(queue: LockQueue, wanted: number, facts: PictureFacts): Picture {
  const { contenders } = queue;
  const head = Math.min(wanted, pictureLimit, contenders.length);
  const drawn: PictureContender[] = [];
  for (let at = 0; at < contenders.length && drawn.length < pictureLimit; at++) {
    if (at >= head && facts.deadlocked === 0) break;
    const contender = contenders[at];
    if (contender === undefined || (at >= head && !facts.isDeadlocked(contender))) continue;
    drawn.push(pictureContender(contender, placeOf(contender, at), facts));
  }
  const folded = contenders.length - drawn.length;
  const slots = slotsOf(queue);
  return {
    contenders: drawn,
    folded,
    canUnfold: folded > 0 && drawn.length < pictureLimit,
    ...(slots === undefined ? {} : { slots }),
  };
}

/** The number comes from the tree, so it may be absurd: then no slots are drawn. */
function slotsOf({ maxLeases }: LockQueue): number | undefined {
  return maxLeases !== undefined && maxLeases > 0 && maxLeases <= pictureLimit ? maxLeases : undefined;
}

function pictureContender(contender: Contender, position: number, facts: PictureFacts): PictureContender {
  const { name, czxid, kind, role, waitsFor } = contender;
  return {
    name: shownName(name),
    czxid: String(czxid),
    position,
    kind,
    isHolder: role === 'holder',
    who: whoText(contender),
    ...(waitsFor === undefined ? {} : { waitsFor: shownName(waitsFor) }),
    isDeadlocked: facts.isDeadlocked(contender),
    isStale: facts.isStale(contender),
    isOwn: facts.isOwn(contender),
  };
}
