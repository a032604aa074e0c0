import { describe, expect, it } from 'vitest';
import { AccessDeniedError, explainDenials } from '../../../src/zookeeper/accessDenied.ts';
import type { Acl, Identity, Stat } from '../../../src/zookeeper/client.ts';
import { isZooKeeperError, NotConnectedError, ReplyLostError, ZooKeeperError } from '../../../src/zookeeper/errors.ts';
import { FakeClient } from '../../support/fakeClient.ts';

const noAuth = -102;
const noNode = -101;

/** A server that refuses to write below `/guarded`, and reports who may. */
class GuardedClient extends FakeClient {
  acl: Acl[] = [{ scheme: 'digest', id: 'ann:aGFzaA==', permissions: 'cdrwa' }];
  isAclReadable = true;
  isTold = true;
  asked: string[] = [];

  override create(path: string): Promise<never> {
    return Promise.reject(new ZooKeeperError(noAuth, 'create', path));
  }

  override remove(path: string): Promise<never> {
    return Promise.reject(new ZooKeeperError(noAuth, 'remove', path));
  }

  override setData(path: string): Promise<never> {
    return Promise.reject(new ZooKeeperError(noAuth, 'setData', path));
  }

  override getAcl(path: string): Promise<{ acl: Acl[]; stat: Stat }> {
    this.asked.push(path);
    if (!this.isTold) return Promise.reject(new ReplyLostError('getAcl', path, 'the connection broke'));
    if (!this.isAclReadable) return Promise.reject(new ZooKeeperError(noAuth, 'getAcl', path));
    return super.getAcl(path).then(({ stat }) => ({ acl: this.acl, stat }));
  }

  override whoAmI(): Promise<never> {
    const identities: Identity[] = [{ scheme: 'digest', user: 'bob:Ym9i' }];
    // The fake has no whoAmI; this one has.
    return Promise.resolve(identities) as Promise<never>;
  }
}

function guarded(): GuardedClient {
  const client = new GuardedClient();
  client.put('/guarded/job');
  return client;
}

async function rejection(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('a client that explains denials', () => {
  it.each([
    ['create', '/guarded/job', 'create', '/guarded'],
    ['remove', '/guarded/job', 'delete', '/guarded'],
    ['setData', '/guarded/job', 'write', '/guarded/job'],
    ['getData', '/guarded/job', 'read', '/guarded/job'],
    ['getChildren', '/guarded/job', 'read', '/guarded/job'],
  ] as const)('%s: names node, right, ACL and us', async (operation, path, right, node) => {
    const inner = guarded();
    inner.denied.add('/guarded/job');
    const client = explainDenials(inner);
    const calls = {
      create: () => client.create(path),
      remove: () => client.remove(path, 0),
      setData: () => client.setData(path, new Uint8Array(), 0),
      getData: () => client.getData(path),
      getChildren: () => client.getChildren(path),
    };
    const error = await rejection(calls[operation]());
    expect(error).toBeInstanceOf(AccessDeniedError);
    expect(isZooKeeperError(error, 'NO_AUTH')).toBe(true);
    expect(error).toMatchObject({ path, operation, denied: { node, right, acl: inner.acl } });
    // A password can be guessed from its hash: the log does not show it.
    expect((error as AccessDeniedError).message).not.toMatch(/aGFzaA|Ym9i/);
  });

  it('says so when the ACL may not be read either', async () => {
    const inner = guarded();
    inner.isAclReadable = false;
    const error = await rejection(explainDenials(inner).create('/guarded/x'));
    expect(error).toMatchObject({ denied: { node: '/guarded', acl: undefined } });
  });

  it('gives the bare refusal when the connection breaks while it asks', async () => {
    const inner = guarded();
    inner.isTold = false;
    const error = await rejection(explainDenials(inner).create('/guarded/x'));
    expect(error).toBeInstanceOf(ZooKeeperError);
    expect(error).not.toBeInstanceOf(AccessDeniedError);
  });

  it('leaves other failures and all answers alone', async () => {
    const inner = guarded();
    const client = explainDenials(inner);
    expect(await client.getChildren('/guarded')).toMatchObject({ children: ['job'] });
    expect(await rejection(client.getData('/nowhere'))).toMatchObject({ code: noNode });
    inner.disconnect();
    expect(await rejection(client.exists('/guarded'))).toBeInstanceOf(NotConnectedError);
    expect(client.state).toBe('uncertain');
    expect(inner.asked).toEqual([]);
  });

  it('explains a bulk read that brought nothing, once', async () => {
    const inner = guarded();
    inner.denied.add('/guarded');
    const results = await explainDenials(inner).readMany([
      { op: 'getData', path: '/guarded' },
      { op: 'getChildren', path: '/guarded' },
    ]);
    for (const result of results) {
      expect(result).toMatchObject({ op: 'error', error: { denied: { node: '/guarded', right: 'read' } } });
    }
    expect(inner.asked).toEqual(['/guarded']);
  });

  it('does not explain exists, which is asked of every child of a queue that may not be read', async () => {
    const inner = guarded();
    inner.hidden.add('/guarded/job');
    expect(await rejection(explainDenials(inner).exists('/guarded/job'))).toMatchObject({ codeName: 'NO_AUTH' });
    expect(inner.asked).toEqual([]);
  });

  it('does not hold up a bulk read that brought something', async () => {
    const inner = guarded();
    inner.denied.add('/guarded');
    const [denied, read] = await explainDenials(inner).readMany([
      { op: 'getChildren', path: '/guarded' },
      { op: 'getData', path: '/guarded/job' },
    ]);
    expect(denied).toMatchObject({ op: 'error', error: { codeName: 'NO_AUTH' } });
    expect(read).toMatchObject({ op: 'getData' });
    expect(inner.asked).toEqual([]);
  });
});
