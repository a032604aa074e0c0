const partCount = 64;

/**
 * A map by texts, for 100,000 and more of them: a `Map` copies all that it has when it grows, which takes 50 ms then. The order of the
 * texts is not that in which they came.
 */
export class TextMap<V> {
  private readonly parts = Array.from({ length: partCount }, () => new Map<string, V>());

  get(text: string): V | undefined {
    return this.partOf(text).get(text);
  }

  has(text: string): boolean {
    return this.partOf(text).has(text);
  }

  set(text: string, value: V): void {
    this.partOf(text).set(text, value);
  }

  delete(text: string): void {
    this.partOf(text).delete(text);
  }

  *keys(): IterableIterator<string> {
    for (const part of this.parts) yield* part.keys();
  }

  *[Symbol.iterator](): Iterator<[string, V]> {
    for (const part of this.parts) yield* part;
  }

  private partOf(text: string): Map<string, V> {
    let hash = text.length;
    for (let at = 0; at < text.length; at++) {
      hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
    }
    const part = this.parts[(hash ^ (hash >>> 16)) & (partCount - 1)];
    if (part === undefined) throw new RangeError('no part');
    return part;
  }
}
