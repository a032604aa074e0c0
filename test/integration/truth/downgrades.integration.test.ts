import { expect, it } from 'vitest';
import { curator } from './programs.ts';
import { Stage } from './stage.ts';
import { useTheatre } from './theatre.ts';

// A writer of Curator takes the read lock too and then gives back the write lock.

const theatre = useTheatre();
const [downgrade, read, write] = curator('downgrade', 'read', 'write');

it('a writer that reads holds once, and its waiters wait for what is left', async () => {
  const stage = new Stage(theatre, { path: '/alone', dialects: ['curator'] });
  await stage.open();
  try {
    const both = await stage.join(downgrade!);
    await stage.releasePart(both);
    const writer = await stage.join(write!);
    const reader = await stage.join(read!);
    await stage.releasePart(both);
    expect(await stage.holdersByName()).toEqual([both]);
    await stage.leave(both, 'release');
    expect(await stage.holdersByName()).toEqual([writer]);
    await stage.leave(writer, 'release');
    expect(await stage.holdersByName()).toEqual([reader]);
  } finally {
    await stage.close();
  }
});

// Up to 5.4 the read lock stands behind who queued before it was taken (CURATOR-621).
it('a writer that queued before the read lock was taken holds beside it', async () => {
  const stage = new Stage(theatre, { path: '/beside', dialects: ['curator'], needsWatches: true });
  await stage.open();
  try {
    const both = await stage.join(downgrade!);
    const writer = await stage.join(write!);
    await stage.releasePart(both);
    expect(await stage.holdersByName()).toEqual([both]);
    await stage.releasePart(both);
    expect(await stage.holdersByName()).toEqual([both, writer]);
    await stage.leave(both, 'release');
    expect(await stage.holdersByName()).toEqual([writer]);
  } finally {
    await stage.close();
  }
});
