import { describe, expect, it } from 'vitest';
import { gapAt, isSure } from '../../../../src/app/clusters/recordedTime.ts';
import type { Gap } from '../../../../src/replay/recording.ts';
import { at } from '../recordings/fakeRecording.ts';

const missing: Gap = { from: at(10n, 10), to: at(20n, 20), why: 'missing' };
const doubtful: Gap = { from: at(20n, 20), to: at(30n, 30), why: 'no snapshot' };
const fuzzy: Gap = { from: at(20n, 20), to: at(30n, 30), why: 'fuzzy snapshot' };

describe('whether what is shown at a moment is proven', () => {
  it.each<[string, Gap, bigint, number, boolean]>([
    ['the last moment before files that are missing', missing, 10n, 10, true],
    ['later, before the next transaction', missing, 10n, 11, false],
    ['the first transaction behind them', missing, 20n, 20, true],
    ['the begin of a doubt', doubtful, 20n, 20, false],
    ['within a doubt', doubtful, 25n, 25, false],
    ['the end of a doubt', doubtful, 30n, 30, true],
    ['the begin of a snapshot that may show what came later', fuzzy, 20n, 20, false],
    ['the end of the recording, where a doubt still lasts', { ...doubtful, lastsAtEnd: true }, 30n, 30, false],
    ['a moment behind a doubt that led into other files', { ...doubtful, lastsAtEnd: true }, 31n, 31, true],
  ])('%s', (_, gap, zxid, seconds, proven) => {
    expect(gapAt({ gaps: [gap] }, at(zxid, seconds)) === undefined).toBe(proven);
    expect(isSure({ gaps: [gap], sureFrom: at(1n, 1) }, at(zxid, seconds))).toBe(proven);
  });

  it('nothing before the moment from which on the picture is sure', () => {
    expect(isSure({ gaps: [], sureFrom: at(5n, 5) }, at(4n, 4))).toBe(false);
    expect(isSure({ gaps: [], sureFrom: at(5n, 5) }, at(5n, 5))).toBe(true);
  });
});
