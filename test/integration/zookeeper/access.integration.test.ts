import { createHash } from 'node:crypto';
import { afterEach, describe, expect, inject, it } from 'vitest';
import {
  describeDenied,
  explainDenials,
  ownersOf,
  type AccessDeniedError,
} from '../../../src/zookeeper/accessDenied.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect, type ConnectOptions } from '../../../src/zookeeper/connect.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import { AuthenticationFailedError } from '../../../src/zookeeper/errors.ts';
import { eventually } from '../../support/eventually.ts';
import { useTestRealm } from '../../support/freshChroot.ts';
import { collectingLogger } from '../../support/collectingLogger.ts';
import { startTcpProxy } from '../../support/tcpProxy.ts';
import { isBefore } from '../../versions/limits.ts';

const realm = useTestRealm();
/** By `whoAmI`. */
const knowsIdentities = !isBefore(inject('zooKeeperVersion'), '3.7');
const clients: ZooKeeperClient[] = [];

afterEach(async () => {
  await Promise.all(clients.splice(0).map(client => client.close()));
});

async function open(options: ConnectOptions = {}, connectString = realm.connectString): Promise<ZooKeeperClient> {
  const client = await connect(connectString, options);
  clients.push(client);
  return client;
}

function digestId(credential: string): string {
  return `${credential.split(':')[0]!}:${createHash('sha1').update(credential).digest('base64')}`;
}

const alice = 'alice:canary-secret-1';
const bob = 'bob:canary-secret-2';
const only = (credential: string, permissions = 'cdrwa') => [
  { scheme: 'digest', id: digestId(credential), permissions },
];

describe('F17 F18 digest', () => {
  it('opens what several credentials open together, also after a reconnect', async () => {
    const proxy = await startTcpProxy(Number(realm.serverConnectString.split(':')[1]));
    const auth = [alice, bob].map(credential => ({ scheme: 'digest', credential }));
    const both = await open({ auth }, proxy.connectString + realm.chroot);
    await both.create('/a', { acl: only(alice), data: Buffer.from('A') });
    await both.create('/b', { acl: only(bob), data: Buffer.from('B') });
    const sent: number[] = [];
    proxy.onRequest(({ xid }) => {
      if (xid !== undefined) sent.push(xid);
      return 'forward';
    });
    const events: string[] = [];
    await both.getData('/a', { watch: event => events.push(event.type) });
    const states: string[] = [];
    both.onState(({ state }) => states.push(state));
    proxy.cut();
    await eventually(() => expect(states.at(-1)).toBe('connected'));
    const answers = await both.readMany([
      { op: 'getData', path: '/a' },
      { op: 'getData', path: '/b' },
    ]);
    expect(answers.map(answer => (answer.op === 'getData' ? Buffer.from(answer.data).toString() : answer))).toEqual([
      'A',
      'B',
    ]);
    // D11: credentials, then watches, then requests.
    const after = sent.slice(sent.indexOf(-4));
    expect(after.slice(0, 3)).toEqual([-4, -4, -8]);
    await both.remove('/a', 0);
    await both.remove('/b', 0);
    await proxy.close();
  });

  it('names the node, the missing right, the ACL and us', async () => {
    const owner = await open({ auth: [{ scheme: 'digest', credential: alice }] });
    await owner.create('/guarded', { acl: only(alice) });
    await owner.create('/guarded/child', {
      acl: [...only(alice), { scheme: 'world', id: 'anyone', permissions: 'r' }],
    });
    const stranger = await open({ auth: [{ scheme: 'digest', credential: 'alice:wrong' }] });
    const secret = await stranger.getData('/guarded').catch((error: unknown) => error);
    expect(secret).toMatchObject({ codeName: 'NO_AUTH', path: '/guarded' });

    const hidden = await describeDenied(stranger, '/guarded', 'getData');
    expect(hidden).toMatchObject({ node: '/guarded', right: 'read', acl: undefined });
    if (knowsIdentities) expect(hidden.identities).toContainEqual({ scheme: 'digest', user: 'alice' });
    else expect(hidden.identities).toBeUndefined();

    // A node's own ACL does not protect it: the right to delete belongs to the parent.
    await expect(stranger.remove('/guarded/child', 0)).rejects.toMatchObject({ codeName: 'NO_AUTH' });
    expect(await describeDenied(stranger, '/guarded/child', 'remove')).toMatchObject({
      node: '/guarded',
      right: 'delete',
    });
    await expect(stranger.create('/guarded/x')).rejects.toMatchObject({ codeName: 'NO_AUTH' });
    expect(await describeDenied(stranger, '/guarded/x', 'create')).toMatchObject({ node: '/guarded', right: 'create' });

    // What the extension uses explains by itself.
    const explaining = explainDenials(stranger);
    const readable: unknown = await explaining
      .setData('/guarded/child', Buffer.alloc(0), 0)
      .catch((error: unknown) => error);
    expect(readable).toMatchObject({ codeName: 'NO_AUTH', denied: { node: '/guarded/child', right: 'write' } });
    expect(ownersOf((readable as AccessDeniedError).denied)).toEqual(['digest:alice']);
    await expect(readQueues(explaining, '/guarded')).rejects.toMatchObject({
      denied: { node: '/guarded', right: 'read' },
    });
    await owner.remove('/guarded/child', 0);
    await owner.remove('/guarded', 0);
  });

  it('reports that no identity has the right', async () => {
    const client = await open();
    await client.create('/locked', { acl: [{ scheme: 'world', id: 'anyone', permissions: 'ra' }] });
    const error: unknown = await explainDenials(client)
      .create('/locked/x')
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({ denied: { node: '/locked', right: 'create' } });
    expect(ownersOf((error as AccessDeniedError).denied)).toEqual([]);
    expect((await describeDenied(client, '/x', 'create')).node).toBe('/');
    await realm.observer.setAcl('/locked', [{ scheme: 'world', id: 'anyone', permissions: 'cdrwa' }]);
  });
});

