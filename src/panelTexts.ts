/**
 * The fixed texts of the lock panel in English. The host translates them (`npm run l10n` finds them here), the page replaces the
 * placeholders.
 */
export const pageTexts = {
  'queue.heading': 'Queue',
  'queue.holders': 'Holds',
  'queue.waiters': 'Waits, in grant order',
  'queue.readersGroup': '{0} readers',
  'queue.slots': '{0} of {1} leases taken',
  'queue.freeSlot': 'free',
  'queue.folded': 'and {0} more',
  'queue.unfold': 'Show more',
  'queue.foldAgain': 'Show fewer',
  'queue.tooMany': 'The drawing stops here; the table has all of them.',
  'queue.edge': 'waits for {0}',
  'queue.pictureLabel': 'Who holds the lock and who waits for whom',
  'mark.holder': 'holds',
  'mark.waiter': 'waits',
  'cycle.lasting': 'Deadlock',
  'cycle.possible': 'Possible deadlock',
  'cycle.holds': 'holds {0}',
  'cycle.waitsAhead': 'waits ahead at {0}',
  'cycle.waitsFor': 'waits for',
  'cycle.step': '{0} {1}, waits for {2}',
  'cycle.folded': 'and {0} more',
  'cycle.here': 'this lock',
  'answer.heldFor': 'Held by {0} for {1}',
  'answer.held': 'Held by {0}',
  'answer.ledFor': 'Led by {0} for {1}',
  'answer.led': 'Led by {0}',
  'answer.readFor': 'Read by {0} for {1}',
  'answer.read': 'Read by {0}',
  'answer.where': '{0} ({1})',
  'answer.holders': 'Held by {0} contenders at once',
  'answer.readers': 'Held by {0} readers',
  'answer.leases': '{0} of {1} leases held',
  'answer.leasesOfUnknown': 'Leases held: {0}, the limit is not known',
  'answer.leaseOver': 'The lease of {0} has ended',
  'answer.noHolder': 'No contender holds it',
  'answer.unknownHolder': 'It is not known who holds it',
  'answer.noWaiter': 'none waits',
  'answer.waiterFor': '1 waits, for {0}',
  'answer.waiter': '1 waits',
  'answer.waitersFor': '{0} wait, the longest for {1}',
  'answer.waiters': '{0} wait',
  'answer.mayHold': 'of those, {0} may hold, too',
  'answer.next': 'next: {0}',
  'answer.nextAfterAll': 'next, when all have left: {0}',
  'answer.nextProbably': 'probably next: {0}',
  'answer.withOthers': '{0} and {1} more',
  'answer.withMany': '{0} and many more',
  'answer.race': 'the first client that creates the node',
  'answer.election': 'the one that the waiters elect',
  'answer.none': 'none of those that wait',
  'answer.and': '{0}; {1}',
  'answer.comma': '{0}, {1}',
  'answer.sentence': '{0}.',
  'answer.notCurrent': 'Not current. {0}',
  'answer.asOf': 'Not current, as of {0}. {1}',
  'answer.at': 'At {0}: {1}',
  'answer.unsure': 'Not sure, since the files do not show all of this time. {0}',
  'card.label': 'Holder and next in line',
  'card.holds': 'Holds',
  'card.leads': 'Leads',
  'card.next': 'Next in line',
  'card.nextProbably': 'Probably next',
  'card.heldFor': 'held for {0}',
  'card.waited': 'has waited {0}',
  'card.since': 'since {0}',
  'card.sinceEarliest': 'since {0} at the earliest',
  'card.session': 'session {0}',
  'card.alive': 'alive at {0}',
  'card.over': 'over: unknown to the leader at {0}',
  'card.copy': 'Copy',
  'card.more': 'and {0} more holders, see the table',
  'warning.show': 'Show in table',
  'mark.production': 'Production',
  'mark.readOnly': 'Read-only',
  'table.heading': 'Contenders',
  'table.label': 'Contenders of the lock',
  'table.filter': 'Filter',
  'table.filterPlaceholder': 'Part of any column',
  'table.filterClear': 'Clear filter',
  'table.range': '{0} to {1} of {2}',
  'table.noMatch': 'No contender matches the filter.',
  'table.previous': 'Previous page',
  'table.next': 'Next page',
  'table.sortedAscending': 'Sorted by {0}, ascending',
  'table.sortedDescending': 'Sorted by {0}, descending',
  'table.grantOrder': 'In grant order',
  'table.keys':
    'Arrow keys move between cells. Enter on a heading sorts, on a cell opens its actions. Ctrl+C copies the cell.',
  'row.actions': 'Actions',
  'row.copyCell': 'Copy cell',
  'row.copyRow': 'Copy row',
  'row.copyPath': 'Copy path',
  'row.showData': 'Show node data',
  'row.showSession': 'Show session',
  'row.forceDelete': 'Force delete…',
  'table.findOwners': 'Find owners',
  'history.heading': 'Timeline',
  'history.since': 'Seen since {0}',
  'history.empty': 'No holder has been seen since then.',
  'history.unseen': 'Nothing has been seen yet.',
  'history.pause': 'Pause',
  'history.resume': 'Resume',
  'history.paused': 'Paused: nothing is recorded.',
  'history.clear': 'Clear',
  'history.saveJson': 'Save as JSON…',
  'history.saveCsv': 'Save as CSV…',
  'history.events': 'Events: {0}',
  'history.eventsOfMore': 'Events kept: {0}, older events dropped: {1}',
  'history.barsLabel': 'Who held the lock from when to when',
  'history.lengthLabel': 'Length of the queue over time',
  'history.bar': '{0} held from {1} to {2}: {3}',
  'history.barBefore': '{0} held from {1} or before to {2}: {3} or longer',
  'history.barOpen': '{0} holds since {1}',
  'history.barOpenBefore': '{0} holds since {1} or before',
  'history.barLastSeen': '{0} held since {1} when last seen: {2}',
  'history.barLastSeenBefore': '{0} held since {1} or before when last seen: {2}',
  'history.hidden': 'Not drawn, for others held at the same time: {0}',
  'history.unwatched': 'Not watched: nothing is known about this time',
  'history.shown': 'From {0} to {1}',
  'history.zoomIn': 'Zoom in',
  'history.zoomOut': 'Zoom out',
  'history.earlier': 'Earlier',
  'history.later': 'Later',
  'history.whole': 'Whole time',
  'history.noHold': 'No contender held the lock in this time.',
  'history.unknown': 'Nothing is known about this time',
  'history.holds': 'Who held it',
  'history.waits': 'Who waited',
  'history.waitsHidden': 'Waits that are not drawn: {0}',
  'history.longest': 'Only the longest are drawn. Left out: {0} holds, {1} waits',
  'history.keys': 'Arrow keys move between holds and waits. Enter goes to the moment where one begins. + and − zoom.',
  'wait.bar': '{0} waited from {1} to {2}: {3}',
  'wait.barBefore': '{0} waited from {1} or before to {2}: {3} or longer',
  'wait.barLastSeen': '{0} waited since {1} when last seen: {2}',
  'wait.barLastSeenBefore': '{0} waited since {1} or before when last seen: {2}',
  'wait.barOpen': '{0} waits since {1}',
  'wait.barOpenBefore': '{0} waits since {1} or before',
  'cause.sentence': '{0}. Ended: {1}',
  'cause.deletedBy': 'deleted by {0}',
  'cause.released': 'released',
  'cause.session closed': 'session closed by its client',
  'cause.session expired': 'session expired',
  'cause.session ended': 'session ended',
  'cause.deleted by another session': 'deleted by another session',
  'cause.overtaken': 'overtaken: its node stayed, another contender got the lock',
  'cause.unknown': 'the end was not seen',
  'cause.held': 'got the lock',
  'cause.legend': 'Why holds and waits ended',
  'detail.label': 'Chosen hold or wait',
  'detail.who': 'Who',
  'detail.session': 'Session',
  'detail.queued': 'Queued',
  'detail.held': 'Held from',
  'detail.until': 'To',
  'detail.lasts': 'to the end of the recording',
  'detail.span': 'Held for',
  'detail.waited': 'Waited for',
  'detail.ended': 'Ended',
  'detail.close': 'Close',
  'detail.orBefore': '{0} or before',
  'detail.orLater': '{0} or later',
  'detail.orLonger': '{0} or longer',
  'time.label': 'Moment of the recording',
  'time.at': '{0}, transaction {1}',
  'time.previousHold': 'Previous hand-over',
  'time.nextHold': 'Next hand-over',
  'time.previousEnd': 'Previous session end',
  'time.nextEnd': 'Next session end',
  'time.play': 'Play',
  'time.pause': 'Stop playing',
  'time.speed': 'Speed',
  'time.follow': 'Follow the end',
  'time.field': 'Time or zxid',
  'time.fieldHint': '03:12:07 or 0x1a0000003f',
  'time.go': 'Go',
  'time.unreadable':
    'This is neither a time nor a zxid. Examples: 03:12:07, 2026-11-24 03:12:07.250, 2026-11-24T03:12:07Z, 0x1a0000003f',
  'time.gap': 'Not sure from {0} to {1}: {2}',
  'time.moreGaps': 'Further gaps: {0}',
  'time.sureFrom': 'Sure from {0} on',
  'time.neverSure': 'Not sure at any moment',
  'figure.handOvers': 'Hand-overs',
  'figure.longestQueue': 'Longest queue',
  'figure.hold': 'Time held',
  'figure.wait': 'Time waited',
  'figure.gap': 'Gap between holders',
  'figure.none': 'none seen yet',
  'figure.spread': 'median {0}, 95 % within {1}, longest {2}',
  'status.loading': 'Reading the queue.',
  'status.unconnected': 'Not connected yet.',
  'status.live': 'Live',
  'status.recorded': 'Recorded',
  'status.emptyThen': 'No client held the lock or waited for it at this moment.',
  'status.goneThen': 'The lock did not exist at this moment.',
  'status.empty': 'No client holds the lock or waits for it.',
  'status.gone': 'The lock does not exist (any more).',
  'status.denied': 'You have no permission to read the lock.',
  'status.failed': 'The lock could not be read.',
  'status.disconnected': 'Not current: this is the last state that was read.',
  'status.lastContact': 'Last contact: {0}',
  'status.connect': 'Connect',
  'status.reconnect': 'Reconnect',
  'status.openAgain': 'Open again',
  'status.explain': 'Explain lock',
  'status.explainPast': 'Explain what happened',
  'age.upTo': 'up to {0}',
  'age.range': '{0} to {1}',
  'span.ms': '{0} ms',
  'span.s': '{0} s',
  'span.min': '{0} min {1} s',
  'span.h': '{0} h {1} min',
  'span.d': '{0} d {1} h',
  'unit.min': '{0} min',
  'unit.h': '{0} h',
  'unit.d': '{0} d',
} as const;
export type PageText = keyof typeof pageTexts;

