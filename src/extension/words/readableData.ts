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
