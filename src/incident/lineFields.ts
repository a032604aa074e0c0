/** Reads fields of lines from a file that may hold anything. Each answers `undefined` for what is not of its form. */

/** Characters of a path or name: ZooKeeper takes no longer ones. */
export const longestPath = 1024 * 1024;

/** A value from JSON as an object with fields. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : undefined;
}

/** @param longest characters; longer texts are none */
export function textField(value: unknown, longest = longestPath): string | undefined {
  return typeof value === 'string' && value.length <= longest ? value : undefined;
}

/** An absolute path. */
export function pathField(value: unknown): string | undefined {
  const text = textField(value);
  return text?.startsWith('/') === true ? text : undefined;
}

/** A time in epoch ms, a span in ms, or a count. A server may report any time, so it need not be one of a date. */
export function wholeField(value: unknown): number | undefined {
  return Number.isInteger(value) ? (value as number) : undefined;
}

/** An id as `sessionText` writes it. */
export function idField(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^0x[0-9a-f]{1,16}$/.test(value) ? BigInt.asIntN(64, BigInt(value)) : undefined;
}

/** One of a closed list. */
export function wordField<T extends string>(value: unknown, words: readonly T[]): T | undefined {
  return words.find(word => word === value);
}

/** The texts of a list; other values in it are left out. @param most further ones are left out */
export function textsField(value: unknown, most: number, longest?: number): string[] {
  if (!Array.isArray(value)) return [];
  const texts: string[] = [];
  for (const each of value as unknown[]) {
    if (texts.length >= most) break;
    const text = textField(each, longest);
    if (text !== undefined) texts.push(text);
  }
  return texts;
}

/** The field, where it is there: for objects without `undefined`. */
export function present<K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [name]: value } as Partial<Record<K, V>>);
}
