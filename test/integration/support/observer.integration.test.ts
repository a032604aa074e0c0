import { expect, it } from 'vitest';
import { fourLetterWord } from '../../../scripts/zookeeper/fourLetterWord.ts';
import { eventually } from '../../support/eventually.ts';
import { useTestRealm } from '../../support/freshChroot.ts';
import { startObserver } from '../../support/observer.ts';
import { startZooKeeper } from '../../support/zookeeperServer.ts';

const realm = useTestRealm();

it('sees what it created, with owner and creation order', async () => {
  const other = await realm.observer.openSession();
  const first = await realm.observer.create('/q/b-', { data: 'x', ephemeral: true, sequence: true });
  const second = await other.create('/q/a-', { ephemeral: true, sequence: true });
  expect([first, second]).toEqual(['/q/b-0000000000', '/q/a-0000000001']);
  const nodes = await realm.observer.ls('/q');
  expect(nodes.map(node => [node.path, node.name, node.data.toString(), node.ephemeralOwner])).toEqual([
    [first, 'b-0000000000', 'x', realm.observer.sessionId],
    [second, 'a-0000000001', '', other.sessionId],
  ]);
  expect(nodes[0]!.czxid).toBeLessThan(nodes[1]!.czxid);
  await other.closeSession();
  expect(await realm.observer.get(second)).toBeUndefined();
  expect(await realm.observer.delete(second)).toBe(false);
});

it('creates a thousand nodes in the order asked for', async () => {
  await realm.observer.ensure('/many');
  const made = await realm.observer.createMany(
    Array.from({ length: 1_000 }, () => ({ path: '/many/n-', ephemeral: true, sequence: true })),
  );
  expect(made[999]).toBe('/many/n-0000000999');
  expect((await realm.observer.get('/many'))?.numChildren).toBe(1_000);
});

it('stands on a chroot that is empty at the start of every test', async () => {
  expect(await realm.observer.ls('/')).toEqual([]);
});

it('starts an ensemble that outlives its leader', async () => {
  const ensemble = await startZooKeeper({ nodes: 3, firstId: 128 });
  try {
    const observer = await startObserver(ensemble.connectString);
    await observer.create('/kept', { data: 'still here' });
    expect(observer.sessionId).toBeLessThan(0n);
    const modes = await Promise.all(ensemble.ports.map(port => fourLetterWord('127.0.0.1', port, 'srvr')));
    await ensemble.servers[modes.findIndex(mode => mode.includes('Mode: leader'))]!.kill();
    const kept = await eventually(() => observer.get('/kept'), 25_000);
    expect(kept?.data.toString()).toBe('still here');
    await observer.stop();
  } finally {
    await ensemble.stop();
  }
});
