import type { Interruptible } from '../base/interruptible.ts';
import { isoTime } from '../base/isoTime.ts';
import { sessionText, zxidText } from '../base/sessionText.ts';
import { csvCell } from './historyFile.ts';
import type { Hold, Moment, Wait } from './hold.ts';
import { eachWaitBegin, msBetween } from './whatHappened.ts';

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

function waitRecord(wait: Wait): HoldRecord {
  const { queued, from = queued, to, isEndUnseen } = wait;
  const isWhole = to !== undefined && isEndUnseen !== true;
  return { ...placeRecord('wait', wait), waitedMs: isWhole ? msBetween({ from, to }) : undefined };
}

const momentRecord = ({ time, zxid }: Moment) => ({ time: isoTime(time), zxid: zxidText(zxid) });

/** The texts of all holds and of all waits. */
function* textsOf(
  holds: readonly Hold[],
  waits: readonly Wait[],
  textOf: (record: HoldRecord) => string,
): Interruptible<{ holds: string[]; waits: string[] }> {
  const texts: { holds: string[]; waits: string[] } = { holds: [], waits: [] };
  yield* eachWaitBegin(holds, (hold, begin) => texts.holds.push(textOf(holdRecord(hold, begin))));
  for (const wait of waits) {
    texts.waits.push(textOf(waitRecord(wait)));
    yield;
  }
  return texts;
}

/** A list in a JSON object, indented by two blanks for each level. */
function listJson(texts: readonly string[]): string {
  return texts.length === 0 ? '[]' : `[\n    ${texts.join(',\n    ')}\n  ]`;
}

/**
 * Holds and waits as JSON: times in UTC, spans in ms. `endedBy` 0x0 is the server. A span is there where both its ends were seen.
 */
export function* holdsJson(source: HoldSource, holds: readonly Hold[], waits: readonly Wait[]): Interruptible<string> {
  const { recording, from, to, sureFrom, gaps, problems } = source;
  const head = {
    recording,
    from: momentRecord(from),
    to: momentRecord(to),
    sureFrom: momentRecord(sureFrom),
    gaps: gaps.map(gap => ({ from: momentRecord(gap.from), to: momentRecord(gap.to), why: gap.why })),
    problems,
  };
  const texts = yield* textsOf(holds, waits, record => JSON.stringify(record, undefined, 2).replaceAll('\n', '\n    '));
  const begin = JSON.stringify(head, undefined, 2).slice(0, -'\n}'.length);
  return `${begin},\n  "holds": ${listJson(texts.holds)},\n  "waits": ${listJson(texts.waits)}\n}\n`;
}

/** The same as CSV (RFC 4180), one line each below the heading. Unlike in JSON, texts may be changed: see `spreadsheetText`. */
export function* holdsCsv(holds: readonly Hold[], waits: readonly Wait[]): Interruptible<string> {
  const texts = yield* textsOf(holds, waits, record => columns.map(column => csvCell(record[column])).join(','));
  return [columns.join(','), ...texts.holds, ...texts.waits, ''].join('\r\n');
}
