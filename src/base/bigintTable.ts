/**
 * A map from 64-bit numbers to small ones, for 100,000 of them: a `Map` takes twice as long, since its keys are objects that lie all
 * over the memory. Open addressing with linear probing (Knuth, The Art of Computer Programming, volume 3, 6.4, algorithms L and R).
 */
export class BigintTable {
  private keys = new BigInt64Array(256);
  /** 0: no key is here. */
  private values = new Int32Array(256);
  private count = 0;

  /** @param key signed @returns its value; 0 without one */
  get(key: bigint): number {
    return this.values[this.placeOf(key)] ?? 0;
  }

  /** @param key signed @param value from 1 to 2³¹ - 1 */
  set(key: bigint, value: number): void {
    // At most half of the places are taken: most keys are found in the first or second one.
    if (2 * this.count >= this.values.length) this.grow();
    const place = this.placeOf(key);
    if (this.values[place] === 0) this.count++;
    this.keys[place] = key;
    this.values[place] = value;
  }

  /** @param key signed */
  delete(key: bigint): void {
    const { keys, values } = this;
    const last = values.length - 1;
    let hole = this.placeOf(key);
    if (values[hole] === 0) return;
    this.count--;
    for (let at = (hole + 1) & last; values[at] !== 0; at = (at + 1) & last) {
      const moved = keys[at] ?? 0n;
      // A search that begins behind the hole still finds it where it is.
      if (((at - this.homeOf(moved)) & last) < ((at - hole) & last)) continue;
      keys[hole] = moved;
      values[hole] = values[at] ?? 0;
      hole = at;
    }
    values[hole] = 0;
  }

  /** Where a key is, or would be. */
  private placeOf(key: bigint): number {
    const { keys, values } = this;
    let at = this.homeOf(key);
    while (values[at] !== 0 && keys[at] !== key) at = (at + 1) & (values.length - 1);
    return at;
  }

  /** Where the search for a key begins: numbers in a row spread (Fibonacci hashing, in the same section of Knuth). */
  private homeOf(key: bigint): number {
    const mixed = Math.imul(Number(BigInt.asIntN(32, key)), 0x9e3779b1);
    return (mixed ^ (mixed >>> 15)) & (this.values.length - 1);
  }

  private grow(): void {
    const { keys, values } = this;
    this.keys = new BigInt64Array(2 * values.length);
    this.values = new Int32Array(2 * values.length);
    this.count = 0;
    values.forEach((value, at) => {
      if (value > 0) this.set(keys[at] ?? 0n, value);
    });
  }
}
