import { hexLines, readableText } from '../../base/bytesText.ts';
import { escapeUnseen } from '../../base/displayText.ts';
import { isoTime } from '../../base/isoTime.ts';
import { indentedJson } from '../../base/indentedJson.ts';
import { sessionText } from '../../base/sessionText.ts';
import type { NodeReading } from '../../app/panel/nodeReading.ts';
import { documentText } from '../platform/readOnlyTexts.ts';
import { l10n } from '../words/language.ts';

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
  const text = readableText(data, textLimit);
  if (text === undefined) return bytesLines(data);
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

/** Offset, sixteen bytes, and the printable ASCII among them. */
function bytesLines(data: Uint8Array): string[] {
  const lines = hexLines(data.subarray(0, hexLimit)).map(
    ({ at, hex, plain }) => `${at.toString(16).padStart(8, '0')}  ${hex.padEnd(47)}  ${plain}`,
  );
  const title =
    data.length > hexLimit
      ? l10n.t('The first {0} of {1} bytes, in hexadecimal:', hexLimit, data.length)
      : l10n.t('In hexadecimal:');
  return [title, '', ...lines];
}
