import { isoTime } from '../base/isoTime.ts';
import { sessionText } from '../base/sessionText.ts';
import { spreadsheetText } from '../base/spreadsheetText.ts';
import type { History, HistoryEvent } from './historyRecorder.ts';

/** The lock whose history is saved. Foreign text. */
export interface HistoryLock {
  cluster: string;
  path: string;
  name: string;
}

const columns = [
  'time',
  'event',
  'node',
  'identifier',
  'kind',
  'session',
  'czxid',
  'createdAt',
  'heldSinceEarliest',
  'heldSinceLatest',
  'queueLength',
  'heldMs',
  'gapMs',
  'waitMs',
] as const;
type EventRecord = Partial<Record<(typeof columns)[number], string | number>>;

function recordOf({ at, kind: event, contender, ...spans }: HistoryEvent): EventRecord {
  if (contender === undefined) return { time: isoTime(at), event, ...spans };
  const { path, identifier, kind, ownerSession, czxid, createdAt, heldSince, isUnread } = contender;
  return {
    time: isoTime(at),
    event,
    node: path,
    identifier,
    kind,
    session: ownerSession === 0n ? undefined : sessionText(ownerSession),
    ...(isUnread === true ? {} : { czxid: String(czxid), createdAt: isoTime(createdAt) }),
    ...(heldSince && { heldSinceEarliest: isoTime(heldSince.earliest) }),
    ...(heldSince?.latest !== undefined && { heldSinceLatest: isoTime(heldSince.latest) }),
    ...spans,
  };
}

/**
 * A history with all of its events as JSON; times in UTC, spans in ms. Creation and hold of a node are by the server's clock.
 *
 * @param savedAt epoch ms
 */
export function historyJson(
  events: readonly HistoryEvent[],
  { openedAt, figures, lengths, unwatched, dropped }: History,
  lock: HistoryLock,
  savedAt: number,
): string {
  const file = {
    lock,
    openedAt: isoTime(openedAt),
    savedAt: isoTime(savedAt),
    figures,
    droppedEvents: dropped,
    events: events.map(recordOf),
    lengths: lengths.map(({ at, contenders }) => ({ time: isoTime(at), contenders })),
    unwatched: unwatched.map(({ from, until }) => ({
      from: isoTime(from),
      until: until === undefined ? undefined : isoTime(until),
    })),
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

/** The events as CSV (RFC 4180), one line each below the heading. Unlike in JSON, texts may be changed: see `spreadsheetText`. */
export function historyCsv(events: readonly HistoryEvent[]): string {
  const lines = events.map(event => {
    const record = recordOf(event);
    return columns.map(column => csvCell(record[column])).join(',');
  });
  return [columns.join(','), ...lines, ''].join('\r\n');
}

/** A cell of a table. Text is foreign: it is always quoted, and never a formula. */
export function csvCell(value: string | number | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  return `"${spreadsheetText(value).replaceAll('"', '""')}"`;
}
