import { describe, expect, it } from 'vitest';
import type { ClusterChange } from '../../../../src/app/clusters/clusterErrors.ts';
import type { ClusterProfile } from '../../../../src/app/clusters/clusterProfile.ts';
import { sameClusterCheck, type ClusterRegistry } from '../../../../src/app/clusters/clusterRegistry.ts';
import type { ClusterNode } from '../../../../src/app/clusters/clusterModel.ts';
import { FakeClient } from '../../../support/fakeClient.ts';
import { clusterNode } from '../../extension/fixtures.ts';

function scene() {
  const node = clusterNode();
  const browser: { node: ClusterNode; connection: { client: FakeClient | undefined } } = {
    node,
    connection: { client: new FakeClient() },
  };
  const listed: { browser: typeof browser | undefined } = { browser };
  const registry = { get: (id: string) => (id === node.id ? listed.browser : undefined) };
  const requireSame = sameClusterCheck(registry as Pick<ClusterRegistry, 'get'>, node);
  const edit = (change: Partial<ClusterProfile>): void => void (node.profile = { ...node.profile, ...change });
  return { browser, edit, listed, requireSame };
}

type Scene = ReturnType<typeof scene>;

describe('a cluster that a question was about', () => {
  it.each<[string, (scene: Scene) => void]>([
    ['nothing happened', () => undefined],
    ['it was renamed', ({ edit }) => edit({ name: 'Orders' })],
    ['read-only is written out as false', ({ edit }) => edit({ readOnly: false })],
    ['it was connected again', ({ browser }) => void (browser.connection = { client: new FakeClient() })],
  ])('is the same when %s', (_, happen) => {
    const one = scene();
    happen(one);
    expect(() => one.requireSame()).not.toThrow();
  });

  it.each<[string, ClusterChange, (scene: Scene) => void]>([
    ['it was removed', 'removed', ({ listed }) => void (listed.browser = undefined)],
    [
      'it was removed and added again',
      'changed',
      ({ listed, browser }) => void (listed.browser = { ...browser, node: clusterNode() }),
    ],
    ['it became production', 'changed', ({ edit }) => edit({ environment: 'production' })],
    ['it became read-only', 'changed', ({ edit }) => edit({ readOnly: true })],
    ['it means other servers', 'changed', ({ edit }) => edit({ connectString: 'zk9:2181' })],
    ['it has another log-in', 'changed', ({ edit }) => edit({ auth: [{ scheme: 'digest', user: 'ann' }] })],
    ['it was disconnected', 'disconnected', ({ browser }) => void (browser.connection = { client: undefined })],
  ])('is another one when %s', (_, change, happen) => {
    const one = scene();
    happen(one);
    expect(() => one.requireSame()).toThrow(expect.objectContaining({ cluster: 'orders', change }) as Error);
  });
});
