/** The keys of the lock panel's fixed texts: the host fills them in the language of the editor, the page shows them. */
/** A comment tells the arguments of the key below it. */
export const pageTexts = [
  'queue.heading',
  /** contenders, holders, waiters */
  'queue.summary',
  'queue.holders',
  'queue.waiters',
  'queue.readers',
  /** number of readers */
  'queue.readersGroup',
  /** taken slots, all slots */
  'queue.slots',
  'queue.freeSlot',
  /** number of contenders that are folded */
  'queue.folded',
  'queue.unfold',
  'queue.foldAgain',
  'queue.tooMany',
  /** waiting node, node that it waits for */
  'queue.edge',
  /** waiting node, node that it waits for */
  'queue.deadlockEdge',
  'queue.pictureLabel',
  'mark.holder',
  'mark.waiter',
  'mark.stale',
  'mark.deadlocked',
  'mark.own',
  'mark.production',
  'mark.readOnly',
  'table.heading',
  'table.label',
  'table.filter',
  'table.filterPlaceholder',
  'table.filterClear',
  /** first row, last row, matching rows */
  'table.range',
  'table.noMatch',
  'table.previous',
  'table.next',
  /** column, sorted ascending by it */
  'table.sortedAscending',
  'table.sortedDescending',
  'table.grantOrder',
  'table.keys',
  'row.actions',
  'row.copyCell',
  'row.copyRow',
  'row.copyPath',
  'row.showData',
  'row.forceDelete',
  'table.findOwners',
  'history.heading',
  /** since when */
  'history.since',
  'history.empty',
  'history.unseen',
  'history.pause',
  'history.resume',
  'history.paused',
  'history.clear',
  'history.saveJson',
  'history.saveCsv',
  /** events kept, events dropped */
  'history.events',
  'history.barsLabel',
  'history.lengthLabel',
  /** who, from, until, span */
  'history.bar',
  /** who, from */
  'history.barOpen',
  /** who, from, last look */
  'history.barLastSeen',
  /** number of holds */
  'history.hidden',
  'history.unwatched',
  'history.fromBefore',
  'figure.handOvers',
  'figure.longestQueue',
  'figure.hold',
  'figure.wait',
  'figure.gap',
  'figure.none',
  /** p50, p95, max */
  'figure.spread',
  /** p50, p95 */
  'figure.spreadTwo',
  'status.loading',
  'status.live',
  'status.empty',
  'status.gone',
  'status.denied',
  'status.failed',
  'status.disconnected',
  /** time of the last contact */
  'status.lastContact',
  'status.reconnect',
  'status.explain',
  /** Units of a span; each takes the number(s): ms; s; min and s; h and min; days and h */
  'span.ms',
  'span.s',
  'span.min',
  'span.h',
  'span.d',
] as const;
export type PageText = (typeof pageTexts)[number];

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * The text of an age in ms, and what goes into it: its two largest units, rounded down; a negative one (clocks differ) is
 * none. Page and host write it by this, so that what is seen is also what is found and copied.
 */
export function ageParts(ms: number): { text: Extract<PageText, `span.${string}`>; numbers: number[] } {
  const age = Math.max(0, Math.floor(ms));
  const whole = (unit: number, within = Infinity): number => Math.floor((age % within) / unit);
  if (age < second) return { text: 'span.ms', numbers: [age] };
  if (age < minute) return { text: 'span.s', numbers: [whole(second)] };
  if (age < hour) return { text: 'span.min', numbers: [whole(minute), whole(second, minute)] };
  if (age < day) return { text: 'span.h', numbers: [whole(hour), whole(minute, hour)] };
  return { text: 'span.d', numbers: [whole(day), whole(hour, day)] };
}
