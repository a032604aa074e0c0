import { l10n } from 'vscode';
import { documentText } from '../platform/readOnlyTexts.ts';
import { escapeUnseen } from '../../base/displayText.ts';
import { decodeUtf8, isReadable } from '../words/readableData.ts';
import { sessionText } from '../../base/sessionText.ts';
import { laidOutJson } from './jsonLayout.ts';
import type { NodeReading } from './nodeData.ts';

/** What an editor still shows quickly. */
const textLimit = 512 * 1024;
const hexLimit = 64 * 1024;

/**
 * A node as a document: what the server knows of it, who may do what, and its data as text, laid out if it is JSON, or else
 * as bytes. Characters that cannot be seen are shown as their codes.
 *
 * @param cluster foreign text
 * @param expected czxid of the node that was asked for
 */
export function nodeText(reading: NodeReading, cluster: string, expected: bigint): string {
  const changed =
    reading.stat.czxid === expected ? [] : [l10n.t('Attention: this is a new node of the same name.'), ''];
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
    l10n.t('Created: {0}, czxid {1}', timeText(stat.ctime), xidText(stat.czxid)),
    l10n.t('Changed: {0}, mzxid {1}', timeText(stat.mtime), xidText(stat.mzxid)),
    l10n.t('Last change of the children: pzxid {0}', xidText(stat.pzxid)),
    l10n.t('Versions: data {0}, children {1}, ACL {2}', stat.version, stat.cversion, stat.aversion),
    owner === 0n ? l10n.t('Owner session: none (not ephemeral)') : l10n.t('Owner session: {0}', sessionText(owner)),
    l10n.t('Children: {0}', stat.numChildren),
    l10n.t('Data: {0} B', data.length),
  ];
}

/** As the tree and ZooKeeper's own tools write it. */
function xidText(zxid: bigint): string {
  return `0x${zxid.toString(16)}`;
}

function timeText(epochMs: number): string {
  const date = new Date(epochMs);
  return Number.isNaN(date.getTime()) ? String(epochMs) : date.toISOString();
}

function aclLines({ acl }: NodeReading): string[] {
  if (acl === undefined) return [l10n.t('ACL: may not be read')];
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
  const laidOut = laidOutJson(text, 4 * textLimit);
  return laidOut === undefined
    ? [l10n.t('As text:'), '', ...escapedLines(text)]
    : [l10n.t('As JSON, laid out:'), '', ...escapedLines(laidOut)];
}

/** Tabs stay, since a document shows them as what they are. */
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

/** Offset, sixteen bytes, and those of them that are plain ASCII. */
function hexLine(bytes: Uint8Array, at: number): string {
  const hex = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join(' ');
  const plain = Array.from(bytes, byte => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
  return `${at.toString(16).padStart(8, '0')}  ${hex.padEnd(47)}  ${plain}`;
}
