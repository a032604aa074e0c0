import { beforeEach, describe, expect, it, vi } from 'vitest';
import { acquireCommand } from '../../../../src/extension/commands/acquireCommand.ts';
import type { ChoiceQuestion, TextQuestion } from '../../../../src/extension/dialogs/quickInput.ts';
import type { TestLockCommandParts } from '../../../../src/extension/commands/testLockCommands.ts';
import { SelfBlocked, type TestLockRequest } from '../../../../src/app/testLocks/testLock.ts';
import type { LockNode } from '../../../../src/app/clusters/clusterModel.ts';
import { FakeClient } from '../../../support/fakeClient.ts';
import { clusterNode, lockNode, profileNamed, queueWith } from '../fixtures.ts';
import { testLock } from '../../app/testLocks/testLockFixtures.ts';

const person = vi.hoisted(() => ({
  whileAsked: (): void => undefined,
  asked: [] as string[],
  offered: [] as string[],
  wants: '',
}));

/** A person who leaves everything as it is proposed. */
vi.mock('../../../../src/extension/dialogs/quickInput.ts', async original => ({
  ...(await original()),
  askChoice: <T>({ active, choices, placeholder }: ChoiceQuestion<T>) => {
    person.asked.push(placeholder);
    person.offered = choices.map(({ label }) => label);
    if (placeholder === 'Acquire it like this?') person.whileAsked();
    const wanted = choices.find(({ label }) => label === person.wants);
    return Promise.resolve({
      kind: 'value',
      value: wanted === undefined ? (active ?? choices[0]?.value) : wanted.value,
    });
  },
  askText: ({ value, prompt }: TextQuestion) => {
    person.asked.push(prompt);
    return Promise.resolve({ kind: 'value', value });
  },
}));

vi.mock('../../../../src/extension/dialogs/pathQuestion.ts', () => ({
  askLockPath: () => {
    person.asked.push('path');
    return Promise.resolve({ kind: 'value', value: '/locks/a' });
  },
}));

let lock: LockNode;
let isListed: boolean;
let client: FakeClient | undefined;
let confirmed: number;
let acquired: TestLockRequest[];
let whileConfirmed: () => void;
let check: () => void;

beforeEach(() => {
  lock = lockNode(queueWith(0), clusterNode());
  isListed = true;
  client = new FakeClient();
  confirmed = 0;
  acquired = [];
  whileConfirmed = () => undefined;
  check = () => undefined;
  person.whileAsked = () => undefined;
  person.asked = [];
  person.wants = '';
});

/** @param given whether the command is called for the lock's row */
async function run(given = true): Promise<void> {
  const browser = {
    node: lock.cluster,
    connection: {
      get client() {
        return client;
      },
    },
  };
  const other = { ...browser, node: clusterNode({ id: 'other', profile: profileNamed('other') }) };
  const listed = () => (isListed ? [browser, other] : [other]);
  const parts = {
    registry: {
      get all() {
        return listed();
      },
      get: (id: string) => listed().find(({ node }) => node.id === id),
    },
    targets: {
      browserOf: () => browser,
      fitting: ({ fits }: { fits: (browser: unknown) => boolean }) => listed().filter(fits),
      row: () => (given ? lock : undefined),
      connected: () => Promise.resolve(browser),
    },
    reporter: {
      confirm: () => {
        confirmed++;
        whileConfirmed();
        return Promise.resolve(true);
      },
    },
    testLocks: {
      onChange: () => ({ dispose: () => undefined }),
      check: () => {
        check();
      },
      acquire: (request: TestLockRequest) => {
        acquired.push(request);
        return { lock: testLock(undefined, request), outcome: Promise.resolve() };
      },
    },
    testLocksView: { reveal: () => Promise.resolve() },
  };
  await acquireCommand(parts as unknown as TestLockCommandParts, 'exclusive', given ? lock : undefined);
}

describe('acquiring a test lock', () => {
  it('begins after the last question', async () => {
    await run();
    expect(acquired).toMatchObject([{ cluster: { id: 'orders' }, paths: ['/locks/a'] }]);
  });

  it('asks for cluster and path, then shows the rest as it is by default, which is not for ever', async () => {
    await run(false);
    expect(person.asked).toEqual(['Which cluster?', 'path', 'Acquire it like this?']);
    expect(acquired).toMatchObject([{ timeoutMs: 60_000, autoReleaseMs: 60_000 }]);
  });

  it('asks for the rest if the person wants to choose it', async () => {
    person.wants = 'Options…';
    await run();
    expect(person.asked).toEqual([
      'Acquire it like this?',
      expect.stringContaining('How long to wait'),
      expect.stringContaining('When to release'),
      expect.stringContaining('Your identifier'),
    ]);
    expect(acquired).toHaveLength(1);
  });

  it('offers no cluster that is marked read-only', async () => {
    lock.cluster.profile = { ...lock.cluster.profile, readOnly: true };
    await run(false);
    expect(person.asked).toEqual(['path', 'Acquire it like this?']);
    expect(acquired).toMatchObject([{ cluster: { id: 'other' } }]);
  });

  it.each<[string, string, () => void]>([
    ['was removed', 'removed', () => void (isListed = false)],
    ['was disconnected', 'disconnected', () => void (client = undefined)],
    [
      'means other servers',
      'changed',
      () => void (lock.cluster.profile = { ...lock.cluster.profile, connectString: 'other:2181' }),
    ],
  ])('does not begin when the cluster %s while the last question was open', async (_, change, happen) => {
    person.whileAsked = happen;
    await expect(run()).rejects.toMatchObject({ change });
    lock.cluster.profile = profileNamed('orders');
    isListed = true;
    client = new FakeClient();
    await expect(run(false)).rejects.toMatchObject({ change });
    expect(acquired).toEqual([]);
  });

  it('asks for no confirmation of a request that is refused', async () => {
    lock.cluster.profile = profileNamed('orders', { environment: 'production' });
    check = () => {
      throw new SelfBlocked('/locks/a', testLock());
    };
    await expect(run()).rejects.toThrow(SelfBlocked);
    expect([confirmed, acquired]).toEqual([0, []]);
  });

  it('does not begin when a production cluster became read-only while the person was asked whether to', async () => {
    lock.cluster.profile = profileNamed('orders', { environment: 'production' });
    whileConfirmed = () => void (lock.cluster.profile = { ...lock.cluster.profile, readOnly: true });
    await expect(run()).rejects.toMatchObject({ change: 'changed' });
    expect([confirmed, acquired]).toEqual([1, []]);
  });
});
