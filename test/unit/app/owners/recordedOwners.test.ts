import { expect, it } from 'vitest';
import { gatherOwners, gatherOwnersAndWatches } from '../../../../src/app/owners/gatherFacts.ts';
import { ownerStatus } from '../../../../src/inspector/owners/ownerFacts.ts';
import { FakeClient } from '../../../support/fakeClient.ts';
import { profileNamed } from '../../extension/fixtures.ts';
import { at, FakeRecording } from '../recordings/fakeRecording.ts';

/** The recorded sessions at second 20, of a cluster that has no server to be asked. */
function clusterAt20(): Parameters<typeof gatherOwners>[0] {
  const recording = new FakeRecording();
  recording.allSessions.set(1n, { timeoutMs: 4_000 });
  recording.allSessions.set(2n, { opened: at(10n, 10), ended: at(20n, 20), how: 'expired' });
  recording.allSessions.set(3n, { opened: at(30n, 30) });
  recording.allSessions.set(4n, { opened: at(20n, 20), ended: at(30n, 30), how: 'closed' });
  return {
    profile: profileNamed('version-2', { connectString: '', isRecording: true }),
    time: { recording, moment: at(20n, 20) },
  };
}

const query = { adminServerPort: 8080, secrets: { get: () => Promise.resolve(undefined) } };

it('the owners of a recording are the sessions that lived at its moment; no server is asked', async () => {
  const owners = await gatherOwners(clusterAt20(), new FakeClient(), query);
  const alive = [1n, 2n, 3n, 4n, 5n].map(session => ownerStatus(session, owners).alive);
  expect(alive).toEqual(['yes', 'unknown', 'unknown', 'yes', 'unknown']);
  expect(owners.sources).toEqual([]);
});

it('of watches it knows nothing', async () => {
  expect(await gatherOwnersAndWatches(clusterAt20(), new FakeClient(), query)).not.toHaveProperty('watches');
});
