import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CollectedState } from '../../../src/app/incidents/collectState.ts';
import type { Redaction } from '../../../src/app/incidents/redactState.ts';
import { compareIncidents } from '../../../src/incident/compareIncidents.ts';
import type { Incident } from '../../../src/incident/incident.ts';
import { openIncident } from '../../../src/incident/openIncident.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { startCuratorContenders, type CuratorContenders } from '../../support/curatorContenders.ts';
import { eventually } from '../../support/eventually.ts';
import { useTestRealm } from '../../support/freshChroot.ts';
import { startKazooContenders, type KazooContenders } from '../../support/kazooContenders.ts';
import { comparable, queuesOf, saveIncident, type SavedIncident } from './saving.ts';

const realm = useTestRealm();
let curator: CuratorContenders;
let kazoo: KazooContenders;
let client: ZooKeeperClient;
let folder: string;
/** To be ended. */
const begun: [Pick<CuratorContenders, 'end'>, string][] = [];

beforeAll(() => {
  curator = startCuratorContenders(realm.serverConnectString);
  kazoo = startKazooContenders(realm.serverConnectString);
});
afterAll(async () => {
  await Promise.all([curator.stop(), kazoo.stop()]);
});
beforeEach(async () => {
  client = await connect(realm.connectString);
  folder = await mkdtemp(join(tmpdir(), 'incident-'));
});
// Before the realm's own clean-up: a waiting client would create its nodes again meanwhile.
afterEach(async () => {
  await Promise.all(begun.splice(0).map(([contenders, id]) => contenders.end(id)));
  await Promise.all([client.close(), rm(folder, { recursive: true })]);
});

const save = (name: string, redaction: Redaction): Promise<SavedIncident> =>
  saveIncident({ client, connectString: realm.connectString }, join(folder, name), redaction);

async function count(path: string): Promise<number> {
  return (await readQueues(client, path)).flatMap(({ contenders }) => contenders).length;
}

/** Contenders that queue in this order. Curator's identifier is the host's address, kazoo's is given. */
async function queueUp(ids: readonly string[], path: string, begin: (id: string) => Promise<void>): Promise<void> {
  for (const [at, id] of ids.entries()) {
    await begin(id);
    await eventually(async () => {
      expect(await count(path)).toBe(at + 1);
    });
  }
}

async function curatorQueue(recipe: 'mutex' | 'semaphore', path: string, ids: readonly string[]): Promise<void> {
  await queueUp(ids, path, async id => {
    begun.push([curator, id]);
    await curator.start({ contender: id, recipe, path: realm.chroot + path, maxLeases: 1, identifier: `worker-${id}` });
    await curator.begin(id);
  });
}

async function kazooQueue(path: string, ids: readonly string[]): Promise<void> {
  await queueUp(ids, path, async id => {
    begun.push([kazoo, id]);
    await kazoo.start({ contender: id, recipe: 'lock', path: realm.chroot + path, identifier: `host-${id}.example` });
    await kazoo.begin(id);
  });
}

async function scene(): Promise<void> {
  await curatorQueue('mutex', '/locks/orders', ['a', 'b', 'c']);
  await curatorQueue('semaphore', '/locks/pool', ['s1', 's2']);
  await kazooQueue('/kazoo', ['k1', 'k2']);
}

describe('an incident of a live cluster', () => {
  it('shows the queues of real clients as they were live', async () => {
    await scene();
    const live = await queuesOf(client);
    const { path } = await save('a.zkincident', 'none');
    const incident = await openIncident(path);
    expect(incident.problems).toEqual([]);
    const past = await queuesOf(incident.recording.at({ zxid: incident.recording.to.zxid }));
    expect(comparable(past)).toEqual(comparable(live));
    expect(live.length).toBeGreaterThanOrEqual(3);
    const saved = incident.facts.queues.map(({ queue }) => queue);
    expect(byPath(comparable(saved))).toEqual(byPath(comparable(live)));
    await incident.recording.close();
  });

  it('names the owners that the server reports', async () => {
    await scene();
    const { path, state } = await save('a.zkincident', 'none');
    const { facts, recording } = await openIncident(path);
    const owners = new Set(state.queues.flatMap(({ contenders }) => contenders.map(each => each.ownerSession)));
    for (const [session, owner] of facts.owners) {
      expect(owners.has(session)).toBe(true);
      if (owner.address !== undefined) expect(recording.session(session)?.address).toBe(owner.address);
    }
    expect(facts.owners.size).toBe(owners.size);
  });

  it('redacted, has the same queues and none of the texts', async () => {
    await scene();
    const { path, state } = await save('a.zkincident', 'who');
    const text = gunzipSync(await readFile(path)).toString('utf8');
    const data = [...text.matchAll(/"data":"([^"]*)"/g)].map(([, each = '']) => Buffer.from(each, 'base64').toString());
    const secrets = secretsOf(state);
    expect(secrets.length).toBeGreaterThan(0);
    for (const secret of secrets) expect(text + data.join('\n')).not.toContain(secret);
    const incident = await openIncident(path);
    expect(incident.header.redacted).toBe(true);
    const past = await queuesOf(incident.recording.at({ zxid: incident.recording.to.zxid }));
    expect(shape(past)).toEqual(shape(await queuesOf(client)));
    expect(byPath(comparable(incident.facts.queues.map(({ queue }) => queue)))).toEqual(byPath(comparable(past)));
  });

  it('compared with a later one, says who took over', async () => {
    await scene();
    const first = await openIncident((await save('a.zkincident', 'none')).path);
    await curator.release('a');
    await eventually(async () => {
      const [queue] = await readQueues(client, '/locks/orders');
      expect(queue?.contenders.length).toBe(2);
    });
    const second: Incident = await openIncident((await save('b.zkincident', 'none')).path);
    const { locks } = compareIncidents(second, first);
    const orders = locks.find(({ path }) => path === '/locks/orders');
    expect(orders).toMatchObject({ kind: 'changed', hasOtherHolders: true });
    expect(orders?.gotIt.length).toBe(1);
    expect(orders?.stillWaiting.length).toBe(1);
    expect(locks.filter(({ kind }) => kind !== 'same').length).toBe(1);
  });
});

function byPath(queues: readonly object[]): object[] {
  const key = (queue: object): string => ('path' in queue ? String(queue.path) : '');
  return queues.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}

/** Identifiers, and addresses of clients and servers. */
function secretsOf({ queues, owners }: CollectedState): string[] {
  const identifiers = queues.flatMap(({ contenders }) => contenders.map(({ identifier }) => identifier));
  const addresses = [...owners.connections.values()].flatMap(({ address, server }) => [address, server]);
  return [...new Set([...identifiers, ...addresses])].filter(each => each !== '' && !/^\d+$/.test(each));
}

function shape(queues: readonly LockQueue[]): object[] {
  return queues.map(({ path, dialect, maxLeases, contenders, hazards }) => ({
    path,
    dialect,
    maxLeases,
    hazards: hazards.map(({ kind }) => kind),
    contenders: contenders.map(({ kind, role, sequence, czxid, ownerSession }) => [
      kind,
      role,
      sequence,
      czxid,
      ownerSession,
    ]),
  }));
}
