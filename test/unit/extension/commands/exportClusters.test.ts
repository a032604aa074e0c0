import { expect, it } from 'vitest';
import { exportClusters } from '../../../../src/extension/commands/exportClusters.ts';
import type { ClusterProfile } from '../../../../src/app/clusters/clusterProfile.ts';
import { profileNamed } from '../fixtures.ts';

async function exported(profiles: ClusterProfile[], isClosed = false) {
  const place = isClosed ? undefined : '/tmp/clusters.json';
  const told: string[] = [];
  const written: string[] = [];
  await exportClusters({
    store: { profiles },
    reporter: { inform: text => void told.push(text), warn: text => void told.push(text) },
    askClusters: (_title, all) => Promise.resolve(all.filter(({ name }) => name !== 'Unticked')),
    save: (_title, text) => {
      if (place !== undefined) written.push(text);
      return Promise.resolve(place);
    },
  });
  return { told, written };
}

it('writes the clusters that are ticked and says what is left out of them', async () => {
  const { told, written } = await exported([
    profileNamed('A', { tls: { caFile: '/ca.pem' } }),
    profileNamed('Unticked'),
    profileNamed('\u202eodd'),
  ]);
  expect(written).toHaveLength(1);
  expect(JSON.parse(written[0]!)).toMatchObject({ version: 1, clusters: [{ name: 'A', tls: {} }] });
  expect(told[0]).toContain('certificate files are left out');
  expect(told[1]).toContain('Not exported');
  expect(told).toHaveLength(2);
});

it('says nothing when the dialog is closed, and why nothing could be written', async () => {
  const closed = await exported([profileNamed('A'), profileNamed('\u202eodd')], true);
  expect(closed).toEqual({ told: [], written: [] });
  expect((await exported([profileNamed('\u202eodd')])).told).toEqual([expect.stringContaining('Not exported')]);
  expect((await exported([profileNamed('Unticked')])).told).toEqual([]);
});
