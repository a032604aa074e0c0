/** What is longer is no line of a log. */
const longestLine = 10_000;
/** A line names one session, a few at most. */
const mostIds = 5;

const hexadecimal = /^0x[0-9a-f]{1,16}$/i;
/** Any shorter number is more likely a part of a name than an id, which begins with the number of its server and a time. */
const decimal = /^-?\d{10,20}$/;
/** An id behind a word for it, as ZooKeeper, Curator and kazoo write it: `sessionid:0x…`, `session id = 0x…`, `sid=0x…`. */
const named = /(?:session(?:[ _-]?id)?|sid)["']?\s{0,3}[:=]?\s{0,3}["']?(0x[0-9a-f]{1,16}|-?\d{10,20})(?![\w.])/gi;
const anywhere = /(?<![\w.])(0x[0-9a-f]{1,16}|-?\d{15,20})(?![\w.])/gi;

function idOf(text: string): bigint | undefined {
  if (!hexadecimal.test(text) && !decimal.test(text)) return undefined;
  const value = BigInt(text);
  const isInRange = value < 2n ** 64n && value >= -(2n ** 63n) && value !== 0n;
  return isInRange ? BigInt.asIntN(64, value) : undefined;
}

/**
 * A session id in one of the forms in which programs write it: `0x100a5b…` in any case, or decimal, signed or unsigned.
 *
 * @returns signed; `undefined` for any other text, and for 0, which is no session
 */
export function sessionFrom(text: string): bigint | undefined {
  return text.length > 100 ? undefined : idOf(text.trim());
}

/** The session ids in a text: the text itself, or a line of a log. Those that a word for them stands before are taken alone. */
export function sessionsIn(text: string): bigint[] {
  const whole = sessionFrom(text);
  if (whole !== undefined) return [whole];
  const line = text.slice(0, longestLine);
  const marked = idsBy(named, line);
  return marked.length > 0 ? marked : idsBy(anywhere, line);
}

function idsBy(pattern: RegExp, line: string): bigint[] {
  const ids = [...line.matchAll(pattern)].flatMap(([, id = '']) => idOf(id) ?? []);
  return [...new Set(ids)].slice(0, mostIds);
}
