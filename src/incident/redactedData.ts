import { lastSegment, parentPath } from '../base/paths.ts';
import { recogniseName } from '../locks/recognition/recognise.ts';
import { objectOf } from './lineFields.ts';
import { addressParts, type Tokens } from './tokens.ts';

const none = new Uint8Array(0);
const encoder = new TextEncoder();
/** Texts that say how a lock stands, and times: they are neither who nor where. */
const kept = /^(?:ACQUIRED|NONE|null|true|false|-?\d{1,4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z?)$/;
const numeric = /^-?\d{1,20}$/;
/** Fields whose numbers are those of a client: a broker, a process. */
const numberOfClient = /id$/i;
const hiveLock = /^([^:]{1,200}):(\d{1,19}):(EXPLICIT|IMPLICIT):/;
const fateKind = /^(READ|WRITE):/;
/** ClickHouse: other leaders are accepted. */
const manyLead = ' (multiple leaders Ok)';
const jobInstance = '@-@';
const bookie = /^bookieId:\s*"([^"]*)"/;
const hostWords = /[\w.:[\]-]+/g;
/** Of several labels, of which the last is no number: `orders.v1` may be a lock. */
const hostName = /^[a-z\d][a-z\d-]{0,62}(?:\.[a-z\d-]{1,63}){0,20}\.[a-z]{2,63}$/i;
/** Deeper JSON is none that a lock is read from. */
const deepest = 16;

/**
 * The data of a node with everything that says who or where replaced, so that recognition reads the same lock from it: JSON keeps its
 * fields, numbers, times and empty texts; the words that libraries look for stay.
 *
 * @param path of the node
 */
export function redactedData(path: string, data: Uint8Array, tokens: Tokens): Uint8Array {
  if (data.length === 0) return none;
  const text = textIn(data);
  if (text === undefined) return binary(path, data, tokens);
  const json = jsonIn(text);
  if (json !== undefined) return encoder.encode(JSON.stringify(redactedJson(json.value, '', tokens, 0)));
  return encoder.encode(redactedText(path, text, tokens));
}

/** The texts in data that say who or where: what must not be in a redacted file. */
export function textsIn(data: Uint8Array): string[] {
  const text = textIn(data);
  if (text === undefined) return printableRuns(data);
  const json = jsonIn(text);
  if (json === undefined) return [text.trim()].filter(isTelling);
  const found: string[] = [];
  collect(json.value, found, 0);
  return found;
}

/**
 * The hosts and addresses in a text, which may stand in names without the rest of it: `worker@app7.example`.
 *
 * @param text the first 4,000 characters are looked at
 */
export function hostsIn(text: string): string[] {
  const words = text.slice(0, 4_000).match(hostWords) ?? [];
  return words.filter(word => {
    const host = addressParts(word)?.host;
    return hostName.test(host ?? word) || (host !== undefined && /[.:]/.test(host));
  });
}

function textIn(data: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(data);
    return /[\u0000-\u0008\u000e-\u001f]/.test(text) ? undefined : text;
  } catch {
    // Binary.
    return undefined;
  }
}

function printableRuns(data: Uint8Array): string[] {
  return (
    Buffer.from(data)
      .toString('latin1')
      .match(/[\x20-\x7e]{4,300}/g) ?? []
  );
}

function jsonIn(text: string): { value: object } | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { value } : undefined;
  } catch {
    // Cut off, or something else.
    return undefined;
  }
}

function collect(value: unknown, found: string[], depth: number): void {
  if (typeof value === 'string' && isTelling(value)) found.push(value);
  if (typeof value !== 'object' || value === null || depth > deepest) return;
  for (const each of Object.values(value)) collect(each, found, depth + 1);
}

function isTelling(text: string): boolean {
  return text !== '' && text !== '{' && !kept.test(text) && !numeric.test(text);
}

function redactedJson(value: unknown, field: string, tokens: Tokens, depth: number): unknown {
  if (typeof value === 'string') return isTelling(value) ? tokens.ofAddress(value) : value;
  if (typeof value === 'number') return numberOfClient.test(field) ? tokens.ofNumber(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= deepest) return null;
  if (Array.isArray(value)) return value.map(each => redactedJson(each, field, tokens, depth + 1));
  return Object.fromEntries(
    Object.entries(objectOf(value) ?? {}).map(([name, each]) => [name, redactedJson(each, name, tokens, depth + 1)]),
  );
}

function redactedText(path: string, text: string, tokens: Tokens): string {
  const word = text.trim();
  if (word === '' || word === '{' || kept.test(word)) return text;
  // A limit of a semaphore, not who holds it.
  if (numeric.test(word) && recogniseName(parentPath(path), lastSegment(path)) === undefined) return text;
  return withParts(word, tokens) ?? tokens.ofAddress(word);
}

/** Formats of several parts, of which recognition reads some. */
function withParts(text: string, tokens: Tokens): string | undefined {
  const of = (part = ''): string => tokens.of(part);
  const fate = fateKind.exec(text);
  if (fate !== null) return fate[0] + of(text.slice(fate[0].length));
  const hive = hiveLock.exec(text);
  if (hive !== null) return hiveText(text, hive, of);
  const auditor = bookie.exec(text);
  if (auditor !== null) return `bookieId: "${tokens.ofAddress(auditor[1] ?? '')}"`;
  if (text.includes(jobInstance)) return text.split(jobInstance).map(of).join(jobInstance);
  if (text.endsWith(manyLead)) return of(text.slice(0, -manyLead.length)) + manyLead;
  // JSON that was cut off names no contender, and must not begin to.
  return /^[[{]/.test(text) ? `{${of(text)}` : undefined;
}

/** Whose query, when, how; the query and the address of its client. */
function hiveText(text: string, [head, id, time, mode]: RegExpExecArray, of: (part?: string) => string): string {
  const rest = text.slice(head.length);
  const at = rest.indexOf(':');
  const query = at < 0 ? rest : rest.slice(0, at);
  return `${of(id)}:${time ?? ''}:${mode ?? ''}:${of(query)}:${of(at < 0 ? '' : rest.slice(at + 1))}`;
}

/** Hadoop's is a message whose field 3 is the host; of the others a text stands for the whole. */
function binary(path: string, data: Uint8Array, tokens: Tokens): Uint8Array {
  const token = encoder.encode(tokens.of(Buffer.from(data).toString('latin1')));
  return lastSegment(path) === 'ActiveStandbyElectorLock' ? Uint8Array.of(0x1a, token.length, ...token) : token;
}
