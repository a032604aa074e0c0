const MAX_CHARACTERS = 200;
/** Enough for 200 characters of four bytes each and some white space around them; node data may be 1 MB. */
const MAX_BYTES = 1024;
// A control character other than tab and line end says that this is no text: WriteLock writes the bytes 0x12 0x34.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/**
 * Turns node data into a short text that says who: UTF-8, trimmed, at most 200 characters. Not sanitised: foreign text.
 *
 * @returns '' for empty or binary data
 */
export function textOf(data: Uint8Array): string {
  if (data.length === 0) return '';
  const text = decode(data.length > MAX_BYTES ? data.subarray(0, MAX_BYTES) : data, data.length > MAX_BYTES);
  return text === undefined || CONTROL.test(text) ? '' : shorten(text);
}

/** Printable ASCII, tabs and line ends: the same text in every encoding, and nothing that says that it is no text. */
const PLAIN = /^[\t\n\r -~]*$/;

/**
 * What `textOf` may be spared: decoding the data of each of 10,000 contenders costs more than a look at their bytes.
 *
 * @param bytes one character for each byte
 * @returns `bytes` where they are a text of which `textOf` reads all; undefined otherwise
 */
export function plainTextIn(bytes: string): string | undefined {
  return bytes.length <= MAX_BYTES && PLAIN.test(bytes) ? bytes : undefined;
}

/** As `textOf` for the data of a node, which may be made only when they are asked for. */
export function nodeText(node: { readonly data: Uint8Array; readonly plainText?: string | undefined }): string {
  const { plainText } = node;
  return plainText === undefined ? textOf(node.data) : shorten(plainText);
}

/**
 * Reads a part of the data as text, for formats whose fields stand at its start or end. Characters torn at the edges are left out.
 *
 * @param start the first byte
 * @param end behind the last byte; may be past the end
 * @returns '' for binary data
 */
export function partOf(data: Uint8Array, start: number, end: number): string {
  let from = Math.max(0, start);
  while (from > 0 && isInsideCharacter(data[from])) from++;
  const text = decode(data.subarray(from, end), end < data.length) ?? '';
  return CONTROL.test(text) ? '' : text;
}

function isInsideCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/**
 * Cuts a text to 200 characters without splitting a surrogate pair.
 *
 * @returns the trimmed text
 */
export function shorten(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length <= MAX_CHARACTERS) return trimmed;
  return Array.from(trimmed.slice(0, 2 * MAX_CHARACTERS))
    .slice(0, MAX_CHARACTERS)
    .join('');
}

/**
 * Reads a JSON object and gives the first of the named fields that is a non-empty text or a number.
 *
 * @param fields in order of preference
 * @returns '' when the data is no JSON object or has none of them
 */
export function jsonFieldOf(data: Uint8Array, fields: readonly string[]): string {
  return firstField(jsonObjectOf(data), fields);
}

/**
 * Parses data as a JSON object.
 *
 * @returns undefined for anything else
 */
export function jsonObjectOf(data: Uint8Array): Map<string, unknown> | undefined {
  if (data.length === 0 || data.length > MAX_JSON_BYTES) return undefined;
  const text = decode(data, false);
  // Most data are no JSON, and an error costs many times what this look does.
  if (text?.trimStart().startsWith('{') !== true) return undefined;
  try {
    return mapOf(JSON.parse(text));
  } catch {
    // Not JSON: the data is foreign, anything may stand there.
    return undefined;
  }
}

const MAX_JSON_BYTES = 64 * 1024;

/**
 * The fields of a parsed JSON object, as a map (names are foreign).
 *
 * @returns undefined for arrays, null and plain values
 */
export function mapOf(value: unknown): Map<string, unknown> | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? new Map(Object.entries(value)) : undefined;
}

/** The first of the named fields that is a non-empty text without control characters or a number, as text; '' when there is none. */
export function firstField(object: ReadonlyMap<string, unknown> | undefined, fields: readonly string[]): string {
  for (const field of fields) {
    const value = object?.get(field);
    if (typeof value === 'number' && Number.isFinite(value)) return String(value);
    if (typeof value === 'string' && isName(value)) return shorten(value);
  }
  return '';
}

function isName(value: string): boolean {
  const name = value.trim();
  return name !== '' && !CONTROL.test(name);
}

/**
 * Who, from data that is JSON or plain text: one of the object's fields, or the text.
 *
 * @param fields in order of preference
 * @returns '' for other data, and for JSON that has none of the fields, is broken or too long
 */
export function namedIn(data: Uint8Array, fields: readonly string[]): string {
  const field = jsonFieldOf(data, fields);
  if (field !== '') return field;
  const text = textOf(data);
  return text.startsWith('{') || text.startsWith('[') ? '' : text;
}

/**
 * Cuts characters off the end of a text, in one pass: a regular expression that ends in `+$` takes time in the square of the length.
 *
 * @param characters what to cut off
 */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/**
 * Reads one text field of a protobuf message, best effort.
 *
 * @param field the field's number
 * @returns the bytes of the first length-delimited field of that number; undefined when the message ends or breaks before
 */
export function protobufField(message: Uint8Array, field: number): Uint8Array | undefined {
  let at = 0;
  while (at < message.length) {
    const next = readField(message, at);
    if (next === undefined) return undefined;
    if (next.field === field && next.bytes !== undefined) return next.bytes;
    at = next.end;
  }
  return undefined;
}

const VARINT = 0;
const LENGTH_DELIMITED = 2;

/** One-byte tags and lengths are all that host names need; anything longer ends the reading. */
function readField(message: Uint8Array, start: number): { field: number; bytes?: Uint8Array; end: number } | undefined {
  const tag = message[start] ?? 0;
  const field = tag >> 3;
  if (tag > 127) return undefined;
  if ((tag & 7) === VARINT) {
    let end = start + 1;
    while ((message[end] ?? 0) > 127) end++;
    return { field, end: end + 1 };
  }
  const length = message[start + 1] ?? 0;
  const end = start + 2 + length;
  if ((tag & 7) !== LENGTH_DELIMITED || length > 127 || end > message.length) return undefined;
  return { field, bytes: message.subarray(start + 2, end), end };
}

/** Keeps nothing from one text to the next; one for each of 10,000 contenders would take most of the time. */
const wholeTexts = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Uint8Array, cut: boolean): string | undefined {
  try {
    if (!cut) return wholeTexts.decode(bytes);
    // A cut may fall into a character: `stream` keeps the incomplete end back instead of failing, and in the decoder.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    // Not UTF-8: binary data.
    return undefined;
  }
}
