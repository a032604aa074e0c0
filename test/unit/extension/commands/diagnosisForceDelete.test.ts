import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ClusterProfile } from '../../../../src/app/clusters/clusterProfile.ts';
import type { TextQuestion } from '../../../../src/extension/dialogs/quickInput.ts';
import type { AuditedAct } from '../../../../src/app/deletes/auditList.ts';
import type { DiagnosisParts } from '../../../../src/extension/commands/diagnosisParts.ts';
import { forceDeleteCommand } from '../../../../src/extension/commands/forceDeleteCommand.ts';
import { childrenOf } from '../../../../src/app/clusters/childRows.ts';
import type { ContenderNode } from '../../../../src/app/clusters/clusterModel.ts';
import { readQueues } from '../../../../src/inspector/readQueues.ts';
import { RefusedDelete } from '../../../../src/inspector/refusedDelete.ts';
import { CancelledError } from '../../../../src/zookeeper/errors.ts';
import { FakeClient } from '../../../support/fakeClient.ts';
import { clusterNode, lockNode, profileNamed } from '../fixtures.ts';

const typed = vi.hoisted(() => ({
  answer: undefined as string | undefined,
  questions: [] as unknown[],
  whileAsked: (): void => undefined,
}));

vi.mock('../../../../src/extension/dialogs/quickInput.ts', async original => ({
  ...(await original()),
  askText: (question: TextQuestion) => {
    typed.questions.push(question);
    typed.whileAsked();
    const { answer } = typed;
    if (answer === undefined || question.validate?.(answer) !== undefined) throw new CancelledError('Typing');
    return Promise.resolve({ kind: 'value', value: answer });
  },
}));

const head = `/locks/a/${'ab'.repeat(16)}__lock__0000000000`;
const second = `/locks/a/${'cd'.repeat(16)}__lock__0000000001`;

let client: FakeClient;
let profile: ClusterProfile;
/** What the person sees and does. */
let shown: string[];
let questions: string[];
let buttons: string[];
let press: string | undefined;
let whileAsked: () => void;
let isListed: boolean;
let whileOpened: () => void;
let opened: number;
let released: string[];
let ownPath: string | undefined;
let stored: AuditedAct[];

beforeEach(() => {
  client = new FakeClient();
  // Nothing listens there: who lives is not known.
  profile = profileNamed('orders', { connectString: 'localhost:1' });
  shown = [];
  questions = [];
  buttons = [];
  press = 'Force Delete';
  whileAsked = () => undefined;
  isListed = true;
  opened = 0;
  whileOpened = () => undefined;
  released = [];
  ownPath = undefined;
  stored = [];
  typed.answer = undefined;
  typed.questions = [];
  typed.whileAsked = () => undefined;
});

async function rowOf(path: string): Promise<ContenderNode> {
  const [queue] = await readQueues(client, '/locks/a');
  const lock = lockNode(queue, clusterNode({ profile }), '/locks/a');
  lock.live = true;
  const row = childrenOf(lock, { filter: '', trusted: true }).find(
    node => node.type === 'contender' && node.contender.path === path,
  );
  if (row?.type !== 'contender') throw new Error(`no ${path}`);
  return row;
}

function partsFor(row: ContenderNode): DiagnosisParts {
  const browser = { node: row.lock.cluster, connection: { client }, refresh: () => Promise.resolve() };
  const parts = {
    targets: { contender: () => row, browserOf: () => browser, client: () => Promise.resolve(client) },
    registry: { get: () => (isListed ? browser : undefined) },
    reporter: {
      inform: (text: string) => void shown.push(text),
      warn: (text: string) => void shown.push(`! ${text}`),
      choose: (question: string, detail: string, actions: { label: string; value: unknown }[]) => {
        questions.push(`${question}\n${detail}`);
        buttons = actions.map(({ label }) => label);
        whileAsked();
        return Promise.resolve(actions.find(({ label }) => label === press)?.value);
      },
    },
    security: { secrets: { get: () => Promise.resolve(undefined) } },
    ownLocks: {
      clientOf: () => {
        opened++;
        whileOpened();
        return Promise.resolve(client);
      },
      sessionOf: () => undefined,
      releaserOf: (_: string, path: string) =>
        path === ownPath ? () => Promise.resolve(void released.push(path)) : undefined,
    },
    audit: { record: (noted: AuditedAct) => Promise.resolve(void stored.push(noted)) },
    texts: {},
  };
  return parts as unknown as DiagnosisParts;
}

const run = async (path: string): Promise<void> => {
  const row = await rowOf(path);
  await forceDeleteCommand(partsFor(row), row);
};

const audited = (): AuditedAct[] => stored;
const left = async (): Promise<number> => (await client.getChildren('/locks/a')).children.length;

function stale(): void {
  client.put(head, { data: 'crashed' });
  client.put(second, { owner: 0x22n, data: 'next' });
}

function living(): void {
  client.put(head, { owner: 0x11n, data: 'worker' });
  client.put(second, { owner: 0x22n, data: 'next' });
}

