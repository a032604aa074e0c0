const partLength = 8_192;

/**
 * A set in the order in which values came, for 100,000 and more of them: a `Set` copies all that it has when it grows, which takes 50 ms
 * then. Deletes values fast that came late, or first.
 */
export class LongSet<T> implements Iterable<T> {
  private readonly parts: Set<T>[] = [];
  private count = 0;
  private isShifted = false;
  /** Goes through the first part, whose values are deleted in that order. */
  private firsts: Iterator<T> | undefined;

  /** Whether `shift` has deleted something. */
  get wasShifted(): boolean {
    return this.isShifted;
  }

  get size(): number {
    return this.count;
  }

  has(value: T): boolean {
    return this.partOf(value) !== undefined;
  }

  /** @param value that is not in the set */
  append(value: T): void {
    let last = this.parts.at(-1);
    if (last === undefined || last.size >= partLength) this.parts.push((last = new Set()));
    last.add(value);
    this.count++;
  }

  delete(value: T): void {
    const part = this.partOf(value);
    if (part !== undefined) this.deleteFrom(part, value);
  }

  /** Deletes the value that came first. */
  shift(): void {
    const [first] = this.parts;
    if (first === undefined) return;
    // A new iterator would go past all that were deleted before.
    this.firsts ??= first.values();
    const next = this.firsts.next();
    if (next.done === true) return;
    this.isShifted = true;
    this.deleteFrom(first, next.value);
  }

  /** A copy. */
  values(): T[] {
    // Four times as fast as to add the values one by one, which `flatMap` does, too.
    return ([] as T[]).concat(...this.parts.map(part => [...part]));
  }

  [Symbol.iterator](): Iterator<T> {
    return this.values().values();
  }

  private deleteFrom(part: Set<T>, value: T): void {
    part.delete(value);
    this.count--;
    if (part.size > 0) return;
    if (part === this.parts[0]) this.firsts = undefined;
    this.parts.splice(this.parts.indexOf(part), 1);
  }

  private partOf(value: T): Set<T> | undefined {
    return this.parts.findLast(part => part.has(value));
  }
}
