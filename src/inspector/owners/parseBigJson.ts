/** A text, or an integer of so many digits that a JavaScript number may not hold it; the latter becomes a text. */
const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const safeDigits = 15;

/**
 * Parses JSON whose integers may have 64 bits (session ids): those of more than 15 digits come out as text, digit for digit,
 * where `JSON.parse` would round them. Read ids with `toSessionId`, which takes both forms.
 *
 * @throws SyntaxError if it is not JSON
 */
export function parseBigJson(text: string): unknown {
  return JSON.parse(text.replace(token, found => (isLongInteger(found) ? `"${found}"` : found)));
}

function isLongInteger(found: string): boolean {
  return found.length > safeDigits && /^-?\d+$/.test(found);
}

const lowest = -(2n ** 63n);
const highest = 2n ** 63n - 1n;

/** @returns the id, signed as in a stat; `undefined` if the value is no 64-bit integer, or a number that was rounded */
export function toSessionId(value: unknown): bigint | undefined {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== 'string' || !/^-?\d{1,19}$/.test(text)) return undefined;
  const id = BigInt(text);
  return id >= lowest && id <= highest ? id : undefined;
}

/** @returns the id written as `0x…`, signed as in a stat; `undefined` if it is none */
export function hexSessionId(text: string): bigint | undefined {
  return /^0x[0-9a-f]{1,16}$/i.test(text) ? BigInt.asIntN(64, BigInt(text)) : undefined;
}
