/**
 * The first `limit` bytes as UTF-8 text, without a character that is torn in two there.
 *
 * @returns `undefined` where a person would not call it text: a NUL, or many controls, mean a binary format that happens to be valid
 *   UTF-8
 */
export function readableText(bytes: Uint8Array, limit: number): string | undefined {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const text = decoder.decode(bytes.subarray(0, limit), { stream: bytes.length > limit });
    const controls = text.match(/(?![\t\r\n])\p{Cc}/gu)?.length ?? 0;
    return !text.includes('\0') && controls * 10 <= text.length ? text : undefined;
  } catch {
    // Not UTF-8: shown as bytes instead.
    return undefined;
  }
}

/** Sixteen bytes: where they begin, in hexadecimal, and the printable ASCII among them. */
export interface HexLine {
  at: number;
  hex: string;
  plain: string;
}

/** The bytes, sixteen to a line. */
export function hexLines(bytes: Uint8Array): HexLine[] {
  const lines: HexLine[] = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const line = bytes.subarray(at, at + 16);
    const hex = Array.from(line, byte => byte.toString(16).padStart(2, '0')).join(' ');
    const plain = Array.from(line, byte => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
    lines.push({ at, hex, plain });
  }
  return lines;
}
