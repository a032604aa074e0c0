import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Disposable } from '../../../src/base/disposable.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import { watchQueues } from '../../../src/inspector/watchQueues.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { holders, waiters } from '../../support/contenderNames.ts';
import { eventually } from '../../support/eventually.ts';
import { useTestRealm } from '../../support/freshChroot.ts';
import { startObserver, type Observer } from '../../support/observer.ts';
import { serverWatches } from '../../support/serverWatches.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcpProxy.ts';
import { startZooKeeper } from '../../support/zookeeperServer.ts';

const realm = useTestRealm();
const multiRead = 22;
let proxy: TcpProxy;
let client: ZooKeeperClient;
let watch: Disposable | undefined;
let calls: LockQueue[][];

beforeEach(async () => {
  const [host] = realm.serverConnectString.split(',');
  proxy = await startTcpProxy(Number(host!.split(':')[1]));
  client = await connect(proxy.connectString + realm.chroot);
  calls = [];
  watch = undefined;
});
afterEach(async () => {
  watch?.dispose();
  proxy.forwardAll();
  await client.close();
  await proxy.close();
});

const prefix = `${'a'.repeat(32)}__lock__`;
const last = (): LockQueue | undefined => calls.at(-1)?.[0];

async function join(path: string): Promise<string> {
  const made = await realm.observer.create(`${path}/${prefix}`, { ephemeral: true, sequence: true });
  return made.slice(made.lastIndexOf('/') + 1);
}

async function start(path: string, lookEveryMs?: number): Promise<unknown[]> {
  const failures: unknown[] = [];
  watch = await watchQueues(client, path, queues => void calls.push(queues), {
    onFailure: error => void failures.push(error),
    ...(lookEveryMs === undefined ? {} : { lookEveryMs }),
  });
  return failures;
}

/** The last call says what a fresh reading says, and that is what is expected. */
async function shows(path: string, holding: string[], waiting: string[], compared = asRead): Promise<void> {
  await eventually(() => expect([holders(last()), waiters(last())]).toEqual([holding, waiting]));
  await eventually(async () => expect(compared(calls.at(-1) ?? [])).toEqual(compared(await readQueues(client, path))));
}

function asRead(queues: readonly LockQueue[]): readonly LockQueue[] {
  return queues;
}

/** Without events a watch does not know what the last change of a directory was; a reading does. */
function withoutLatest(queues: readonly LockQueue[]): readonly LockQueue[] {
  return queues.map(queue => ({
    ...queue,
    contenders: queue.contenders.map(contender => {
      const { earliest } = contender.heldSince ?? {};
      return earliest === undefined ? contender : { ...contender, heldSince: { earliest } };
    }),
  }));
}

describe('a path that comes and goes', () => {
  it('is followed through every stage', async () => {
    await start('/deep/lock');
    expect(calls).toEqual([[]]);
    const first = await join('/deep/lock');
    await shows('/deep/lock', [first], []);
    const second = await join('/deep/lock');
    await shows('/deep/lock', [first], [second]);
    await realm.observer.delete(`/deep/lock/${first}`);
    await shows('/deep/lock', [second], []);
    await realm.observer.delete('/deep', { recursive: true });
    await eventually(() => expect(calls.at(-1)).toEqual([]));
    const again = await join('/deep/lock');
    await shows('/deep/lock', [again], []);
  });

  it('a single node', async () => {
    await start('/controller');
    for (const broker of [1, 2]) {
      await realm.observer.create('/controller', { ephemeral: true, data: `{"brokerid":${broker}}` });
      await eventually(() => expect(last()?.contenders[0]?.identifier).toBe(`broker ${broker}`));
      await realm.observer.delete('/controller');
      await eventually(() => expect(calls.at(-1)).toEqual([]));
    }
  });
});

describe('a connection that breaks', () => {
  it('what changed meanwhile is shown after it is back', async () => {
    const first = await join('/lock');
    await start('/lock');
    await proxy.setAccepting(false);
    proxy.cut();
    await eventually(() => expect(client.state).toBe('uncertain'));
    await realm.observer.delete(`/lock/${first}`);
    const second = await join('/lock');
    await proxy.setAccepting(true);
    await shows('/lock', [second], []);
  });

  it('in the middle of the re-read that an event asked for (docs/faults.md, L10)', async () => {
    const first = await join('/lock');
    await start('/lock');
    let cuts = 0;
    proxy.onRequest(({ opcode }) => {
      if (opcode !== multiRead || cuts > 0) return 'forward';
      cuts += 1;
      return 'cut';
    });
    const second = await join('/lock');
    await shows('/lock', [first], [second]);
    expect(cuts).toBe(1);
    const third = await join('/lock');
    await shows('/lock', [first], [second, third]);
  });

  it('again and again, while the queue moves: the end is right', async () => {
    await join('/lock');
    await start('/lock');
    for (let round = 0; round < 10; round += 1) {
      const joined = await join('/lock');
      if (round % 3 === 0) proxy.cut();
      if (round % 2 === 0) await realm.observer.delete(`/lock/${joined}`);
    }
    const nodes = (await realm.observer.ls('/lock')).map(node => node.name);
    await shows('/lock', nodes.slice(0, 1), nodes.slice(1));
  });

  it('because the server restarts, in less than the session time-out', async () => {
    const server = await startZooKeeper();
    const observer = await startObserver(server.connectString);
    const own = await connect(server.connectString);
    let later: Observer | undefined;
    try {
      await observer.create(`/lock/${prefix}`, { ephemeral: true, sequence: true });
      watch = await watchQueues(own, '/lock', queues => void calls.push(queues));
      await server.restart();
      // ZooKeeper may leave a connection unanswered that came as it started; kazoo then waits for as long as its session lasts.
      later = await startObserver(server.connectString);
      const made = await later.create(`/lock/${prefix}`, { ephemeral: true, sequence: true });
      await eventually(() => expect(waiters(last())).toEqual([made.slice('/lock/'.length)]), 25_000);
    } finally {
      watch?.dispose();
      await own.close();
      await observer.kill();
      await later?.stop();
      await server.stop();
    }
  }, 60_000);
});

