import { beforeEach, expect, it } from 'vitest';
import { confirmFindings } from '../../../src/inspector/confirmFindings.ts';
import { findOwnerless, findStale, type StaleFinding } from '../../../src/inspector/findStale.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import { FakeClient } from '../../support/fakeClient.ts';
import { curatorName } from './diagnosisQueues.ts';

const nodeAt = (at: number): string => `/locks/a/${curatorName('lock-', at)}`;

let client: FakeClient;

beforeEach(() => {
  client = new FakeClient();
  for (let at = 0; at < 3; at++) client.put(nodeAt(at), { owner: BigInt(at + 1) });
});

/** The leader knows none of the owners. */
async function found(): Promise<StaleFinding[]> {
  const live = { ids: new Set<bigint>(), listedBy: 'leader' as const, server: 'zk1:2181' };
  const owners = { connections: new Map(), live, sources: [], askedAt: 20 };
  return findStale(await readQueues(client, '/locks/a'), { queuesReadAt: 10, now: 30, owners });
}

const places = (findings: readonly StaleFinding[]): string[] => findings.map(({ contender }) => contender.path);

it('keeps what is as it was, with one more reading of the queue', async () => {
  const findings = await found();
  expect(places(await confirmFindings(client, findings))).toEqual([0, 1, 2].map(nodeAt));
  expect(client.reads.filter(read => read === 'getChildren /locks/a')).toHaveLength(2);
});

it('drops who left, whose turn came, and who came again while the servers were asked', async () => {
  const findings = await found();
  client.drop(nodeAt(0));
  expect(places(await confirmFindings(client, findings))).toEqual([nodeAt(2)]);
  client.drop(nodeAt(2));
  client.put(nodeAt(2), { owner: 3n });
  expect(await confirmFindings(client, findings)).toEqual([]);
});

it('reads nothing for findings that rest on the queue alone', async () => {
  client.put('/locks/b/lock-0000000000');
  const findings = findOwnerless(await readQueues(client, '/locks/b'));
  client.reads.length = 0;
  expect(await confirmFindings(client, findings)).toEqual(findings);
  expect(client.reads).toEqual([]);
});
