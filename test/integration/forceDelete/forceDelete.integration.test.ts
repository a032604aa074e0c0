import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deleteConsequences } from '../../../src/inspector/deleteConsequences.ts';
import { findEmptyLocks, removeEmptyLock } from '../../../src/inspector/emptyLocks.ts';
import { deleteRecognised, forceDelete, type DeleteTarget } from '../../../src/inspector/forceDelete.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import { RefusedDelete } from '../../../src/inspector/refusedDelete.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { connectInformed } from '../../support/informedSession.ts';
import { useTestRealm } from '../../support/freshChroot.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcpProxy.ts';

const realm = useTestRealm();
const stem = '/locks/a/_c_01234567-89ab-cdef-0123-456789abcdef-lock-';
const sequence = (number: number): string => stem + String(number).padStart(10, '0');
let client: ZooKeeperClient;

beforeEach(async () => {
  client = await connect(realm.connectString);
});
afterEach(() => client.close());

/** A contender of the observer's session, as a person would see it. */
async function contender(ephemeral = true): Promise<DeleteTarget> {
  await realm.observer.ensure('/locks/a');
  return targetOf(await realm.observer.create(stem, { ephemeral, sequence: true }));
}

async function targetOf(path: string): Promise<DeleteTarget> {
  const node = (await realm.observer.get(path))!;
  return { path, czxid: node.czxid, ownerSession: node.ephemeralOwner };
}

async function refusal(work: Promise<unknown>): Promise<RefusedDelete> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(RefusedDelete);
  return error as RefusedDelete;
}

const czxidOf = async (path: string) => (await realm.observer.get(path))?.czxid;

/** The same client, with something that happens right before each call of one operation. `asked`: its first argument as text. */
function hooked(
  of: ZooKeeperClient,
  operation: 'readMany' | 'remove',
  before: (asked: string) => Promise<void>,
): ZooKeeperClient {
  return new Proxy(of, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return async (...args: unknown[]): Promise<unknown> => {
        if (name === operation) await before(JSON.stringify(args[0]));
        return Reflect.apply(value, target, args) as unknown;
      };
    },
  });
}

describe('a node that is not the one that was looked at', () => {
  it('survives when it took over the name', async () => {
    const target = await contender();
    await realm.observer.delete(target.path);
    await realm.observer.create(target.path, { ephemeral: true });
    expect((await realm.observer.get(target.path))?.version).toBe(0);
    expect(await forceDelete(client, target)).toBe('changed');
    expect(await czxidOf(target.path)).toBeTypeOf('bigint');
  });

  it('survives in a parent that was created again, with the same name and version', async () => {
    const target = await contender();
    const parent = await targetOf('/locks/a');
    await realm.observer.delete('/locks/a', { recursive: true });
    const again = await contender();
    expect(again.path).toBe(target.path);
    expect(await forceDelete(client, target)).toBe('changed');
    // The czxid of the parent alone shows it too.
    expect(await forceDelete(client, { ...again, parentCzxid: parent.czxid })).toBe('changed');
    expect(await czxidOf(target.path)).toBe(again.czxid);
  });

  it('survives when it is replaced before the last reading', async () => {
    const target = await contender();
    let replaced: bigint | undefined;
    const replace = async (): Promise<void> => {
      await realm.observer.delete(target.path);
      await realm.observer.create(target.path, { ephemeral: true });
      replaced = await czxidOf(target.path);
    };
    const slow = hooked(client, 'readMany', async asked => {
      if (replaced === undefined && asked.includes(target.path)) await replace();
    });
    expect(await forceDelete(slow, target)).toBe('changed');
    expect(await czxidOf(target.path)).toBe(replaced);
  });

  it('is distinguished by its owner: a session that came back with the same node is another', async () => {
    const target = await contender();
    expect(await forceDelete(client, { ...target, ownerSession: target.ownerSession! + 1n })).toBe('changed');
    expect(await forceDelete(client, target)).toBe('deleted');
    expect(await forceDelete(client, target)).toBe('already gone');
  });
});

describe('a reply that is lost', () => {
  let proxy: TcpProxy;
  let slow: ZooKeeperClient;
  beforeEach(async () => {
    proxy = await startTcpProxy(Number(realm.serverConnectString.split(':')[1]));
    slow = await connectInformed(proxy.connectString + realm.chroot);
  });
  afterEach(async () => {
    proxy.forwardAll();
    await Promise.all([slow.close(), proxy.close()]);
  });
  const deleteOpcode = 2;

  /** Lets the delete pass or not, and cuts the connection instead of its reply. */
  function cutAtDelete(passes: boolean): { sent: () => number } {
    let sent = 0;
    let xid: number | undefined;
    proxy.onRequest(request => {
      if (request.opcode !== deleteOpcode) return 'forward';
      sent++;
      xid = request.xid;
      return passes ? 'forward' : 'cut';
    });
    proxy.onReply(reply => (reply.xid !== undefined && reply.xid === xid ? 'cut' : 'forward'));
    return { sent: () => sent };
  }

  it('is resolved by reading: the delete had been carried out', async () => {
    const target = await contender();
    const { sent } = cutAtDelete(true);
    const report = await deleteRecognised(slow, target, target);
    expect(report).toEqual({ outcome: 'deleted' });
    expect(sent()).toBe(1);
    expect(await czxidOf(target.path)).toBeUndefined();
  });

  it('is not repeated when the delete had not arrived: the node was seen unchanged', async () => {
    const target = await contender();
    const { sent } = cutAtDelete(false);
    const report = await deleteRecognised(slow, target, target);
    expect(report).toEqual({ outcome: 'unknown', stillThere: true });
    expect(sent()).toBe(1);
    expect(await czxidOf(target.path)).toBe(target.czxid);
  });

  it('stays unknown while the connection does not come back', async () => {
    const target = await contender();
    cutAtDelete(true);
    const pending = deleteRecognised(slow, target, target, { resolveWithinMs: 300 });
    await proxy.setAccepting(false);
    expect(await pending).toEqual({ outcome: 'unknown' });
    await proxy.setAccepting(true);
  });
});

