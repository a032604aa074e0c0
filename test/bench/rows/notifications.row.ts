import { eventually } from '../../support/eventually.ts';
import type { Bench } from '../bench.ts';
import { Collector } from '../collector.ts';
import { contenderPrefix } from '../fixtures.ts';
import { ours, type Row } from '../row.ts';
import { firedWatches } from '../serverMetrics.ts';

/** Releases the lock and counts the watch events that follow, until no more come. */
async function release(bench: Bench, path: string, atLeast: number): Promise<number> {
  const before = await firedWatches(bench.port);
  await bench.client.remove(path, 0);
  let last = -1;
  return eventually(
    async () => {
      const fired = (await firedWatches(bench.port)) - before;
      const settled = fired === last && fired >= atLeast;
      last = fired;
      if (!settled) throw new Error(`${fired} notifications so far.`);
      return fired;
    },
    30_000,
    150,
  );
}

async function queueOfOurs(bench: Bench, size: number): Promise<number> {
  const path = `/bench/notifications/own${size}`;
  await bench.fixtures.ensure(path);
  const holder = await bench.client.create(`${path}/${contenderPrefix()}`, { mode: 'ephemeral_sequential' });
  await bench.programs.ours.request('crowd', { path, clients: size });
  const fired = await release(bench, holder.path, 1);
  await bench.programs.ours.request('disperse');
  return fired;
}

async function herd(bench: Bench, size: number): Promise<number> {
  const path = `/bench/notifications/herd${size}`;
  await bench.fixtures.ensure(path);
  const holder = await bench.client.create(`${path}/${contenderPrefix()}`, { mode: 'ephemeral_sequential' });
  await bench.programs.ours.request('herd', { path, clients: size });
  return release(bench, holder.path, size);
}

export const notificationsRow: Row = {
  id: 'notifications',
  title: 'notifications that the server sends for one release',
  sizeOf: 'waiters',
  // Ten times as many would be 10,000 sessions, each of which lists the queue once when it joins: some 3 GB of names.
  sizes: [100, 1_000],
  main: 1_000,
  quick: 4,
  targets: [{ measure: 'notifications', kind: 'equal', value: 1 }],
  async measure(bench) {
    const collector = new Collector();
    for (const size of bench.sizes(this)) {
      const what = { measure: 'notifications', unit: 'count', size } as const;
      collector.add(ours, what, await queueOfOurs(bench, size));
      collector.add('naive children watch', what, await herd(bench, size));
    }
    return collector.figures;
  },
};
