import { readQueues } from '../../../../src/inspector/readQueues.ts';
import { toDisposable } from '../../../../src/base/disposable.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { createApi } from '../../../../src/app/api/createApi.ts';
import { ExtensionAccess } from '../../../../src/app/api/extensionAccess.ts';
import { askForAccess, errorWords } from '../../../../src/extension/commands/registerApi.ts';
import { confirmProduction } from '../../../../src/extension/dialogs/confirmations.ts';
import type { ClusterBrowser } from '../../../../src/app/clusters/clusterBrowser.ts';
import type { ClusterProfile } from '../../../../src/app/clusters/clusterProfile.ts';
import { TestLockRegistry } from '../../../../src/app/testLocks/testLockRegistry.ts';
import { NotConnectedError } from '../../../../src/zookeeper/errors.ts';
import { FakeClient } from '../../../support/fakeClient.ts';
import { clusterNode, profileNamed } from '../../extension/fixtures.ts';
import { openLock } from '../../../../src/app/testLocks/openLock.ts';

/** An API in front of one cluster, with a person who answers every question as `person` says. */
export function apiScene(profile: Partial<ClusterProfile> = {}) {
  const client = new FakeClient();
  client.put('/locks');
  const node = clusterNode({ profile: profileNamed('orders', profile) });
  const connection: { client: FakeClient | undefined; state: { kind: string } } = {
    client,
    state: { kind: 'connected' },
  };
  const browser = { node, connection } as unknown as ClusterBrowser;
  const clusters = [browser];
  const registry = { all: clusters, get: (id: string) => clusters.find(({ node: one }) => one.id === id) };
  const timers: (() => void)[] = [];
  const testLocks = new TestLockRegistry({
    sessions: {
      clientOf: () => Promise.resolve(client),
      close: () => Promise.resolve(),
      closeAll: () => Promise.resolve(),
    },
    openLock: (client, request) => Promise.resolve(openLock(client, request)),
    watch: () => path => Promise.reject(new NotConnectedError('watchQueues', path, 'nobody browses')),
    onLost: () => undefined,
    onFailure: () => undefined,
    now: () => 0,
    schedule: callback => {
      timers.push(callback);
      return toDisposable(() => timers.splice(timers.indexOf(callback), 1));
    },
    logger: nullLogger,
  });
  const person = { asked: [] as string[], answers: true, onAsked: (): void => undefined, isTrusted: true };
  const reporter = {
    confirm: (question: string, detail: string) => {
      person.asked.push(`${question}\n${detail}`);
      person.onAsked();
      return Promise.resolve(person.answers);
    },
  };
  const state = new Map<string, unknown>();
  const allowed: boolean[] = [];
  const access = new ExtensionAccess({
    memory: {
      get: key => state.get(key),
      update: (key, value) => {
        state.set(key, value);
        return Promise.resolve();
      },
    },
    find: id =>
      id.toLowerCase() === 'example.deployer' ? { id: 'Example.deployer', name: '[Deploy](command:x)' } : undefined,
    ask: (id, name) => askForAccess(reporter, id, name),
    onAllowed: isAny => allowed.push(isAny),
    logger: nullLogger,
  });
  const api = createApi({
    registry,
    testLocks,
    access,
    confirm: (request, extensionId) => confirmProduction(reporter, request, extensionId),
    words: errorWords,
    readQueues,
    isTrusted: () => person.isTrusted,
    autoReleaseMs: () => 60_000,
  });
  return { access, allowed, api, client, clusters, connection, node, person, state, testLocks, timers };
}

export const wanted = {
  extensionId: 'example.Deployer',
  clusterId: 'orders',
  path: '/locks/pay',
  recipe: 'exclusive',
  timeoutMs: 0,
} as const;
