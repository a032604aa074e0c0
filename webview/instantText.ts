/** What a text says that names a moment: epoch ms, or a transaction as hexadecimal text. */
export type ReadInstant = { time: number } | { zxid: string };

/** Hexadecimal or decimal, as the host reads it where it asks for a moment. */
const zxidPattern = /^(?:0x[0-9a-f]{1,16}|\d{1,19})$/iu;
/** A day, perhaps; a time of day to the minute or finer; `Z` for UTC. */
const timePattern =
  /^(?:(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})[T ]\s*)?(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d{1,3}))?)?\s*(?<utc>Z)?$/iu;

/**
 * Reads a zxid (`0x1a0000003f`) or a time (`03:12`, `03:12:07.250`, `2026-11-24 03:12:07`, `2026-11-24T03:12:07Z`): local time,
 * as all times of the page are, unless it ends in `Z`.
 *
 * @param near epoch ms: a time without a day is of the same day
 * @returns `undefined` for any other text, and for days and times that there are not
 */
export function readInstant(text: string, near: number): ReadInstant | undefined {
  const trimmed = text.trim();
  if (zxidPattern.test(trimmed)) return { zxid: `0x${BigInt(trimmed).toString(16)}` };
  const found = timePattern.exec(trimmed)?.groups;
  if (found === undefined) return undefined;
  const time = timeOf(found, near);
  return time === undefined ? undefined : { time };
}

function timeOf({ year, month, day, hour, minute, second, fraction, utc }: Found, near: number): number | undefined {
  const isUtc = utc !== undefined;
  const two = (digits = '0'): string => digits.padStart(2, '0');
  const wanted = year === undefined ? dayOf(near, isUtc) : `${year}-${two(month)}-${two(day)}`;
  const clock = `${two(hour)}:${two(minute)}:${two(second)}.${(fraction ?? '').padEnd(3, '0')}`;
  // 24:00 would be taken for the next day.
  const time = Number(hour) > 23 ? Number.NaN : Date.parse(`${wanted}T${clock}${isUtc ? 'Z' : ''}`);
  // As would the 31st of April for the first of May.
  return Number.isNaN(time) || dayOf(time, isUtc) !== wanted ? undefined : time;
}

type Found = Readonly<Record<string, string | undefined>>;

function dayOf(time: number, isUtc: boolean): string {
  return (isUtc ? new Date(time).toISOString() : exactTime(time)).slice(0, 10);
}

/** A moment to the millisecond in local time, as `readInstant` reads it: `2026-11-24 03:12:07.250`. @param at epoch ms */
export function exactTime(at: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return String(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  return `${day} ${clock}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** The ends of a span, with the precision that keeps them apart: to the second for a minute and more. */
export function endTexts({ from, to }: { from: number; to: number }): [string, string] {
  const digits = to - from < 60_000 ? undefined : -'.000'.length;
  return [exactTime(from).slice(0, digits), exactTime(to).slice(0, digits)];
}
