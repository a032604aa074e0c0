import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditedAct } from '../../../../src/app/deletes/auditList.ts';
import type { ClusterRegistry } from '../../../../src/app/clusters/clusterRegistry.ts';
import { runDeletes, type ActReport, type PlannedAct } from '../../../../src/app/deletes/deletePipeline.ts';
import { actFor, lookForStale, staleChoices } from '../../../../src/app/deletes/lookForStale.ts';
import type { StaleFinding } from '../../../../src/inspector/findStale.ts';
import { FakeClient } from '../../../support/fakeClient.ts';
import { clusterNode, lockNode, profileNamed } from '../../extension/fixtures.ts';
import { curatorName, plainQueue } from '../../inspector/diagnosisQueues.ts';

const nodeAt = (at: number): string => `/locks/a/${curatorName('lock-', at)}`;

let client: FakeClient;
let records: AuditedAct[];
let cluster: ReturnType<typeof clusterNode>;
let opening: () => Promise<FakeClient>;

beforeEach(() => {
  client = new FakeClient();
  records = [];
  // No server listens there.
  cluster = clusterNode({ profile: profileNamed('orders', { connectString: 'localhost:1' }) });
  opening = () => Promise.resolve(client);
});

function run(acts: readonly PlannedAct[], cancelAfter = Infinity): Promise<ActReport[]> {
  const parts = {
    registry: { get: () => ({ node: cluster, connection: { client } }) } as unknown as ClusterRegistry,
    audit: { record: (act: AuditedAct) => Promise.resolve(void records.push(act)) },
    sessions: { clientOf: () => opening() },
  };
  const cancel = new AbortController();
  return runDeletes(parts, cluster, {
    look: () => Promise.resolve(acts),
    confirm: seen => Promise.resolve(seen),
    withProgress: (count, work) => {
      expect(count).toBe(acts.length);
      return work(cancel.signal, done => {
        if (done === cancelAfter) cancel.abort();
      });
    },
  });
}

async function actOn(path: string): Promise<PlannedAct> {
  const { czxid, ephemeralOwner } = (await client.exists(path))!;
  return { action: 'delete stale', target: { path, czxid, ownerSession: ephemeralOwner }, recognised: { path, czxid } };
}

it('nothing is looked at, nor asked, in a record of the past', async () => {
  client.put(nodeAt(0));
  const act = await actOn(nodeAt(0));
  cluster.profile = profileNamed('version-2', { isRecording: true, readOnly: true });
  await expect(run([act])).rejects.toMatchObject({ name: 'ReadOnlyCluster', isRecording: true, refused: 'delete' });
  expect([records, await client.exists(nodeAt(0))]).toEqual([[], expect.objectContaining({ czxid: act.target.czxid })]);
});

describe('several deletes', () => {
  beforeEach(() => {
    for (let at = 0; at < 3; at++) client.put(nodeAt(at));
  });

  it('report and record each node, go on after a refusal, and stop between two when cancelled', async () => {
    client.put('/zookeeper/a/b');
    const acts = [await actOn('/zookeeper/a/b'), await actOn(nodeAt(0)), await actOn(nodeAt(1))];
    const reports = await run(acts, 2);
    expect(reports.map(({ outcome }) => outcome)).toEqual(['refused', 'deleted', 'cancelled']);
    expect(records.map(({ outcome }) => outcome)).toEqual(['refused: zookeeper', 'deleted']);
    expect(await client.exists(nodeAt(1))).toBeDefined();
  });

  it('compare each node right before its delete', async () => {
    const acts = [await actOn(nodeAt(0)), await actOn(nodeAt(1))];
    client.drop(nodeAt(0));
    client.put(nodeAt(0));
    expect((await run(acts)).map(({ outcome }) => outcome)).toEqual(['changed', 'deleted']);
  });

  it('check the guards again before each node', async () => {
    const acts = [await actOn(nodeAt(0)), await actOn(nodeAt(1))];
    const remove = client.remove.bind(client);
    client.remove = (path, version) => {
      cluster.profile = { ...cluster.profile, readOnly: true };
      return remove(path, version);
    };
    expect((await run(acts)).map(({ outcome }) => outcome)).toEqual(['deleted', 'refused']);
    expect(records[1]?.outcome).toBe('refused: read-only');
  });

  it('are refused beyond 100', async () => {
    const act = await actOn(nodeAt(0));
    await expect(run(Array.from({ length: 101 }, () => act))).rejects.toMatchObject({ reason: 'too-many' });
    expect(records).toEqual([]);
    expect(await client.exists(nodeAt(0))).toBeDefined();
  });

  it('are recorded as failed when the session cannot be opened', async () => {
    opening = () => Promise.reject(new Error('no route'));
    await expect(run([await actOn(nodeAt(0))])).rejects.toThrow('no route');
    expect(records.map(({ outcome }) => outcome)).toEqual(['failed: no route']);
  });
});

it('a list of stale nodes and their deletes read the queue once', async () => {
  for (let at = 0; at < 5; at++) client.put(nodeAt(at));
  client.put(nodeAt(5), { owner: 0x22n });
  const lock = lockNode(undefined, cluster, '/locks/a');
  const unused = (): never => {
    throw new Error('only one lock is read');
  };
  const { choices } = await lookForStale({ node: cluster, findBelowRoots: unused, refresh: unused }, client, lock, {
    ownerQuery: { adminServerPort: undefined, secrets: { get: () => Promise.resolve(undefined) } },
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  const reports = await run(choices.map(actFor));
  expect(reports.map(({ outcome }) => outcome)).toEqual(Array(5).fill('deleted'));
  expect(client.reads.filter(read => read === 'getChildren /locks/a')).toHaveLength(1);
});

it('the list holds at most 100, picks no node whose owner may be alive or is not known, and leaves out guarded paths', () => {
  const finding = (more: Partial<StaleFinding>, path = '/locks/a'): StaleFinding => {
    const queue = plainQueue(path, 'curator', [{}]);
    const base = { queue, contender: queue.contenders[0]!, reasons: [], confidence: 'likely' as const };
    return { ...base, owner: { session: 0n, alive: 'no-owner' }, ...more };
  };
  const empties = [{ path: '/locks/old', czxid: 1n, createdAt: 0 }];
  const findings = [
    finding({}),
    finding({ owner: { session: 1n, alive: 'no' } }),
    finding({ owner: { session: 1n, alive: 'yes' } }),
    finding({ owner: { session: 1n, alive: 'unknown' } }),
    finding({ confidence: 'possible' }),
    finding({}, '/zookeeper/a'),
  ];
  const short = staleChoices(profileNamed('orders'), findings, empties);
  expect(short.choices.map(({ isPicked }) => isPicked)).toEqual([false, true, false, false]);
  expect(short.living.map(({ isPicked }) => isPicked)).toEqual([false, false]);
  expect([short.choices.at(-1)?.kind, short.leftOut, short.guarded]).toEqual(['empty lock', 0, 1]);
  const many = Array.from({ length: 100 }, () => finding({}));
  const long = staleChoices(profileNamed('orders'), [...findings, ...many], empties);
  expect([long.choices.length, long.leftOut, long.guarded]).toEqual([100, 5, 1]);
});