/** The headings of the table, in the order of the screen. */
export const columnTexts = {
  position: 'Position',
  kind: 'Kind',
  who: 'Who',
  address: 'Address',
  age: 'Age',
  waitsFor: 'Waits for',
  session: 'Session',
  sequence: 'Sequence',
  czxid: 'czxid',
} as const;

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * The text of an age in ms and its numbers: the two largest units, rounded down, without a second one of 0. A negative age (the clocks
 * differ) counts as 0.
 * Page and host both use it, so the filter and the clipboard match the screen.
 */
export function ageParts(ms: number): { text: PageText; numbers: number[] } {
  const age = Math.max(0, Math.floor(ms));
  const whole = (unit: number, within = Infinity): number => Math.floor((age % within) / unit);
  if (age < second) return { text: 'span.ms', numbers: [age] };
  if (age < minute) return { text: 'span.s', numbers: [whole(second)] };
  if (age < hour) return twoUnits('min', whole(minute), whole(second, minute));
  if (age < day) return twoUnits('h', whole(hour), whole(minute, hour));
  return twoUnits('d', whole(day), whole(hour, day));
}

/** The least age with the same text: many ages share one, so the cache stays small. */
export function shownAge(ageMs: number): number {
  const age = Math.max(0, ageMs);
  if (age < 1_000) return age;
  const unit = age < 3_600_000 ? 1_000 : age < 86_400_000 ? 60_000 : 3_600_000;
  return age - (age % unit);
}

