import type { PictureContender } from '../src/protocol.ts';
import type { PageTexts } from './pageTexts.ts';

/** What marks a contender beyond its place and kind, in words; most urgent first. */
export function marksOf(
  contender: Readonly<{ isDeadlocked?: boolean; isStale: boolean; isOwn: boolean }>,
  texts: PageTexts,
): string[] {
  return [
    ...(contender.isDeadlocked === true ? [texts.page('mark.deadlocked')] : []),
    ...(contender.isStale ? [texts.page('mark.stale')] : []),
    ...(contender.isOwn ? [texts.page('mark.own')] : []),
  ];
}

/** The second line of a contender in the picture. */
export function markedKind(contender: PictureContender, texts: PageTexts): string {
  return [...marksOf(contender, texts), texts.kind(contender.kind)].join(' · ');
}

/**
 * Everything that the picture says about a contender. Begins with what stands in the picture, in its order, so that who
 * works by voice can say what they see (WCAG 2.5.3).
 */
export function describeContender(contender: PictureContender, texts: PageTexts): string {
  const { name, waitsFor, isHolder, isDeadlocked } = contender;
  const wait =
    waitsFor === undefined ? [] : [texts.page(isDeadlocked ? 'queue.deadlockEdge' : 'queue.edge', name, waitsFor)];
  return [
    texts.count(contender.position),
    contender.who,
    markedKind(contender, texts),
    texts.page(isHolder ? 'mark.holder' : 'mark.waiter'),
    ...wait,
  ].join(', ');
}
