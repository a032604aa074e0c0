import { l10n } from 'vscode';
import { displayBlock } from '../../base/displayText.ts';

const maxTextBytes = 2048;
const maxBinaryBytes = 64;

function hexDump(bytes: Uint8Array): string {
  const hex = Array.from(bytes.subarray(0, maxBinaryBytes), byte => byte.toString(16).padStart(2, '0'));
  const lines: string[] = [];
  for (let at = 0; at < hex.length; at += 16) lines.push(hex.slice(at, at + 16).join(' '));
  if (bytes.length > maxBinaryBytes) lines.push('…');
  return lines.join('\n');
}

/** UTF-8 text; `undefined` if it is none. @param isCut a character torn in two at the end is left out */
export function decodeUtf8(bytes: Uint8Array, isCut: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut });
  } catch {
    // Not UTF-8: shown as bytes instead.
    return undefined;
  }
}

/** Whether a person would call it text: a NUL, or many controls, mean a binary format that happens to be valid UTF-8. */
export function isReadable(text: string): boolean {
  const controls = text.match(/(?![\t\r\n])\p{Cc}/gu)?.length ?? 0;
  return !text.includes('\0') && controls * 10 <= text.length;
}

/** A node's data for a tooltip: as text where it is UTF-8, else as bytes; cut in both cases. */
export function dataText(data: Uint8Array): string {
  if (data.length === 0) return l10n.t('Data: none');
  const text = decodeUtf8(data.subarray(0, maxTextBytes), data.length > maxTextBytes);
  if (text !== undefined && isReadable(text)) {
    const block = displayBlock(text);
    if (data.length <= maxTextBytes) return `${l10n.t('Data ({0} B):', data.length)}\n${block}`;
    return `${l10n.t('Data (first {0} of {1} bytes):', maxTextBytes, data.length)}\n${block}`;
  }
  return `${l10n.t('Data ({0} B, not text):', data.length)}\n${displayBlock(hexDump(data))}`;
}
