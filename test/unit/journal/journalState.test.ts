import { expect, it } from 'vitest';
import type { JournalEntry } from '../../../src/journal/entry.ts';
import { formatEntry, parseEntry } from '../../../src/journal/entryText.ts';
import { JournalState } from '../../../src/journal/journalState.ts';
import { brief } from '../replay/followedTree.ts';
import { RecordedPlay } from './journalOfPlay.ts';

const runs = Number(process.env['FOLLOWER_RUNS'] ?? 12);
const firstSeed = Number(process.env['FOLLOWER_SEED'] ?? 1);
const seeds = Array.from({ length: runs }, (_, index) => firstSeed + index);

it.each(seeds)('has the holds and waits of the transactions themselves, seed %d', seed => {
  const state = new JournalState();
  const play = new RecordedPlay(seed, entry => {
    const read = parseEntry(JSON.parse(formatEntry(entry)));
    expect(read).toEqual(entry);
    state.apply(read!);
  });
  for (let step = 0; step < 120; step++) {
    play.step();
    const { follower } = play.tree;
    expect(state.holds().map(brief), `step ${step}`).toEqual(follower.holds().map(brief));
    expect(state.waits().map(brief), `step ${step}`).toEqual(follower.waits().map(brief));
  }
});

it.each(seeds)('goes on from its own state, seed %d', seed => {
  const entries: JournalEntry[] = [];
  let state = new JournalState();
  const play = new RecordedPlay(seed, entry => {
    state.apply(entry);
  });
  for (let step = 0; step < 100; step++) {
    play.step();
    if (step % 10 === 9) {
      const before = [...state.holds(), ...state.waits()].filter(({ to }) => to === undefined);
      entries.splice(0, entries.length, ...state.state());
      const again = new JournalState();
      for (const entry of [...entries, ...entries]) again.apply(entry);
      const after = [...again.holds(), ...again.waits()];
      const plain = (all: typeof before): string[] =>
        all.map(({ path, name, czxid }) => `${path} ${name} ${czxid}`).sort();
      expect(plain(after)).toEqual(plain(before));
      expect(again.gaps).toEqual([]);
      state = again;
    }
  }
});