it('F17 an unknown scheme is reported as such, at once, and nothing stays open', async () => {
  const proxy = await startTcpProxy(Number(realm.serverConnectString.split(':')[1]));
  const auth = [
    { scheme: 'digest', credential: alice },
    { scheme: 'no-such-scheme', credential: 'canary-secret-3' },
    { scheme: 'digest', credential: bob },
  ];
  const { logger, lines } = collectingLogger();
  const attempt = connect(proxy.connectString, { auth, logger });
  const error: unknown = await attempt.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(AuthenticationFailedError);
  expect((error as Error).message).toMatch(/no-such-scheme credential was refused \(error -115\)/);
  expect(String(error) + lines.join()).not.toContain('canary');
  await eventually(() => expect(proxy.openConnections).toBe(0));
  expect(proxy.counts.connections).toBe(1);
  await proxy.close();
});

it.each([
  ['digest', 'canary'],
  ['sasl', 'canary'],
  ['sasl', ':canary'],
])('the %s credential %s is refused before anything is sent', async (scheme, credential) => {
  const attempt = connect(realm.connectString, { auth: [{ scheme, credential }] });
  const error: unknown = await attempt.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(AuthenticationFailedError);
  expect(String(error)).not.toContain('canary');
});

it('knows who it is', async () => {
  const client = await open({ auth: [{ scheme: 'digest', credential: alice }] });
  const identities = (await client.whoAmI())!.map(({ scheme, user }) => `${scheme}:${user}`);
  expect(identities.sort()).toEqual(['digest:alice', 'ip:127.0.0.1']);
});

it('cannot know who it is on a server before 3.7, and says so', async () => {
  const proxy = await startTcpProxy(Number(realm.serverConnectString.split(':')[1]));
  proxy.onRequest(({ opcode, frame }) => {
    if (opcode === 107) frame.writeInt32BE(99, 8);
    return frame;
  });
  const client = await open({}, proxy.connectString + realm.chroot);
  expect(await client.whoAmI()).toBeUndefined();
  expect(await client.whoAmI()).toBeUndefined();
  expect(proxy.counts.connections).toBe(2);
  await client.close();
  await proxy.close();
});

it('F17 SASL on a server that has none is reported as such', async () => {
  const attempt = connect(realm.connectString, { auth: [{ scheme: 'sasl', credential: alice }] });
  const error: unknown = await attempt.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(AuthenticationFailedError);
  expect(String(error)).toContain('no SASL');
});
