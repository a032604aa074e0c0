import { expect, it } from 'vitest';
import { recorderOf } from '../../../../src/app/clusters/clusterRecorder.ts';
import { FoundOwners } from '../../../../src/app/owners/foundOwners.ts';
import { gatherOwners, gatherOwnersAndWatches } from '../../../../src/app/owners/gatherFacts.ts';
import { ownerStatus } from '../../../../src/inspector/owners/ownerFacts.ts';
import { FakeClient } from '../../../support/fakeClient.ts';
import { profileNamed } from '../../extension/fixtures.ts';
import { contenderName, FakePast, FakeRecorders } from '../clusters/fakeRecorders.ts';
import { at, FakeRecording } from '../recordings/fakeRecording.ts';

/** The recorded sessions at second 20, of a cluster that has no server to be asked. */
function clusterAt20(recording = new FakeRecording()): Parameters<typeof gatherOwners>[0] {
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

it('a session that is over keeps the address that was recorded', async () => {
  const recording = new FakeRecording();
  const cluster = clusterAt20(recording);
  recording.allSessions.set(2n, {
    address: '10.0.0.7:51234',
    host: 'web-1',
    ended: at(20n, 20),
    how: 'expired',
  });
  const owners = await gatherOwners(cluster, new FakeClient(), query);
  expect(ownerStatus(2n, owners)).toMatchObject({
    alive: 'unknown',
    recorded: { address: '10.0.0.7:51234', host: 'web-1' },
  });
  expect(ownerStatus(1n, owners)).not.toHaveProperty('recorded');
  expect(new FoundOwners(owners, [2n]).addresses).toEqual(new Map([[2n, '10.0.0.7:51234']]));
});

it('of a live cluster the recorder of this window knows sessions that the servers do not list', async () => {
  const recorders = new FakeRecorders();
  const past = new FakePast(0);
  past.come(contenderName(1, 0), 1, 7n);
  past.apply({ type: 'session', session: { id: 7n, address: '10.0.0.7:51234' } });
  recorders.known = past.state;
  // Nothing listens there.
  const profile = profileNamed('orders', { connectString: '127.0.0.1:1' });
  const owners = await gatherOwners({ profile, recorder: recorderOf(recorders, 'orders') }, new FakeClient(), {
    ...query,
    adminServerPort: undefined,
  });
  expect(ownerStatus(7n, owners)).toMatchObject({ alive: 'unknown', recorded: { address: '10.0.0.7:51234' } });
  const known = { ...owners, connections: new Map([[7n, { address: '10.0.0.8:1', server: 'zk1:2181' }]]) };
  expect(ownerStatus(7n, known)).toEqual({
    session: 7n,
    alive: 'yes',
    connection: { address: '10.0.0.8:1', server: 'zk1:2181' },
  });
  expect(new FoundOwners(known, [7n]).addresses.get(7n)).toBe('10.0.0.8:1');
});
