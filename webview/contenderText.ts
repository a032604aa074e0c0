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

/** Everything that the picture says about a contender: position, kind, who, role, marks and whom it waits for. */
export function describeContender(contender: PictureContender, texts: PageTexts): string {
  const { name, waitsFor, isHolder, isDeadlocked } = contender;
  const wait =
    waitsFor === undefined ? [] : [texts.page(isDeadlocked ? 'queue.deadlockEdge' : 'queue.edge', name, waitsFor)];
  return [
    texts.count(contender.position),
    texts.kind(contender.kind),
    contender.who,
    texts.page(isHolder ? 'mark.holder' : 'mark.waiter'),
    ...marksOf(contender, texts),
    ...wait,
  ].join(' · ');
}
