import { l10n } from 'vscode';
import { escapeUnseen } from '../../base/displayText.ts';
import { isoTime } from '../../base/isoTime.ts';
import { sessionText } from '../../base/sessionText.ts';
import { readableAcl } from '../../zookeeper/accessDenied.ts';
import type { Acl, Stat, ZooKeeperClient } from '../../zookeeper/client.ts';
import { documentText } from '../platform/readOnlyTexts.ts';
import { decodeUtf8, isReadable } from '../words/dataText.ts';

/** A node as it was read. */
export interface NodeReading {
  path: string;
  stat: Stat;
  data: Uint8Array;
  /** `undefined`: this session may not read it. */
  acl: Acl[] | undefined;
}

/** @throws the error of reading the data; an ACL that this session may not read is left out */
export async function readNodeData(client: ZooKeeperClient, path: string): Promise<NodeReading> {
  const [{ data, stat }, acl] = await Promise.all([client.getData(path), readableAcl(client, path)]);
  return { path, data, stat, acl };
}

/** Sizes that an editor opens without delay, in bytes. */
const textLimit = 512 * 1024;
const hexLimit = 64 * 1024;

/**
 * A node as a document: its stat, its ACL, and its data as text (JSON is indented) or else as a hex dump. Invisible characters
 * are shown as their codes.
 *
 * @param cluster foreign text
 * @param expected czxid of the node that the user chose
 */
export function nodeText(reading: NodeReading, cluster: string, expected: bigint): string {
  const changed =
    reading.stat.czxid === expected ? [] : [l10n.t('Attention: this is a new node with the same name.'), ''];
  return [
    documentText(reading.path),
    l10n.t('Cluster: {0}', documentText(cluster)),
    '',
    ...changed,
    ...statLines(reading),
    '',
    ...aclLines(reading),
    '',
    ...dataLines(reading.data),
    '',
  ].join('\n');
}

function statLines({ stat, data }: NodeReading): string[] {
  const owner = stat.ephemeralOwner;
  return [
    l10n.t('Created: {0}, czxid {1}', isoTime(stat.ctime), xidText(stat.czxid)),
    l10n.t('Changed: {0}, mzxid {1}', isoTime(stat.mtime), xidText(stat.mzxid)),
    l10n.t('Last change of the children: pzxid {0}', xidText(stat.pzxid)),
    l10n.t('Versions: data {0}, children {1}, ACL {2}', stat.version, stat.cversion, stat.aversion),
    owner === 0n ? l10n.t('Owner session: none (not ephemeral)') : l10n.t('Owner session: {0}', sessionText(owner)),
    l10n.t('Children: {0}', stat.numChildren),
    l10n.t('Data: {0} B', data.length),
  ];
}

/** As ZooKeeper's own tools write it. */
function xidText(zxid: bigint): string {
  return `0x${zxid.toString(16)}`;
}

function aclLines({ acl }: NodeReading): string[] {
  if (acl === undefined) return [l10n.t('ACL: no permission to read it')];
  const lines = acl.map(({ scheme, id, permissions }) => `  ${documentText(`${scheme}:${id}`)} ${permissions}`);
  return [l10n.t('ACL:'), ...lines];
}

function dataLines(data: Uint8Array): string[] {
  if (data.length === 0) return [l10n.t('No data.')];
  const text = decodeUtf8(data.subarray(0, textLimit), data.length > textLimit);
  if (text === undefined || !isReadable(text)) return hexLines(data);
  if (data.length > textLimit) {
    return [l10n.t('The first {0} of {1} bytes, as text:', textLimit, data.length), '', ...escapedLines(text)];
  }
  const indented = indentedJson(text, 4 * textLimit);
  return indented === undefined
    ? [l10n.t('As text:'), '', ...escapedLines(text)]
    : [l10n.t('As JSON, laid out:'), '', ...escapedLines(indented)];
}

/** Tabs stay: an editor shows them. */
function escapedLines(text: string): string[] {
  return text.split(/\r\n|\n/u).map(line => line.split('\t').map(escapeUnseen).join('\t'));
}

function hexLines(data: Uint8Array): string[] {
  const shown = data.subarray(0, hexLimit);
  const lines = [
    data.length > hexLimit
      ? l10n.t('The first {0} of {1} bytes, in hexadecimal:', hexLimit, data.length)
      : l10n.t('In hexadecimal:'),
    '',
  ];
  for (let at = 0; at < shown.length; at += 16) lines.push(hexLine(shown.subarray(at, at + 16), at));
  return lines;
}

/** Offset, sixteen bytes, and the printable ASCII among them. */
function hexLine(bytes: Uint8Array, at: number): string {
  const hex = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join(' ');
  const plain = Array.from(bytes, byte => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
  return `${at.toString(16).padStart(8, '0')}  ${hex.padEnd(47)}  ${plain}`;
}

/**
 * Indents JSON, one line per member and element. It changes only the blanks between tokens: parsing and writing would lose
 * digits of numbers and members that occur twice.
 *
 * @param maxLength of the result: deep nesting turns a small text into a huge one
 * @returns `undefined` if the text is no JSON object or array, or the result would be too long
 */
export function indentedJson(text: string, maxLength: number): string | undefined {
  if (!/^\s*[[{]/u.test(text)) return undefined;
  try {
    JSON.parse(text);
  } catch {
    // Other text that begins with a bracket.
    return undefined;
  }
  // Valid JSON consists of these tokens and blanks only.
  return indented(text.match(/"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/gu) ?? [], maxLength);
}

const openers: ReadonlySet<string> = new Set(['{', '[']);
const closers: ReadonlySet<string> = new Set(['}', ']']);

function indented(tokens: readonly string[], maxLength: number): string | undefined {
  let depth = 0;
  let text = '';
  let before = '';
  for (const token of tokens) {
    const closes = closers.has(token);
    if (closes) depth--;
    const beginsLine = closes ? !openers.has(before) : openers.has(before) || before === ',';
    if (beginsLine) text += `\n${'  '.repeat(depth)}`;
    text += token === ':' ? ': ' : token;
    if (openers.has(token)) depth++;
    if (text.length > maxLength) return undefined;
    before = token;
  }
  return text;
}
