import { expect, it } from 'vitest';
import type { Lock } from '../../../src/recipes/lock.ts';
import { createMultiLock } from '../../../src/recipes/multiLock.ts';
import { OwnedLease } from '../../../src/recipes/ownedLease.ts';
import { eventually } from '../../support/eventually.ts';
import { FakeClient } from '../../support/fakeClient.ts';

const late = { kind: 'session', cause: { kind: 'late' } } as const;
const unconfirmed = { kind: 'session', cause: { kind: 'unconfirmed' } } as const;

function lockAt(path: string, client: FakeClient): Lock {
  const acquire = async (): Promise<OwnedLease> => {
    const { stat } = await client.create(path, { mode: 'ephemeral' });
    return new OwnedLease(client, { path, czxid: stat.czxid }, true);
  };
  return { path, acquire };
}

it('a lease over several locks has the reason of the worst, and reports when that changes', async () => {
  const [first, second] = [new FakeClient(), new FakeClient()];
  const lease = await createMultiLock([lockAt('/a', first), lockAt('/b', second)]).acquire();
  const reported: unknown[] = [];
  lease.onState(state => reported.push([state, lease.stateCause]));
  first.disconnect(late.cause);
  first.disconnect(unconfirmed.cause);
  second.drop('/b');
  await eventually(() => expect(lease.state).toBe('lost'));
  expect(reported).toEqual([
    ['uncertain', late],
    ['uncertain', unconfirmed],
    ['lost', { kind: 'node-deleted' }],
  ]);
});
