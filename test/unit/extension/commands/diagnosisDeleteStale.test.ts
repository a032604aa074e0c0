import type { Report } from '../../../../src/base/report.ts';
import { reportText } from '../../../support/reportLines.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ClusterProfile } from '../../../../src/app/clusters/clusterProfile.ts';
import type { AuditedAct } from '../../../../src/app/deletes/auditList.ts';
import { deleteStaleCommand } from '../../../../src/extension/commands/deleteStaleCommand.ts';
import type { DiagnosisParts } from '../../../../src/extension/commands/diagnosisParts.ts';
import type { ChoiceQuestion, ManyQuestion } from '../../../../src/extension/dialogs/quickInput.ts';
import type { StaleChoice } from '../../../../src/app/deletes/lookForStale.ts';
import type { LockNode } from '../../../../src/app/clusters/clusterModel.ts';
import { readQueues } from '../../../../src/inspector/readQueues.ts';
import { FakeClient } from '../../../support/fakeClient.ts';
import { clusterNode, lockNode, profileNamed } from '../fixtures.ts';

const picks = vi.hoisted(() => ({
  choose: (choices: { value: unknown }[]): unknown[] => choices.map(({ value }) => value),
  offered: [] as { label: string; detail?: string; isPicked: boolean }[],
  afterReading: [] as string[],
  typed: '',
}));

vi.mock('../../../../src/extension/dialogs/quickInput.ts', async original => ({
  ...(await original()),
  askMany: (question: ManyQuestion<StaleChoice>) => {
    picks.offered = question.choices.map(choice => ({ ...choice, detail: choice.detail ?? '' }));
    return Promise.resolve(picks.choose([...question.choices]));
  },
  askChoice: (question: ChoiceQuestion<string>) => {
    picks.afterReading.push(question.title);
    return Promise.resolve({ kind: 'value', value: question.choices[0]?.value });
  },
  askText: () => Promise.resolve({ kind: 'value', value: picks.typed }),
}));

/** Of Curator, which makes no persistent node. */
const nodeName = (index: number): string =>
  `_c_01234567-89ab-cdef-0123-456789abcdef-lock-${String(index).padStart(10, '0')}`;

let client: FakeClient;
let profile: ClusterProfile;
let confirmed: string[];
let answers: string[];
let whileAsked: (lock: LockNode) => void;
let isListed: boolean;
let opened: number;
let reports: string[];
let said: string[];
let stored: { outcome: string }[];

beforeEach(() => {
  client = new FakeClient();
  profile = profileNamed('orders', { connectString: 'localhost:1' });
  picks.typed = 'orders';
  picks.choose = choices => choices.map(({ value }) => value);
  picks.afterReading = [];
  confirmed = [];
  answers = ['delete'];
  whileAsked = () => undefined;
  isListed = true;
  opened = 0;
  reports = [];
  said = [];
  stored = [];
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
  const parts = {
    targets: {
      row: () => lock,
      browser: () => Promise.resolve(browser),
      client: () => Promise.resolve(client),
    },
    reporter: {
      inform: (text: string) => void said.push(text),
      choose: (question: string, detail: string) => {
        confirmed.push(`${question}\n${detail}`);
        whileAsked(lock);
        return Promise.resolve(answers.shift());
      },
    },
    security: { secrets: { get: () => Promise.resolve(undefined) } },
    registry: { get: () => (isListed ? browser : undefined) },
    ownLocks: {
      clientOf: () => {
        opened++;
        return Promise.resolve(client);
      },
      sessionOf: () => undefined,
      releaserOf: () => undefined,
    },
    audit: { record: (noted: AuditedAct) => Promise.resolve(void stored.push(noted)) },
    texts: { showReport: (_: string, report: Report) => Promise.resolve(void reports.push(reportText(report))) },
  };
  await deleteStaleCommand(parts as unknown as DiagnosisParts, lock);
  return lock;
}

const left = async (): Promise<string[]> => (await client.getChildren('/locks/a')).children.sort();
const audited = (): { outcome: string }[] => stored;

describe('delete stale nodes', () => {
  it('deletes exactly the chosen ones after one question and the typed name, and reports and notes each', async () => {
    stale(3);
    await run();
    expect(picks.offered.map(({ isPicked }) => isPicked)).toEqual([false, false, false]);
    expect(confirmed).toEqual([expect.stringMatching(/^Delete 3 nodes that may still be in use\?/)]);
    expect(await left()).toEqual([nodeName(3)]);
    expect(reports[0]).toContain('3 of 3 deleted');
    expect(audited().map(({ outcome }) => outcome)).toEqual(['deleted', 'deleted', 'deleted']);
  });

  it('deletes nothing without a yes', async () => {
    stale(2);
    answers = [];
    await run();
    expect(await left()).toHaveLength(3);
    expect(reports).toEqual([]);
    expect(audited()).toEqual([]);
  });

  it('goes back to the list with the same choice when the question is closed, and deletes what is chosen then', async () => {
    stale(3);
    answers = ['back', 'delete'];
    let times = 0;
    const again: boolean[][] = [];
    picks.choose = choices => {
      again.push(picks.offered.map(({ isPicked }) => isPicked));
      return choices.slice(0, ++times).map(({ value }) => value);
    };
    await run();
    expect(again).toEqual([
      [false, false, false],
      [true, false, false],
    ]);
    expect(await left()).toHaveLength(2);
  });

  it('shows all nodes when asked for, then asks again', async () => {
    stale(5);
    answers = ['show', 'delete'];
    picks.choose = choices => choices.map(({ value }) => value);
    await run();
    for (let index = 0; index < 5; index++) expect(reports[0]).toContain(nodeName(index));
    expect(picks.afterReading).toEqual(['Delete 5 nodes that may still be in use?']);
    expect(confirmed).toHaveLength(2);
    expect(await left()).toHaveLength(1);
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
