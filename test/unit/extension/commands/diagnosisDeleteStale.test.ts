import { beforeEach, describe, expect, it, vi } from 'vitest';
import { nullLogger } from '../../../../src/base/logger.ts';
import type { ClusterProfile } from '../../../../src/app/clusters/clusterProfile.ts';
import { AuditList } from '../../../../src/app/deletes/auditList.ts';
import { deleteStaleCommand } from '../../../../src/extension/commands/deleteStaleCommand.ts';
import type { DiagnosisParts } from '../../../../src/extension/commands/diagnosisParts.ts';
import type { ManyQuestion } from '../../../../src/extension/dialogs/quickInput.ts';
import type { StaleChoice } from '../../../../src/app/deletes/lookForStale.ts';
import type { LockNode } from '../../../../src/app/clusters/clusterModel.ts';
import { readQueues } from '../../../../src/inspector/readQueues.ts';
import { FakeClient } from '../../../support/fakeClient.ts';
import { clusterNode, lockNode, profileNamed } from '../fixtures.ts';

const picks = vi.hoisted(() => ({
  choose: (choices: { value: unknown }[]): unknown[] => choices.map(({ value }) => value),
  offered: [] as { label: string; detail?: string; isPicked: boolean }[],
  typed: '',
}));

vi.mock('../../../../src/extension/dialogs/quickInput.ts', async original => ({
  ...(await original()),
  askMany: (question: ManyQuestion<StaleChoice>) => {
    picks.offered = question.choices.map(choice => ({ ...choice, detail: choice.detail ?? '' }));
    return Promise.resolve(picks.choose([...question.choices]));
  },
  askText: () => Promise.resolve({ kind: 'value', value: picks.typed }),
}));

/** Of Curator, which makes no persistent node. */
const nodeName = (index: number): string =>
  `_c_01234567-89ab-cdef-0123-456789abcdef-lock-${String(index).padStart(10, '0')}`;

let client: FakeClient;
let profile: ClusterProfile;
let confirmed: string[];
let isSure: boolean;
let whileAsked: (lock: LockNode) => void;
let isListed: boolean;
let opened: number;
let reports: string[];
let said: string[];
let stored: unknown;

beforeEach(() => {
  client = new FakeClient();
  profile = profileNamed('orders', { connectString: 'localhost:1' });
  picks.typed = 'orders';
  confirmed = [];
  isSure = true;
  whileAsked = () => undefined;
  isListed = true;
  opened = 0;
  reports = [];
  said = [];
  stored = undefined;
});

/** Persistent nodes before one that lives. */
function stale(count: number): void {
  for (let index = 0; index < count; index++) client.put(`/locks/a/${nodeName(index)}`);
  client.put(`/locks/a/${nodeName(count)}`, { owner: 0x22n });
}

async function run(): Promise<LockNode> {
  const [queue] = await readQueues(client, '/locks/a');
  const lock = lockNode(queue, clusterNode({ profile }), '/locks/a');
  const browser = { node: lock.cluster, connection: { client }, refresh: () => Promise.resolve() };
  const storage = { get: () => stored, update: (_: string, value: unknown) => Promise.resolve(void (stored = value)) };
  const parts = {
    targets: {
      row: () => lock,
      browser: () => Promise.resolve(browser),
      client: () => Promise.resolve(client),
    },
    reporter: {
      inform: (text: string) => void said.push(text),
      confirm: (question: string, detail: string) => {
        confirmed.push(`${question}\n${detail}`);
        whileAsked(lock);
        return Promise.resolve(isSure);
      },
    },
    security: { secrets: { get: () => Promise.resolve(undefined) } },
    registry: { get: () => (isListed ? browser : undefined) },
    ownLocks: {
      clientOf: () => {
        opened++;
        return Promise.resolve(client);
      },
      releaserOf: () => undefined,
    },
    audit: new AuditList({ storage, who: () => 'ann', now: () => 0, logger: nullLogger }),
    texts: { show: (_: string, text: string) => Promise.resolve(void reports.push(text)) },
  };
  await deleteStaleCommand(parts as unknown as DiagnosisParts, lock);
  return lock;
}

const left = async (): Promise<string[]> => (await client.getChildren('/locks/a')).children.sort();
const audited = (): { outcome: string }[] => (stored ?? []) as { outcome: string }[];

describe('delete stale nodes', () => {
  it('deletes exactly the chosen ones after one question and the typed name, and reports and notes each', async () => {
    stale(3);
    await run();
    expect(picks.offered.map(({ isPicked }) => isPicked)).toEqual([false, false, false]);
    expect(confirmed).toEqual([expect.stringMatching(/^Delete 3 nodes\?/)]);
    expect(await left()).toEqual([nodeName(3)]);
    expect(reports[0]).toContain('3 of 3 deleted');
    expect(audited().map(({ outcome }) => outcome)).toEqual(['deleted', 'deleted', 'deleted']);
  });

  it('deletes nothing without a yes', async () => {
    stale(2);
    isSure = false;
    await run();
    expect(await left()).toHaveLength(3);
    expect(reports).toEqual([]);
    expect(audited()).toEqual([]);
  });

  it('leaves what was replaced meanwhile, and goes on with the rest', async () => {
    stale(3);
    whileAsked = () => {
      client.drop(`/locks/a/${nodeName(1)}`);
      client.put(`/locks/a/${nodeName(1)}`);
    };
    await run();
    expect(await left()).toEqual([nodeName(1), nodeName(3)]);
    expect(reports[0]).toMatch(/2 of 3 deleted[^]*left alone: it has changed/);
    expect(audited().map(({ outcome }) => outcome)).toEqual(['deleted', 'changed', 'deleted']);
  });

  it.each<[string, string, (lock: LockNode) => void]>([
    ['was removed', 'removed', () => void (isListed = false)],
    [
      'became production, where the name is typed,',
      'changed',
      ({ cluster }) => void (cluster.profile = { ...profile, environment: 'production' }),
    ],
  ])('opens no session and deletes nothing when the cluster %s while asked', async (_, change, happen) => {
    stale(2);
    whileAsked = happen;
    await expect(run()).rejects.toMatchObject({ change });
    expect([confirmed.length, opened, (await left()).length]).toEqual([1, 0, 3]);
    expect(audited()).toEqual([]);
  });

  it('refuses on a read-only cluster before it looks', async () => {
    stale(1);
    profile = { ...profile, readOnly: true };
    await expect(run()).rejects.toMatchObject({ name: 'ReadOnlyCluster', refused: 'delete' });
    expect(confirmed).toEqual([]);
    expect(await left()).toHaveLength(2);
  });

  it('says so when there is nothing', async () => {
    client.put(`/locks/a/${nodeName(0)}`, { owner: 0x22n });
    await run();
    expect(said).toEqual(['No stale nodes found.']);
  });
});
