import { describe, expect, it } from 'vitest';
import { chooseCluster, type ToolCluster } from '../../../../src/app/assistant/toolCluster.ts';
import type { ClusterProfile } from '../../../../src/app/clusters/clusterProfile.ts';
import { FakeClient } from '../../../support/fakeClient.ts';
import { clusterNode, profileNamed } from '../../extension/fixtures.ts';

function cluster(name: string, fields: Partial<ClusterProfile> = {}, isOpen = true): ToolCluster {
  const profile = profileNamed(name, fields);
  const client = isOpen ? new FakeClient() : undefined;
  return {
    node: clusterNode({ id: profile.id, profile }),
    connection: { client } as unknown as ToolCluster['connection'],
  };
}

const production = { environment: 'production' } as const;

describe('the cluster of a tool', () => {
  it('is the only one that is open, or the one that is named', () => {
    const [one, other, closed] = [cluster('one'), cluster('other'), cluster('closed', {}, false)];
    expect(chooseCluster([one, closed], undefined, [])).toEqual({ kind: 'chosen', cluster: one });
    expect(chooseCluster([one, other], 'other', [])).toEqual({ kind: 'chosen', cluster: other });
    expect(chooseCluster([one, other], undefined, []).kind).toBe('several');
    expect(chooseCluster([one, closed], 'closed', []).kind).toBe('not-connected');
    expect(chooseCluster([one], 'On', []).kind).toBe('unknown');
    expect(chooseCluster([closed], undefined, [])).toEqual({ kind: 'none', production: 0 });
  });

  it('is found by its id first, and not by a name that several have', () => {
    const all = [cluster('same', { id: '1' }), cluster('same', { id: '2' }), cluster('1', { id: '3' })];
    expect(chooseCluster(all, '1', [])).toMatchObject({ kind: 'chosen', cluster: all[0] });
    expect(chooseCluster(all, 'same', []).kind).toBe('same-name');
    const connected = cluster('same', { id: '4' });
    expect(chooseCluster([cluster('same', { id: '5' }, false), connected], 'same', [])).toMatchObject({
      cluster: connected,
    });
  });

  it('is not named as one that may be read where it may not', () => {
    const [live, one, two] = [cluster('same', { id: '1', ...production }), cluster('same', { id: '2' }), cluster('x')];
    expect(chooseCluster([live, one, two], 'same', [])).toEqual({
      kind: 'same-name',
      wanted: 'same',
      open: [one.node.profile],
    });
    const other = cluster('same', { id: '3', ...production });
    expect(chooseCluster([live, other, two], 'same', [])).toEqual({ kind: 'production', name: 'same' });
  });

  it('is no production cluster, nor a record of one, unless its name is allowed', () => {
    const live = cluster('live', production);
    const record = cluster('file', { isRecording: true, recorded: { name: 'live', environment: 'production' } });
    const test = cluster('test');
    expect(chooseCluster([live, record], undefined, [])).toEqual({ kind: 'none', production: 2 });
    expect(chooseCluster([live, test], undefined, [])).toMatchObject({ kind: 'chosen', cluster: test });
    for (const name of ['live', 'file']) expect(chooseCluster([live, record], name, []).kind).toBe('production');
    for (const name of ['live', 'file']) expect(chooseCluster([live, record], name, ['live']).kind).toBe('chosen');
    // A name that is not known says nothing of production clusters.
    expect(chooseCluster([live, test], 'x', [])).toEqual({ kind: 'unknown', wanted: 'x', open: [test.node.profile] });
  });
});
