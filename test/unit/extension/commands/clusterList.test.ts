import { expect, it, vi } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { ClusterStore } from '../../../../src/app/clusters/clusterStore.ts';
import { ViewState } from '../../../../src/app/clusters/viewState.ts';
import { ClusterList } from '../../../../src/extension/commands/clusterList.ts';
import { FakeClient } from '../../../support/fakeClient.ts';
import { idleInspector, profileNamed } from '../fixtures.ts';

vi.mock('vscode', () => import('../fakeVscode.ts'));

class Marks {
  static made = 0;
  readonly of = vi.fn();
  readonly cycleOf = vi.fn();
  constructor() {
    Marks.made++;
  }
}

it('the inspector is loaded again after that failed, and then once, with one source of marks', async () => {
  const setting = { read: () => [profileNamed('orders')], write: vi.fn(), onChange: new Emitter(nullLogger).event };
  const loadFirst = vi.fn(() => Promise.resolve({ ...idleInspector, QueueMarks: Marks }));
  loadFirst.mockRejectedValueOnce(new Error('no file'));
  const list = new ClusterList({
    store: new ClusterStore(setting, nullLogger),
    state: new ViewState(nullLogger),
    opener: { open: () => Promise.resolve(new FakeClient()) },
    endLocks: () => Promise.resolve(),
    loadFirst,
    load: () => Promise.reject(new Error('not needed')),
    logger: nullLogger,
  } as unknown as ConstructorParameters<typeof ClusterList>[0]);
  const browser = list.registry.get('orders')!;
  await browser.connect();
  // The search for locks that follows a connection.
  await vi.waitFor(() => expect(browser.node.search).toEqual({ kind: 'failed', error: new Error('no file') }));
  for (const path of ['/locks/a', '/locks/b', '/locks/c']) await browser.open(path);
  expect(browser.node.locks.size).toBe(3);
  expect(loadFirst).toHaveBeenCalledTimes(2);
  expect(Marks.made).toBe(1);
  list.dispose();
  await list.registry.close();
  await list.close();
});
