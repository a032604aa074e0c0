import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ClusterBrowser } from '../../../../src/app/clusters/clusterBrowser.ts';
import { NoClusterError } from '../../../../src/app/clusters/clusterErrors.ts';
import type { ClusterRegistry } from '../../../../src/app/clusters/clusterRegistry.ts';
import { applyQueues } from '../../../../src/app/clusters/lockCatalogue.ts';
import { findCommand } from '../../../../src/extension/commands/findCommand.ts';
import { Targets } from '../../../../src/extension/commands/targets.ts';
import { commandIds } from '../../../../src/extension/platform/contributions.ts';
import { NothingToDo } from '../../../../src/extension/platform/errorReporting.ts';
import { CancelledError } from '../../../../src/zookeeper/errors.ts';
import { eventually } from '../../../support/eventually.ts';
import { onScreen, playInputs, type FakeInput } from '../dialogs/scriptedInput.ts';
import { commands } from '../fakeVscode.ts';
import { browserParts, contender, profileNamed, queueOf } from '../fixtures.ts';

vi.mock('vscode', () => import('../fakeVscode.ts'));

let all: ClusterBrowser[];
let listeners: Set<() => void>;
let ran: unknown[];
let registered: { dispose(): void }[];

function find(): Promise<void> {
  const follow = (listener: () => void) => {
    listeners.add(listener);
    return { dispose: () => listeners.delete(listener) };
  };
  const registry = { all, onChange: follow, onNodeChange: follow } as unknown as ClusterRegistry;
  const unused: unknown = {};
  return findCommand({ registry, targets: new Targets(registry, unused as never, { inform: () => undefined }) });
}

function fill(browser: ClusterBrowser, path: string, ownerSession: bigint, identifier: string): void {
  const holder = contender('n', { path: `${path}/n`, role: 'holder', ownerSession, identifier });
  applyQueues(browser.node, path, [queueOf([holder], { path })]);
}

beforeEach(async () => {
  listeners = new Set();
  ran = [];
  all = ['orders', 'live', 'closed'].map(
    name =>
      new ClusterBrowser(profileNamed(name, name === 'live' ? { environment: 'production' } : {}), browserParts()),
  );
  await all[0]!.connect();
  await all[1]!.connect();
  fill(all[0]!, '/locks/orders', 0xabcn, 'web-1');
  fill(all[1]!, '/locks/users', 0xdefn, 'web-2');
  registered = [commandIds.showQueue, commandIds.showSession].map(id =>
    commands.registerCommand(id, argument => void ran.push([id, argument])),
  );
});

afterEach(() => {
  for (const each of registered) each.dispose();
  for (const each of all) each.dispose();
});

/** Types, waits for what is found, and takes the first or leaves. */
async function type(typed: string, isTaken = true): Promise<{ labels: string[]; descriptions: string[] }> {
  playInputs(['none']);
  const outcome = find();
  await eventually(() => expect([...onScreen][0]?.listed.length).toBeGreaterThan(0));
  const [input] = onScreen;
  input!.fire('value', typed);
  for (let turn = 0; turn < 20; turn++) await setImmediate();
  const { listed } = input!;
  if (isTaken) {
    input!.selectedItems = listed.slice(0, 1);
    input!.fire('accept');
    await outcome;
  } else {
    for (let turn = 0; turn < 5; turn++) await setImmediate();
    input!.fire('hide');
    await expect(outcome).rejects.toBeInstanceOf(CancelledError);
  }
  expect([onScreen.size, listeners.size]).toEqual([0, 0]);
  return { labels: listed.map(({ label }) => label), descriptions: listed.map(({ description }) => description) };
}

it('opens a lock, a client or a session, and says on which cluster', async () => {
  expect(await type('orders')).toEqual({ labels: ['$(lock) orders'], descriptions: ['/locks/orders · orders'] });
  const { descriptions } = await type('web-2');
  expect(descriptions).toEqual(['client, nodes: 1 · live · production']);
  await type('0xABC');
  expect(ran).toEqual([
    [commandIds.showQueue, [...all[0]!.node.locks.values()][0]],
    [commandIds.showSession, { cluster: 'live', identifier: 'web-2' }],
    [commandIds.showSession, { cluster: 'orders', session: '0xabc' }],
  ]);
});

/** The question on screen, with its first list. */
async function begun(): Promise<{ outcome: Promise<void>; input: FakeInput }> {
  playInputs(['none']);
  const outcome = find();
  await eventually(() => expect([...onScreen][0]?.listed).toHaveLength(6));
  return { outcome, input: [...onScreen][0]! };
}

it('takes what is found first for a text that was pasted with Enter right behind it', async () => {
  const { outcome, input } = await begun();
  input.selectedItems = input.listed.slice(0, 1);
  input.value = 'web-2';
  input.fire('value', 'web-2');
  input.fire('accept');
  await outcome;
  expect(ran).toEqual([[commandIds.showSession, { cluster: 'live', identifier: 'web-2' }]]);
});

it('takes what is found first where the window has chosen nothing of it yet', async () => {
  const { outcome, input } = await begun();
  input.selectedItems = [];
  input.value = 'web-2';
  for (let time = 0; time < 2; time++) input.fire('value', 'web-2');
  await eventually(() => expect(input.listed).toHaveLength(1));
  input.fire('accept');
  await outcome;
  expect(ran).toEqual([[commandIds.showSession, { cluster: 'live', identifier: 'web-2' }]]);
});

it('takes nothing where a text leads to nothing, and what is typed then is found', async () => {
  const { outcome, input } = await begun();
  const type = (text: string) => {
    input.value = text;
    input.fire('value', text);
  };
  type('of no name');
  input.fire('accept');
  await eventually(() => expect(input.listed).toEqual([]));
  type('orders');
  await eventually(() => expect(input.listed).toHaveLength(1));
  expect(ran).toEqual([]);
  input.selectedItems = [...input.listed];
  input.fire('accept');
  await outcome;
  expect(ran).toHaveLength(1);
});

it('leads to a session that no lock has a node of, on each cluster that is connected', async () => {
  const { labels, descriptions } = await type('WARN Session 0x77 for server', false);
  expect(labels).toEqual(['$(plug) 0x77', '$(plug) 0x77']);
  expect(descriptions[1]).toBe('no lock that was read has a node of it · live · production');
});

it('shows what came meanwhile', async () => {
  const { outcome, input } = await begun();
  fill(all[0]!, '/locks/later', 1n, '');
  for (const listener of listeners) listener();
  // An index is used for a second.
  await eventually(() => {
    input.fire('value', 'later');
    expect(input.listed.map(({ label }) => label)).toEqual(['$(lock) later']);
  });
  input.selectedItems = [...input.listed];
  input.fire('accept');
  await outcome;
});

it('says what to do where nothing is connected, or there is no cluster', async () => {
  all = [all[2]!];
  await expect(find()).rejects.toThrow(NothingToDo);
  await expect(find()).rejects.toThrow('Connect one in the Clusters view');
  all = [];
  await expect(find()).rejects.toBeInstanceOf(NoClusterError);
});
