import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SessionLink } from '../../../src/scenario/sessionLink.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { openSocket } from '../../../src/zookeeper/openSocket.ts';
import { eventually } from '../../support/eventually.ts';
import { useTestRealm } from '../../support/freshChroot.ts';

describe('the link of a session', () => {
  const realm = useTestRealm();
  let link: SessionLink;
  let client: ZooKeeperClient;
  beforeEach(async () => {
    link = new SessionLink(path => path.endsWith('/ignored'));
    client = await connect(realm.connectString, { sessionTimeoutMs: 20_000, openSocket: link.over(openSocket) });
  });
  afterEach(async () => {
    link.restore();
    await client.close();
  });

  it('is cut until it is restored, and the session lives on', async () => {
    const { sessionId } = client;
    link.cut();
    await eventually(() => expect(client.state).toBe('uncertain'));
    await expect(client.exists('/')).rejects.toMatchObject({ name: 'NotConnectedError' });
    link.restore();
    await eventually(() => expect(client.state).toBe('connected'));
    expect(client.sessionId).toBe(sessionId);
    expect(await client.exists('/')).toBeDefined();
  });

  it('loses the reply of the next create that makes no directory, and of that alone', async () => {
    link.loseNextCreate();
    await client.create('/directory', { mode: 'container' });
    await client.create('/directory/plain', { mode: 'persistent' });
    const lost = client.create('/directory/lock-', { mode: 'ephemeral_sequential' });
    await expect(lost).rejects.toMatchObject({ name: 'OutcomeUnknownError' });
    expect(await realm.observer.ls('/directory')).toHaveLength(2);
    await eventually(() => expect(client.state).toBe('connected'));
    const { path } = await client.create('/directory/lock-', { mode: 'ephemeral_sequential' });
    expect(path).toMatch(/^\/directory\/lock-\d{10}$/u);
    expect(await realm.observer.ls('/directory')).toHaveLength(3);
  });

  it('counts the notifications of its server, but for those it is to ignore', async () => {
    await realm.observer.ensure('/watched');
    await realm.observer.ensure('/ignored');
    const seen: string[] = [];
    const watch = ({ type, path }: { type: string; path: string }) => seen.push(`${type} ${path}`);
    await client.getChildren('/watched', { watch });
    await client.getData('/watched', { watch });
    await client.getData('/ignored', { watch });
    await realm.observer.create('/watched/child');
    await realm.observer.set('/watched', 'x');
    await realm.observer.set('/ignored', 'x');
    await eventually(() => expect(seen).toHaveLength(3));
    expect(link.notifications).toBe(2);
  });

  it('passes long replies and many requests as they are', async () => {
    const data = Buffer.alloc(900_000, 'ä');
    await client.create('/long', { data });
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.getData('/long')));
    for (const answer of answers) expect(Buffer.compare(answer.data, data)).toBe(0);
    expect(link.notifications).toBe(0);
  });
});
