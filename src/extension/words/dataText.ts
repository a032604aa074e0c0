import { hexLines, readableText } from '../../base/bytesText.ts';
import { displayBlock } from '../../base/displayText.ts';
import { l10n } from './language.ts';

const maxTextBytes = 2048;
const maxBinaryBytes = 64;

/** A node's data for a tooltip: as text where it is UTF-8, else as bytes; cut in both cases. */
export function dataText(data: Uint8Array): string {
  if (data.length === 0) return l10n.t('Data: none');
  const text = readableText(data, maxTextBytes);
  if (text === undefined) {
    const lines = hexLines(data.subarray(0, maxBinaryBytes)).map(({ hex }) => hex);
    if (data.length > maxBinaryBytes) lines.push('…');
    return `${l10n.t('Data ({0} B, not text):', data.length)}\n${displayBlock(lines.join('\n'))}`;
  }
  const block = displayBlock(text);
  if (data.length <= maxTextBytes) return `${l10n.t('Data ({0} B):', data.length)}\n${block}`;
  return `${l10n.t('Data (first {0} of {1} bytes):', maxTextBytes, data.length)}\n${block}`;
}