describe('what must not go', () => {
  it('refuses what is no contender, whatever the server would allow', async () => {
    await contender();
    await realm.observer.create('/locks/a/config', { data: 'x' });
    await realm.observer.create('/app/settings/deep');
    for (const path of ['/locks/a/config', '/locks/a', '/app/settings', '/app/settings/deep']) {
      expect((await refusal(forceDelete(client, await targetOf(path)))).reason).toBe('not-a-contender');
    }
    expect((await refusal(forceDelete(client, await targetOf('/locks')))).reason).toBe('depth');
    expect(await czxidOf('/app/settings/deep')).toBeTypeOf('bigint');
  });

  it('says that DELETE on the parent is missing, and shows its ACL', async () => {
    const target = await contender();
    const acl = [{ scheme: 'world', id: 'anyone', permissions: 'cra' }];
    await realm.observer.setAcl('/locks/a', acl);
    const { reason, missing } = await refusal(forceDelete(client, target));
    expect(reason).toBe('no-permission');
    expect(missing).toEqual({ parent: '/locks/a', parentAcl: acl });
    expect(await czxidOf(target.path)).toBe(target.czxid);
    // What the node itself allows does not matter.
    await realm.observer.setAcl('/locks/a', [{ scheme: 'world', id: 'anyone', permissions: 'cdrwa' }]);
    await realm.observer.setAcl(target.path, [{ scheme: 'world', id: 'anyone', permissions: 'r' }]);
    expect(await forceDelete(client, target)).toBe('deleted');
  });
});

it('two clients at once: one deletes, the other reports that it is gone', async () => {
  const other = await connect(realm.connectString);
  const outcomes: string[] = [];
  for (let round = 0; round < 10; round++) {
    const target = await contender();
    outcomes.push((await Promise.all([client, other].map(each => forceDelete(each, target)))).sort().join());
  }
  await other.close();
  expect(new Set(outcomes)).toEqual(new Set(['already gone,deleted']));
});

it('predicts who gets the lock, and they do', async () => {
  const stale = await contender(false);
  const next = await contender();
  const [before] = await readQueues(client, '/locks/a');
  const predicted = deleteConsequences(before!, stale.path, { now: Date.now() });
  expect(predicted?.nextHolders.map(({ path }) => path)).toEqual([next.path]);
  expect(predicted).toMatchObject({ owner: { alive: 'no-owner' }, position: 1, succession: 'known' });
  expect(await forceDelete(client, stale)).toBe('deleted');
  const [after] = await readQueues(client, '/locks/a');
  expect(after?.contenders).toMatchObject([{ path: next.path, role: 'holder' }]);
});

describe('empty lock directories', () => {
  it('go when they are empty, and only then', async () => {
    const target = await contender();
    await realm.observer.create('/locks/never');
    await realm.observer.create('/locks/content', { data: 'keep me' });
    await realm.observer.create('/locks/content/child');
    await realm.observer.delete('/locks/content/child');
    expect(await findEmptyLocks(client, ['/locks', '/none'])).toEqual([]);
    expect((await refusal(removeEmptyLock(client, { path: '/locks/a' }))).reason).toBe('not-empty');
    expect((await refusal(removeEmptyLock(client, { path: '/locks/never' }))).reason).toBe('not-a-lock-directory');
    expect((await refusal(removeEmptyLock(client, { path: '/locks/content' }))).reason).toBe('not-a-lock-directory');
    await realm.observer.delete(target.path);
    const [found] = await findEmptyLocks(client, ['/locks']);
    expect(found?.path).toBe('/locks/a');
    expect(await removeEmptyLock(client, { path: '/locks/a', czxid: 1n })).toEqual({ outcome: 'changed' });
    expect(await removeEmptyLock(client, found!)).toEqual({ outcome: 'deleted' });
    expect(await removeEmptyLock(client, { path: '/locks/a' })).toEqual({ outcome: 'already gone' });
  });

  it('stay when a contender joins in the last moment', async () => {
    const target = await contender();
    await realm.observer.delete(target.path);
    const late = hooked(client, 'remove', async () => {
      await realm.observer.create(sequence(1), { ephemeral: true });
    });
    expect((await refusal(removeEmptyLock(late, { path: '/locks/a' }))).reason).toBe('not-empty');
    expect(await czxidOf(sequence(1))).toBeTypeOf('bigint');
  });
});
