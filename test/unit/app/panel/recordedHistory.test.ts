import { describe, expect, it } from 'vitest';
import {
  allWaits,
  recordedHistory,
  startsIn,
  waitingSince,
  withGaps,
} from '../../../../src/app/panel/recordedHistory.ts';
import { densityParts, timelineHolds } from '../../../../src/historyProtocol.ts';
import type { Gap } from '../../../../src/replay/recording.ts';
import { at, holdOf, waitOf } from '../recordings/fakeRecording.ts';

describe('the time without a holder', () => {
  const gapsOf = (...holds: Parameters<typeof withGaps>[0]): (number | undefined)[] =>
    withGaps(holds, []).map(({ gapMs }) => gapMs);

  it('lies between an end and the hold that takes over', () => {
    const first = holdOf('a', at(1n, 10), at(3n, 20));
    expect(gapsOf(first, holdOf('b', at(4n, 25), at(5n, 30)))).toEqual([undefined, 5_000]);
    expect(gapsOf(first, holdOf('b', at(3n, 20)))).toEqual([undefined, undefined]);
  });

  it('is none while another reader holds', () => {
    const long = holdOf('a', at(1n, 10), at(9n, 90), { kind: 'read' });
    const short = holdOf('b', at(2n, 20), at(3n, 30), { kind: 'read' });
    expect(gapsOf(long, short, holdOf('c', at(5n, 50), at(6n, 60)))).toEqual([undefined, undefined, undefined]);
    expect(gapsOf(long, short, holdOf('c', at(10n, 95)))).toEqual([undefined, undefined, 5_000]);
  });

  it('is not claimed behind an end that was not seen, nor where the clock went back', () => {
    const unseen = holdOf('a', at(1n, 10), at(3n, 20), { ended: 'unknown', isEndUnseen: true });
    expect(gapsOf(unseen, holdOf('b', at(9n, 80)))).toEqual([undefined, undefined]);
    expect(gapsOf(holdOf('a', at(1n, 10), at(3n, 20)), holdOf('b', at(9n, 5)))).toEqual([undefined, undefined]);
  });
});

describe('the time without a holder, where files are missing', () => {
  const holds = [holdOf('a', at(1n, 10), at(3n, 20)), holdOf('b', at(7n, 70), at(8n, 80)), holdOf('c', at(11n, 110))];
  const gapOf = (from: bigint, to: bigint): Gap => ({
    from: at(from, Number(from) * 10),
    to: at(to, Number(to) * 10),
    why: 'missing',
  });
  const found = (...gaps: Gap[]): (number | undefined)[] => withGaps(holds, gaps).map(({ gapMs }) => gapMs);

  it.each<[string, Gap[]]>([
    ['within it', [gapOf(4n, 6n)]],
    ['from the end of the last hold to the begin of the next one', [gapOf(3n, 7n)]],
    ['over its end', [gapOf(6n, 8n)]],
    ['over its begin', [gapOf(2n, 4n)]],
    ['behind another gap, in any order', [gapOf(5n, 6n), gapOf(1n, 2n)]],
  ])('is not claimed: %s', (_, gaps) => {
    expect(found(...gaps)).toEqual([undefined, undefined, 30_000]);
  });

  it('is claimed where all of it is known, and only there', () => {
    expect(found(gapOf(1n, 3n), gapOf(7n, 8n), gapOf(11n, 12n))).toEqual([undefined, 50_000, 30_000]);
    expect(found(gapOf(1n, 2n), gapOf(9n, 10n))).toEqual([undefined, 50_000, undefined]);
  });
});

describe('the waits of a lock', () => {
  it('are those before holds, too, by their beginnings', () => {
    const held = holdOf('b', at(5n, 50), undefined, { queued: at(2n, 20), czxid: 2n });
    const left = waitOf('c', at(3n, 30), at(4n, 40));
    const waits = allWaits({ holds: [holdOf('a', at(1n, 10), at(5n, 50)), held], waits: [left] });
    expect(waits).toMatchObject([
      { name: 'b', to: at(5n, 50), ended: 'held' },
      { name: 'c', to: at(4n, 40), ended: 'released' },
    ]);
  });

  it('are not claimed of one that held at the first look', () => {
    const held = holdOf('a', at(5n, 50), undefined, { queued: at(1n, 10), isFromBefore: true });
    expect(allWaits({ holds: [held], waits: [] })).toEqual([]);
  });

  it('begin for a node that holds again when it held no more', () => {
    const fields = { czxid: 1n, queued: at(1n, 10) };
    const first = holdOf('a', at(2n, 20), at(3n, 30), { ...fields, ended: 'overtaken' });
    const again = holdOf('a', at(6n, 60), undefined, fields);
    expect(allWaits({ holds: [first, again], waits: [] }).map(wait => [waitingSince(wait), wait.to])).toEqual([
      [at(1n, 10), at(2n, 20)],
      [at(3n, 30), at(6n, 60)],
    ]);
  });
});

describe('the history in a part of the time', () => {
  const holds = [
    holdOf('a', at(1n, 10), at(2n, 20)),
    holdOf('b', at(3n, 30), at(4n, 45), { queued: at(1n, 10) }),
    holdOf('c', at(5n, 50)),
  ];

  it('has what overlaps it, and the length of the queue from its beginning on', () => {
    const record = { holds: withGaps(holds, []), waits: allWaits({ holds, waits: [] }) };
    const { holds: shown, waits, lengths, figures } = recordedHistory(record, { from: 25_000, to: 47_000 });
    expect(shown.map(({ name }) => name)).toEqual(['b']);
    expect(waits.map(({ name }) => name)).toEqual(['b']);
    expect(lengths).toEqual([
      { at: 25_000, contenders: 1 },
      { at: 45_000, contenders: 0 },
    ]);
    expect(figures).toMatchObject({
      handOvers: 1,
      longestQueue: 1,
      hold: { samples: 1, max: 15_000 },
      wait: { samples: 1, max: 20_000 },
      gap: { samples: 1, max: 10_000 },
    });
  });

  it('has the longest holds where there are too many, in their order, and says how many are left out', () => {
    const many = Array.from({ length: 1_000 }, (_, index) =>
      holdOf(`n${index}`, at(BigInt(index), index * 10), at(BigInt(index), index * 10 + (index % 10 === 0 ? 9 : 1))),
    );
    const { holds: shown, leftOut } = recordedHistory({ holds: many, waits: [] }, { from: 0, to: 10_000_000 });
    expect(shown).toHaveLength(timelineHolds);
    expect(leftOut).toBe(1_000 - timelineHolds);
    expect(many.filter((_, index) => index % 10 === 0).every(hold => shown.includes(hold))).toBe(true);
    expect(shown.map(({ from }) => from.zxid)).toEqual(
      shown.map(({ from }) => from.zxid).sort((a, b) => Number(a - b)),
    );
  });

  it('never counts fewer than none, whatever the clocks say', () => {
    const back = [holdOf('a', at(1n, 30), at(2n, 20)), holdOf('b', at(2n, 20), at(3n, 5))];
    const { lengths } = recordedHistory({ holds: back, waits: [] }, { from: 0, to: 60_000 });
    expect(lengths.every(({ contenders }) => contenders >= 0)).toBe(true);
  });

  it('counts the beginnings in equal parts', () => {
    const starts = startsIn(holds, { from: 10_000, to: 50_000 });
    expect(starts).toHaveLength(densityParts);
    expect(starts.flatMap((count, index) => (count > 0 ? [[index, count]] : []))).toEqual([
      [0, 1],
      [60, 1],
      [densityParts - 1, 1],
    ]);
  });
});
