import { expect, it } from 'vitest';
import type { ClusterRecorder } from '../../../../src/app/clusters/clusterRecorder.ts';
import { knownOwners } from '../../../../src/app/owners/knownOwners.ts';
import { clusterNode } from '../../extension/fixtures.ts';

it('what the servers said last counts before what was recorded', () => {
  const sessions = new Map([
    [1n, { address: '10.0.0.1:1', host: 'web' }],
    [2n, { address: '10.0.0.2:1' }],
    [3n, {}],
  ]);
  const recorder = { past: { sessions: () => sessions } } as unknown as ClusterRecorder;
  const connections = new Map([[1n, { address: '10.0.0.1:9', server: 's' }]]);
  const lastOwners = { connections, live: undefined, sources: [], askedAt: 0 };
  expect([...knownOwners(clusterNode({ recorder, lastOwners }))]).toEqual([
    [1n, { address: '10.0.0.1:9', host: 'web' }],
    [2n, { address: '10.0.0.2:1' }],
  ]);
  expect(knownOwners(clusterNode()).size).toBe(0);
});
