import { expect } from 'vitest';
import type { EndCause, Hold, Moment } from '../../../src/history/hold.ts';
import type { JournalState } from '../../../src/journal/journalState.ts';
import { eventually } from '../../support/eventually.ts';

// What a recorder saw of a play, beside what the transaction log says of it.

export const key = ({ path, name, czxid }: Hold): string => `${path} ${name} ${czxid}`;

/** What a recorder may say of an end, by what it was: of the end of a session not how it came. */
const right: Partial<Record<EndCause, readonly EndCause[]>> = {
  'session closed': ['session closed', 'session ended'],
  'session expired': ['session expired', 'session ended'],
};

/** What a recorder may say where a hold ended so. */
export function rightCauses(ended: EndCause): readonly EndCause[] {
  return right[ended] ?? [ended];
}

/** Whether a time of the truth is outside of the gaps of the recorder, and behind its begin. */
export function isSeen({ sureFrom, to, gaps }: JournalState, { zxid }: Moment): boolean {
  const isOutside = gaps.every(gap => zxid <= gap.from.zxid || zxid > gap.to.zxid);
  return zxid > sureFrom.zxid && zxid <= to.zxid && isOutside;
}

/** Whether begin and end of a hold are. */
export function isSeenWhole(state: JournalState, { from, to }: Hold): boolean {
  return isSeen(state, from) && (to === undefined || isSeen(state, to));
}

/** Those that lasted through a gap are two holds for a recorder. */
export function throughNoGap({ gaps }: JournalState, { from, to }: Hold): boolean {
  return gaps.every(gap => gap.to.zxid <= from.zxid || (to !== undefined && to.zxid <= gap.from.zxid));
}

/** The servers are asked a few times for each deletion: waits until nothing is left to ask, or no answer will come. */
export async function causesKnown(state: JournalState): Promise<void> {
  const isOpen = ({ ended, isEndUnseen }: Hold): boolean => ended === 'unknown' && isEndUnseen !== true;
  await eventually(() => expect(state.holds().some(isOpen)).toBe(false), 3_000).catch(() => undefined);
}