describe('permissions', () => {
  it('a contender that may not be read keeps its place, since its stat may', async () => {
    const first = await join('/lock');
    const second = await join('/lock');
    await realm.observer.addAuth('digest', 'owner:secret');
    const acl = [{ scheme: 'auth', id: '', permissions: 'cdrwa' }];
    await realm.observer.setAcl(`/lock/${first}`, acl);
    await start('/lock');
    await shows('/lock', [first], [second]);
    await realm.observer.setAcl('/lock', acl);
    await expect(readQueues(client, '/lock')).rejects.toMatchObject({ codeName: 'NO_AUTH' });
  });
});

describe('unreadable nodes of another client, for which the server sends no event (CVE-2024-23944)', () => {
  const options = {
    mode: 'ephemeral_sequential',
    acl: [{ scheme: 'auth', id: '', permissions: 'cdrwa' }],
  } as const;
  let service: ZooKeeperClient;
  beforeEach(async () => {
    const auth = [{ scheme: 'digest', credential: 'service:secret' }];
    service = await connect(realm.connectString, { auth });
  });
  afterEach(() => service.close());

  async function joinHidden(path: string): Promise<string> {
    const made = await service.create(`${path}/${prefix}`, options);
    return made.path.slice(path.length + 1);
  }

  async function follows(path: string, holding: string[], waiting: string[]): Promise<void> {
    await shows(path, holding, waiting, withoutLatest);
  }

  it('a queue that was empty is followed from its first contender to its last', async () => {
    await realm.observer.create('/lock');
    await start('/lock');
    const first = await joinHidden('/lock');
    await follows('/lock', [first], []);
    const second = await joinHidden('/lock');
    await follows('/lock', [first], [second]);
    await service.remove(`/lock/${first}`, 0);
    await follows('/lock', [second], []);
    await service.remove(`/lock/${second}`, 0);
    await eventually(() => expect(holders(last())).toEqual([]));
    const third = await joinHidden('/lock');
    await follows('/lock', [third], []);
  });

  it('a queue that had contenders when it was first read', async () => {
    await realm.observer.create('/lock');
    const first = await joinHidden('/lock');
    const second = await joinHidden('/lock');
    await start('/lock');
    expect(holders(last())).toEqual([first]);
    await service.remove(`/lock/${first}`, 0);
    await follows('/lock', [second], []);
  });

  it('a candidate that comes back under the same name between two events', async () => {
    await realm.observer.create('/service/scope/initialize');
    const leader = async (): Promise<bigint> => {
      const made = await service.create('/service/scope/leader', { ...options, mode: 'ephemeral' });
      return made.stat.czxid;
    };
    await leader();
    await start('/service/scope');
    for (let round = 0; round < 3; round += 1) {
      await service.remove('/service/scope/leader', 0);
      const czxid = await leader();
      await eventually(() => expect(last()?.contenders[0]?.czxid).toBe(czxid));
    }
  });

  it('one that joins a queue of readable contenders is found by a look now and then', async () => {
    const first = await join('/lock');
    await start('/lock', 50);
    const second = await joinHidden('/lock');
    await follows('/lock', [first], [second]);
    await service.remove(`/lock/${second}`, 0);
    await follows('/lock', [first], []);
  });

  it('a lock that is one node is no longer called free, and is again when it is', async () => {
    const failures = await start('/controller', 50);
    expect(calls).toEqual([[]]);
    await service.create('/controller', { ...options, mode: 'ephemeral' });
    await eventually(() => expect(failures.at(-1)).toMatchObject({ codeName: 'NO_AUTH' }));
    const before = calls.length;
    await service.remove('/controller', 0);
    // Servers before 3.6 may send the event after a reading that saw the deletion already: then it is reported once more.
    await eventually(() => expect(calls.slice(before)).toContainEqual([]));
    expect(calls.flat()).toEqual([]);
  });

  it('takes its watch off the server all the same', async () => {
    await realm.observer.create('/lock');
    await start('/lock');
    const first = await joinHidden('/lock');
    await follows('/lock', [first], []);
    expect(await serverWatches(client, realm)).toContain('/lock');
    watch?.dispose();
    await eventually(async () => expect(await serverWatches(client, realm)).toEqual([]));
  });
});

it('a change reaches the listener well within 200 ms', async () => {
  await start('/lock');
  const times: number[] = [];
  for (let change = 0; change < 50; change += 1) {
    const before = calls.length;
    const made = await join('/lock');
    const start = performance.now();
    await eventually(() => expect(calls.length).toBeGreaterThan(before), 5_000, 1);
    times.push(performance.now() - start);
    await realm.observer.delete(`/lock/${made}`);
    await eventually(() => expect(holders(last())).toEqual([]), 5_000, 1);
  }
  expect(times.sort((a, b) => a - b)[25]).toBeLessThan(200);
});
