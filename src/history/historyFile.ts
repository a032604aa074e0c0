import { sessionText } from '../../../base/sessionText.ts';
import type { HistoryEvent } from './historyEvents.ts';
import type { HistoryRecorder } from './historyRecorder.ts';

/** Which lock a history is of. Foreign text. */
export interface HistoryLock {
  cluster: string;
  path: string;
  name: string;
}

interface EventRecord {
  time: string;
  event: string;
  node?: string;
  identifier?: string;
  kind?: string;
  session?: string;
  czxid?: string;
  createdAt?: string;
  queueLength?: number;
  heldMs?: number;
  gapMs?: number;
  waitMs?: number;
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
  'queueLength',
  'heldMs',
  'gapMs',
  'waitMs',
] as const satisfies readonly (keyof EventRecord)[];

function timeText(epochMs: number): string {
  // The server's clock can hold what no date can.
  return Number.isFinite(epochMs) && Math.abs(epochMs) <= 8.64e15 ? new Date(epochMs).toISOString() : String(epochMs);
}

function recordOf({ at, kind: event, contender, ...spans }: HistoryEvent): EventRecord {
  if (contender === undefined) return { time: timeText(at), event, ...spans };
  const { path, identifier, kind, ownerSession, czxid, createdAt } = contender;
  return {
    time: timeText(at),
    event,
    node: path,
    identifier,
    kind,
    ...(ownerSession === 0n ? {} : { session: sessionText(ownerSession) }),
    czxid: String(czxid),
    createdAt: timeText(createdAt),
    ...spans,
  };
}

/** Everything that is kept of a history, as JSON; times in UTC, spans in ms. @param savedAt epoch ms */
export function historyJson(
  history: Pick<HistoryRecorder, 'events' | 'shown'>,
  lock: HistoryLock,
  savedAt: number,
): string {
  const { openedAt, figures, lengths, unwatched, dropped } = history.shown;
  const file = {
    lock,
    openedAt: timeText(openedAt),
    savedAt: timeText(savedAt),
    figures,
    droppedEvents: dropped,
    events: history.events.map(recordOf),
    lengths: lengths.map(({ at, contenders }) => ({ time: timeText(at), contenders })),
    unwatched: unwatched.map(({ from, until }) => ({
      from: timeText(from),
      ...(until === undefined ? {} : { until: timeText(until) }),
    })),
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

/** The events as CSV (RFC 4180), a line each after the heading. Unlike in JSON, texts may be changed: see `formulaStart`. */
export function historyCsv(events: readonly HistoryEvent[]): string {
  const lines = events.map(event => {
    const record = recordOf(event);
    return columns.map(column => csvCell(record[column])).join(',');
  });
  return [columns.join(','), ...lines, ''].join('\r\n');
}

/**
 * Where a spreadsheet could find a formula: a sign that begins a cell, blanks and quotes aside, or a cell that begins with a
 * tab or line break. Spreadsheets of many countries part cells by semicolons, some by tabs; then the quotes do not hold a text
 * together, and a cell begins in its midst. The look back starts at the sign, so that each run of blanks is passed over once.
 */
const formulaStart = /[=+\-@＝＋－＠](?<=(?:^|[;\p{Cc}\p{Zl}\p{Zp}])[\s\p{Cc}"]*.)|^(?=[\t\r])/gu;

/** Text is foreign: it is always quoted, and an apostrophe in front of what could be a formula keeps it a text. */
function csvCell(value: string | number | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  return `"${value.replaceAll(formulaStart, "'$&").replaceAll('"', '""')}"`;
}
