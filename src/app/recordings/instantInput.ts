import type { Instant } from '../../replay/recording.ts';

const zxidPattern = /^(?:0x[\da-f]{1,16}|\d{1,19})$/i;
const timeOfDayPattern = /^\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?$/;
const isoPattern = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * What a person typed as an instant: a transaction id (`0x…` or decimal), a time of day, or a time in ISO 8601. Times without a
 * zone are local, a time of day is that of the day of `present`.
 *
 * @param present epoch ms
 * @returns `undefined` if it is none of these
 */
export function readInstant(text: string, present: number): Instant | undefined {
  const typed = text.trim();
  if (zxidPattern.test(typed)) return { zxid: BigInt(typed) };
  if (timeOfDayPattern.test(typed))
    return timeOf(`${localDay(present)} ${typed.padStart(typed.indexOf(':') === 1 ? typed.length + 1 : 0, '0')}`);
  return isoPattern.test(typed) ? timeOf(typed) : undefined;
}

/** A moment as it can be typed: local, exact. @param epochMs of the moment */
export function typedInstant(epochMs: number): string {
  const date = new Date(epochMs);
  const two = (value: number): string => String(value).padStart(2, '0');
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  return `${localDay(epochMs)} ${time}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

function localDay(epochMs: number): string {
  const date = new Date(epochMs);
  const [month, day] = [date.getMonth() + 1, date.getDate()].map(value => String(value).padStart(2, '0'));
  return `${String(date.getFullYear())}-${month ?? ''}-${day ?? ''}`;
}

/** A date alone would be taken for UTC. */
function timeOf(iso: string): Instant | undefined {
  const time = Date.parse(iso.length === 'yyyy-mm-dd'.length ? `${iso}T00:00` : iso.replace(' ', 'T'));
  return Number.isNaN(time) ? undefined : { time };
}
