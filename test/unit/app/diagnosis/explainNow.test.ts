import { expect, it } from 'vitest';
import { applyQueues } from '../../../../src/app/clusters/lockCatalogue.ts';
import { explainNow } from '../../../../src/app/diagnosis/explainNow.ts';
import { readQueues } from '../../../../src/inspector/readQueues.ts';
import { FakeClient } from '../../../support/fakeClient.ts';
import { clusterNode, profileNamed } from '../../extension/fixtures.ts';

/** Two mutexes in one directory, each with a name of its own (docs/recipes.md, R4). */
async function twoLocks() {
  const client = new FakeClient();
  const orders = '/x/orders_lock_0000000001';
  const stock = '/x/stock_lock_0000000002';
  client.put(orders, { owner: 1n });
  client.put(stock, { owner: 2n });
  const cluster = clusterNode({ profile: profileNamed('orders', { connectString: '127.0.0.1:1' }) });
  applyQueues(cluster, '/x', await readQueues(client, '/x'));
  const explained = async (name: string): Promise<string[]> => {
    const row = [...cluster.locks.values()].find(({ lockName }) => lockName === name);
    if (row === undefined) throw new Error(`No row is called ${name}.`);
    const { queue } = await explainNow(client, row, {
      ownerQuery: { adminServerPort: undefined, secrets: { get: () => Promise.resolve(undefined) } },
      marks: { cycleOf: (_, edges) => ({ edges, key: '', ageMs: 0, isLasting: false }) },
      signal: new AbortController().signal,
    });
    return queue.contenders.map(({ path }) => path);
  };
  return {
    client,
    orders,
    stock,
    explained,
    names: [...cluster.locks.values()].map(({ lockName }) => lockName).sort(),
  };
}

it('explains the lock of the row, and not another one of its directory', async () => {
  const { orders, stock, explained, names } = await twoLocks();
  expect(names).toEqual(['orders', 'stock']);
  expect(await explained('orders')).toEqual([orders]);
  expect(await explained('stock')).toEqual([stock]);
});

it.each(['orders', 'stock'])(
  'explains a released lock as free while another one of its directory is held: %s',
  async name => {
    const { client, orders, stock, explained } = await twoLocks();
    client.drop(name === 'orders' ? orders : stock);
    expect(await explained(name)).toEqual([]);
  },
);
