import { describe, expect, it } from 'vitest';
import { BigintTable } from '../../../src/base/bigintTable.ts';
import { LongSet } from '../../../src/base/longSet.ts';
import { TextMap } from '../../../src/base/textMap.ts';
import { seededRandom } from '../../support/seededRandom.ts';

describe('collections for 100,000 and more', () => {
  it('a long set is what a set is', () => {
    const random = seededRandom(7);
    const long = new LongSet<number>();
    const plain = new Set<number>();
    for (let step = 0; step < 60_000; step++) {
      const value = random.below(100_000);
      if (plain.has(value)) {
        long.delete(value);
        plain.delete(value);
      } else if (random.next() < 0.8) {
        long.append(value);
        plain.add(value);
      } else {
        long.shift();
        for (const first of plain) {
          plain.delete(first);
          break;
        }
      }
      if (step % 1_000 === 0) expect([long.size, long.has(value)]).toEqual([plain.size, plain.has(value)]);
    }
    expect([...long]).toEqual([...plain]);
    expect(long.values()).toEqual([...plain]);
    while (long.size > 0) long.shift();
    long.shift();
    expect([...long]).toEqual([]);
  });

  it('a table of 64-bit numbers is what a map is, wherever its keys meet', () => {
    const random = seededRandom(9);
    // Sessions of one server in a row, the same ones of others, and what begins at the last places of the table.
    const keyOf = [
      () => BigInt.asIntN(64, 0x2000_1234_5678_0000n + BigInt(random.below(2_000))),
      () => BigInt.asIntN(64, (BigInt(random.below(256)) << 56n) | BigInt(random.below(40))),
      () => -BigInt(random.below(3_000)),
      () => BigInt(random.below(1_000)) << 32n,
    ];
    const table = new BigintTable();
    const plain = new Map<bigint, number>();
    for (let step = 0; step < 60_000; step++) {
      const key = random.pick(keyOf)();
      // It grows, and is nearly emptied again.
      if (random.next() < (step % 20_000 < 10_000 ? 0.2 : 0.9)) {
        table.delete(key);
        plain.delete(key);
      } else {
        table.set(key, step + 1);
        plain.set(key, step + 1);
      }
      expect(table.get(key)).toBe(plain.get(key) ?? 0);
      if (step % 10_000 > 0) continue;
      for (const [each, value] of plain) expect(table.get(each)).toBe(value);
    }
    expect(plain.size).toBeGreaterThan(100);
  });

  it('a text map is what a map is, but for the order', () => {
    const random = seededRandom(8);
    const texts = new TextMap<number>();
    const plain = new Map<string, number>();
    for (let step = 0; step < 20_000; step++) {
      const text = '/locks/a/lock-'.slice(0, random.below(15)) + String(random.below(5_000));
      if (random.below(3) === 0) {
        texts.delete(text);
        plain.delete(text);
      } else {
        texts.set(text, step);
        plain.set(text, step);
      }
      expect([texts.get(text), texts.has(text)]).toEqual([plain.get(text), plain.has(text)]);
    }
    expect(new Map(texts)).toEqual(plain);
    expect([...texts.keys()].sort()).toEqual([...plain.keys()].sort());
  });
});
