import { isoTime } from '../base/isoTime.ts';
import { sessionText, zxidText } from '../base/sessionText.ts';
import { csvCell } from './historyFile.ts';
import type { Hold, Moment, Wait } from './hold.ts';
import { msBetween, waitBegins } from './whatHappened.ts';

/** Where holds come from. Names are foreign text. */
export interface HoldSource {
  recording: string;
  from: Moment;
  to: Moment;
  /** From here on the picture is complete. */
  sureFrom: Moment;
  gaps: readonly { from: Moment; to: Moment; why: string }[];
  problems: readonly { file: string; offset: number; what: string }[];
}

const columns = [
  'record', 'lock', 'lockName', 'node', 'kind', 'identifier', 'session', 'czxid', 'queued', 'queuedZxid', 'from', 'fromZxid',
  'fromBefore', 'to', 'toZxid', 'ended', 'endedBy', 'waitedMs', 'heldMs',
] as const; // prettier-ignore
type HoldRecord = Partial<Record<(typeof columns)[number], string | number | undefined>>;

function placeRecord(record: 'hold' | 'wait', place: Hold | Wait): HoldRecord {
  const { path, lockName, name, kind, identifier, ownerSession, czxid, queued, to, ended, endedBy, isFromBefore } =
    place;
  return {
    record,
    lock: path,
    lockName,
    node: name,
    kind,
    identifier,
    session: ownerSession === 0n ? undefined : sessionText(ownerSession),
    czxid: zxidText(czxid),
    queued: isoTime(queued.time),
    queuedZxid: zxidText(queued.zxid),
    fromBefore: isFromBefore === true ? 'yes' : undefined,
    ...(to && { to: isoTime(to.time), toZxid: zxidText(to.zxid) }),
    ended,
    endedBy: endedBy === undefined ? undefined : sessionText(endedBy),
  };
}

function holdRecord(hold: Hold, waitBegan: Moment | undefined): HoldRecord {
  const { from, to, isEndUnseen, isFromBefore } = hold;
  const isWhole = isFromBefore !== true && isEndUnseen !== true;
  return {
    ...placeRecord('hold', hold),
    from: isoTime(from.time),
    fromZxid: zxidText(from.zxid),
    waitedMs: waitBegan && msBetween({ from: waitBegan, to: from }),
    heldMs: isWhole && to !== undefined ? msBetween({ from, to }) : undefined,
  };
}

function holdRecords(holds: readonly Hold[]): HoldRecord[] {
  const begins = waitBegins(holds);
  return holds.map(hold => holdRecord(hold, begins.get(hold)));
}

function waitRecord(wait: Wait): HoldRecord {
  const { queued, from = queued, to, isEndUnseen } = wait;
  const isWhole = to !== undefined && isEndUnseen !== true;
  return { ...placeRecord('wait', wait), waitedMs: isWhole ? msBetween({ from, to }) : undefined };
}

const momentRecord = ({ time, zxid }: Moment) => ({ time: isoTime(time), zxid: zxidText(zxid) });

/**
 * Holds and waits as JSON: times in UTC, spans in ms. `endedBy` 0x0 is the server. A span is there where both its ends were seen.
 */
export function holdsJson(source: HoldSource, holds: readonly Hold[], waits: readonly Wait[]): string {
  const { recording, from, to, sureFrom, gaps, problems } = source;
  const file = {
    recording,
    from: momentRecord(from),
    to: momentRecord(to),
    sureFrom: momentRecord(sureFrom),
    gaps: gaps.map(gap => ({ from: momentRecord(gap.from), to: momentRecord(gap.to), why: gap.why })),
    problems,
    holds: holdRecords(holds),
    waits: waits.map(waitRecord),
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

/** The same as CSV (RFC 4180), one line each below the heading. Unlike in JSON, texts may be changed: see `spreadsheetText`. */
export function holdsCsv(holds: readonly Hold[], waits: readonly Wait[]): string {
  const records = [...holdRecords(holds), ...waits.map(waitRecord)];
  const lines = records.map(record => columns.map(column => csvCell(record[column])).join(','));
  return [columns.join(','), ...lines, ''].join('\r\n');
}
