import { beforeEach, describe, expect, it } from 'vitest';
import type { ClusterRegistry } from '../../../../src/app/clusters/clusterRegistry.ts';
import { commandRegistrar } from '../../../../src/extension/platform/commands.ts';
import { RowGone } from '../../../../src/app/clusters/clusterErrors.ts';
import { type ErrorReporter, NothingToDo } from '../../../../src/extension/platform/errorReporting.ts';
import { Targets } from '../../../../src/extension/commands/targets.ts';
import { commandIds } from '../../../../src/extension/platform/contributions.ts';
import { errorSentence } from '../../../../src/extension/words/errorText.ts';
import type { ClustersView } from '../../../../src/extension/views/clustersView.ts';
import type { ContenderNode, LockNode, TreeNode } from '../../../../src/app/clusters/clusterModel.ts';
import { commands } from '../fakeVscode.ts';
import { clusterNode, contender, lockNode, profileNamed, queueOf } from '../fixtures.ts';

function rowOn(id: string): ContenderNode {
  const holder = contender('worker', { role: 'holder' });
  const lock = lockNode(queueOf([holder]), clusterNode({ id, profile: profileNamed(id) }));
  return { type: 'contender', lock, contender: holder, position: 1, ahead: undefined };
}

let first: ContenderNode;
let second: ContenderNode;
let listed: { node: TreeNode }[];
let selected: TreeNode | undefined;
let targets: Targets;

beforeEach(() => {
  first = rowOn('a');
  second = rowOn('b');
  listed = [first, second].map(({ lock }) => ({ node: lock.cluster }));
  selected = second;
  const registry = {
    get all() {
      return listed;
    },
    get: (id: string) => listed.find(({ node }) => node.type === 'cluster' && node.id === id),
  };
  const view = {
    get selected() {
      return selected;
    },
  };
  targets = new Targets(registry as unknown as ClusterRegistry, view as unknown as ClustersView, {
    inform: () => undefined,
  });
});

describe('what a command is about', () => {
  it('is the row that was passed, and the selected one only if none was', () => {
    expect(targets.rowOrSelected(first)).toBe(first);
    expect(targets.rowOrSelected(undefined)).toBe(second);
  });

  it.each(['worker', {}, { type: 'testLock' }])('is not the selected row when %o was passed', given => {
    expect(targets.rowOrSelected(given)).toBeUndefined();
  });

  it.each([
    ['was removed', () => void listed.shift()],
    ['was removed and added again', () => void (listed[0] = { node: rowOn('a').lock.cluster })],
  ])('is nothing else when the cluster of the row %s, and the person is told', async (_, happen) => {
    happen();
    expect(() => targets.rowOrSelected(first)).toThrow(RowGone);
    expect(() => targets.row(first)).toThrow(RowGone);
    // Neither is the cluster that is left taken without asking.
    await expect(targets.browser(first, 'Delete')).rejects.toThrow(RowGone);
    expect(errorSentence(new RowGone())).toMatch(/^This row is gone.*add the cluster again or try a sandbox/);
  });

  it('is a holder, waiter or lock where the command needs one, else the person is asked to select one', () => {
    expect(targets.contender(first)).toBe(first);
    expect(targets.lock(first)).toBe(first.lock);
    expect(targets.lock(first.lock)).toBe(first.lock);
    selected = undefined;
    for (const given of [undefined, null, first.lock.cluster]) {
      expect(() => targets.lock(given)).toThrow(NothingToDo);
      expect(() => targets.contender(given)).toThrow(NothingToDo);
    }
    expect(() => targets.contender(first.lock)).toThrow(NothingToDo);
  });

  it('is the lock of the panel that the person looked at after the row', () => {
    let inFront: LockNode | undefined = first.lock;
    targets.look(() => inFront);
    expect(targets.lock(undefined)).toBe(first.lock);
    expect(targets.lock(second)).toBe(second.lock);
    // A panel has no single contender, and deletes are not guessed.
    expect(targets.contender(undefined)).toBe(second);
    inFront = undefined;
    expect(targets.lock(undefined)).toBe(second.lock);
    inFront = first.lock;
    listed.shift();
    expect(() => targets.lock(undefined)).toThrow(RowGone);
  });

  it('is the cluster of that panel, where the command is about one', async () => {
    let inFront: LockNode | undefined = first.lock;
    targets.look(() => inFront);
    expect(targets.lockInFront(undefined)).toBe(first.lock);
    await expect(targets.browser(targets.lockInFront(undefined), 'Explain')).resolves.toBe(listed[0]);
    for (const given of [second, null, 'worker']) expect(targets.lockInFront(given)).toBeUndefined();
    listed.shift();
    expect(targets.lockInFront(undefined)).toBeUndefined();
    inFront = undefined;
    expect(targets.lockInFront(undefined)).toBeUndefined();
  });

  it('is not a selected row whose cluster was removed', () => {
    listed.pop();
    expect(() => targets.rowOrSelected(undefined)).toThrow(RowGone);
  });

  it('is not the selected row, nor a cluster, when the row of the menu is being redrawn', async () => {
    const given: unknown[] = [];
    const register = commandRegistrar({ report: () => undefined } as unknown as ErrorReporter);
    const command = register(commandIds.forceDelete, argument => void given.push(argument));
    await commands.executeCommand(commandIds.forceDelete);
    await commands.executeCommand(commandIds.forceDelete, undefined);
    command.dispose();
    const [none, redrawn] = given;
    expect(targets.rowOrSelected(none)).toBe(second);
    expect(() => targets.rowOrSelected(redrawn)).toThrow(NothingToDo);
    expect(() => targets.row(redrawn)).toThrow(NothingToDo);
    listed.pop();
    await expect(targets.browser(redrawn, 'Delete')).rejects.toThrow(NothingToDo);
    await expect(targets.browser(none, 'Delete')).resolves.toBe(listed[0]);
  });
});
