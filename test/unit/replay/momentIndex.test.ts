import { expect, it } from 'vitest';
import { MomentIndex } from '../../../src/replay/momentIndex.ts';

it('moments are right while they are added, within a run and over its end', () => {
  const moments = new MomentIndex();
  const times = new Map<bigint, number>();
  const add = (zxid: bigint, time: number): void => {
    moments.add(zxid, time);
    times.set(zxid, time);
    // Each look comes behind a look at another run, or at the same one when it was shorter.
    for (const each of [zxid, zxid - 1n, 1n, zxid]) {
      const known = times.get(each);
      if (known === undefined) continue;
      expect(moments.at({ zxid: each })).toEqual({ zxid: each, time: known });
      expect(moments.contradicts({ zxid: each, time: known })).toBe(false);
      expect(moments.contradicts({ zxid: each, time: known + 1 })).toBe(true);
    }
    expect(moments.at({ time })).toEqual({ zxid, time });
  };
  for (let count = 1; count <= 1_500; count++) add(BigInt(count), count * 3);
  for (let count = 1; count <= 30; count++) add(BigInt(5_000 + count), 10_000 + count);
});