describe('force delete', () => {
  it('deletes a node without an owner once the name is typed, since its program may be alive, and notes it', async () => {
    stale();
    await expect(run(head)).rejects.toThrow(CancelledError);
    typed.answer = 'a';
    await run(head);
    expect(questions).toHaveLength(2);
    expect(questions[0]).toMatch(
      /If a program still works under this lock[^]*Gets the lock next: next[^]*Cluster: orders \(development\)/,
    );
    expect(await left()).toBe(1);
    expect(shown).toEqual([expect.stringMatching(/was deleted\. Next: next\.$/)]);
    expect(audited()).toMatchObject([{ target: { path: head, ownerSession: 0n }, outcome: 'deleted' }]);
  });

  it('deletes nothing when the question is closed', async () => {
    stale();
    press = undefined;
    await run(head);
    expect(await left()).toBe(2);
    expect(audited()).toEqual([]);
  });

  it('wants the name typed when the owner may live, and says what that means', async () => {
    living();
    await expect(run(head)).rejects.toThrow(CancelledError);
    expect(questions[0]).toMatch(
      /may be alive[^]*NOT notified[^]*two holders[^]*0x11[^]*It is not known whether the session is alive/,
    );
    typed.answer = 'b';
    await expect(run(head)).rejects.toThrow(CancelledError);
    expect(await left()).toBe(2);
    typed.answer = 'a';
    await run(head);
    expect(await left()).toBe(1);
  });

  it('wants it on production always', async () => {
    profile = profileNamed('orders', { connectString: 'localhost:1', environment: 'production' });
    stale();
    await expect(run(head)).rejects.toThrow(CancelledError);
    expect(questions[0]).toContain('(production)');
    expect(await left()).toBe(2);
  });

  it('refuses on a read-only cluster before it asks, and also when it became so while the session was opened', async () => {
    stale();
    typed.answer = 'a';
    const row = await rowOf(head);
    whileOpened = () => void (row.lock.cluster.profile = { ...profile, readOnly: true });
    await expect(forceDeleteCommand(partsFor(row), row)).rejects.toThrow(RefusedDelete);
    expect(questions).toHaveLength(1);
    await expect(forceDeleteCommand(partsFor(row), row)).rejects.toMatchObject({ reason: 'read-only' });
    expect(questions).toHaveLength(1);
    expect(await left()).toBe(2);
    expect(audited()).toMatchObject([{ outcome: 'refused: read-only' }]);
  });

  it.each(['Force Delete', 'Ask Holder to Release'])(
    'opens no session and does nothing when the cluster was removed or changed while asked: %s',
    async button => {
      const curator = '/locks/a/_c_00000000-0000-4000-8000-000000000000-lock-0000000000';
      client.put(curator, { owner: 0x11n });
      press = button;
      typed.answer = 'a';
      const row = await rowOf(curator);
      whileAsked = () => void (row.lock.cluster.profile = { ...profile, readOnly: true });
      await expect(forceDeleteCommand(partsFor(row), row)).rejects.toMatchObject({ change: 'changed' });
      row.lock.cluster.profile = profile;
      whileAsked = () => void (isListed = false);
      await expect(forceDeleteCommand(partsFor(row), row)).rejects.toMatchObject({ change: 'removed' });
      expect([questions.length, opened, await left()]).toEqual([2, 0, 1]);
      expect((await client.getData(curator)).data).toHaveLength(0);
    },
  );

  it('does nothing when the cluster was removed while the name was typed', async () => {
    living();
    typed.answer = 'a';
    typed.whileAsked = () => void (isListed = false);
    await expect(run(head)).rejects.toMatchObject({ change: 'removed' });
    expect([typed.questions.length, opened, await left()]).toEqual([1, 0, 2]);
  });

  it('leaves a node alone that took the place of the one on screen, before or during the question', async () => {
    typed.answer = 'a';
    stale();
    const row = await rowOf(head);
    client.drop(head);
    client.put(head, { data: 'other' });
    await forceDeleteCommand(partsFor(row), row);
    expect(questions).toEqual([]);
    expect(shown).toEqual([expect.stringMatching(/^! .*has changed since you looked/)]);
    whileAsked = () => {
      client.drop(head);
      client.put(head, { data: 'third' });
    };
    await run(head);
    expect(await left()).toBe(2);
    expect(audited()).toMatchObject([{ outcome: 'changed' }]);
  });

  it('says that a node is gone without asking', async () => {
    stale();
    const row = await rowOf(head);
    client.drop(head);
    await forceDeleteCommand(partsFor(row), row);
    expect(questions).toEqual([]);
    expect(shown).toEqual([expect.stringContaining('already gone')]);
  });

  it('offers to release a test lock of this window first', async () => {
    living();
    ownPath = head;
    press = 'Release';
    await run(head);
    expect(buttons).toEqual(['Release', 'Force Delete']);
    expect(released).toEqual([head]);
    expect(await left()).toBe(2);
  });

  it('offers to ask a Curator holder that may listen first, and deletes nothing then', async () => {
    const curator = '/locks/a/_c_00000000-0000-4000-8000-000000000000-lock-0000000000';
    client.put(curator, { owner: 0x11n });
    press = 'Ask Holder to Release';
    await run(curator);
    expect(buttons).toEqual(['Ask Holder to Release', 'Force Delete']);
    expect(new TextDecoder().decode((await client.getData(curator)).data)).toBe('__REVOKE__');
    expect(audited()).toMatchObject([{ action: 'request revoke', outcome: 'requested' }]);
  });
});