function twoUnits(unit: 'min' | 'h' | 'd', large: number, small: number): { text: PageText; numbers: number[] } {
  return small === 0 ? { text: `unit.${unit}`, numbers: [large] } : { text: `span.${unit}`, numbers: [large, small] };
}

/** A bound of an age in one unit, in ms: never above the true age as the least, never below it as the most. */
export function boundParts(ms: number, bound: AgeBound): { text: PageText; numbers: number[] } {
  const round = bound === 'least' ? Math.floor : Math.ceil;
  const seconds = round(Math.max(0, ms) / second);
  if (seconds < 60) return { text: 'span.s', numbers: [seconds] };
  const minutes = round(seconds / 60);
  if (minutes < 60) return { text: 'unit.min', numbers: [minutes] };
  const hours = round(minutes / 60);
  if (hours < 24) return { text: 'unit.h', numbers: [hours] };
  return { text: 'unit.d', numbers: [round(hours / 24)] };
}

export type AgeBound = 'least' | 'most';

/** Times of day are written alike everywhere: 09:15:53. */
export const timeFormat = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;

/**
 * What an age is counted from, epoch ms: when a contender queued, and for a holder between which moments its turn came. Without
 * `latest` it was perhaps just now.
 */
export interface AgedRow {
  createdAt: number;
  heldSince?: { earliest: number; latest?: number };
}

/**
 * How long a contender has waited or held, as text: of a holder at least and at most, if its turn was not seen to come.
 *
 * @param now by the clock of the row
 * @param age an age in ms as text; `bound` where it may be less or more
 */
export function agedText(
  { createdAt, heldSince }: AgedRow,
  now: number,
  age: (ms: number, bound?: AgeBound) => string,
  page: (text: 'age.upTo' | 'age.range', ...parts: string[]) => string,
): string {
  const { earliest, latest = now } = heldSince ?? { earliest: createdAt, latest: createdAt };
  const [most, least] = [now - earliest, now - latest];
  if (most - least <= second) return age(most);
  if (least < second) return page('age.upTo', age(most, 'most'));
  return page('age.range', age(least, 'least'), age(most, 'most'));
}
