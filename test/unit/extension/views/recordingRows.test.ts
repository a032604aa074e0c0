import { beforeEach, describe, expect, it, vi } from 'vitest';
import { toDisposable } from '../../../../src/base/disposable.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { childrenOf } from '../../../../src/app/clusters/childRows.ts';
import type { ClusterNode } from '../../../../src/app/clusters/clusterModel.ts';
import { MovingTime } from '../../../../src/app/recordings/movingTime.ts';
import { contenderTooltip } from '../../../../src/extension/views/contenderRow.ts';
import { gapTexts } from '../../../../src/extension/words/recordingRowText.ts';
import { toTreeItem } from '../../../../src/extension/views/treeItems.ts';
import { at, FakeRecording } from '../../app/recordings/fakeRecording.ts';
import { clusterNode, contender, lockNode, now, profileNamed, queueOf } from '../fixtures.ts';

vi.mock('vscode', () => import('../fakeVscode.ts'));

const context = { filter: '', trusted: true };
const start = now / 1_000;

let recording: FakeRecording;
let time: MovingTime;
let cluster: ClusterNode;

beforeEach(() => {
  recording = new FakeRecording([{ at: start }, { at: start + 60 }]);
  time = new MovingTime(recording, '/var/zk/version-2', {
    every: () => toDisposable(() => undefined),
    now: () => 0,
    logger: nullLogger,
  });
  const profile = profileNamed('version-2', { readOnly: true, isRecording: true });
  cluster = clusterNode({ profile, time });
});

describe('the rows of a recording', () => {
  it('say which moment they show, and that it is the past', () => {
    time.moveTo({ time: now + 15_250 });
    const drawn = toTreeItem(cluster, 0);
    // The moment comes first: rows are narrow.
    expect(drawn.description).toMatch(/^12:00:15.250/);
    expect(drawn.accessibilityInformation?.label).toMatch(/^Recording version-2, at .*12:00:15.250/);
    expect(drawn.tooltip).toContain('/var/zk/version-2');
    time.play(10);
    expect(toTreeItem(cluster, 0).description).toContain('10×');
  });

  it('count ages to that moment', () => {
    time.moveTo({ time: now + 50_000 });
    const lock = lockNode(queueOf([contender('a', { createdAt: now })]), cluster);
    const [row] = childrenOf(lock, context);
    expect(toTreeItem(row!, 0).description).toContain('50 s');
  });

  it('have menus of their own', () => {
    const holder = contender('a', { role: 'holder' });
    const lock = lockNode(queueOf([holder, contender('b', { ownerSession: 0n })]), cluster);
    const values = [cluster, lock, ...childrenOf(lock, context)].map(node => toTreeItem(node, now).contextValue);
    expect(values).toEqual([
      'recording',
      'lock.recorded',
      'contender.holder.session.recorded',
      'contender.waiter.recorded',
    ]);
  });

  it('say of a lock that is not read at the moment that it is not', () => {
    const lock = lockNode(undefined, cluster);
    lock.counted = 3;
    expect(toTreeItem(lock, now).description).not.toContain('3');
  });

  it('say where the picture is not sure', () => {
    const lock = lockNode(queueOf([]), cluster);
    const areDoubted = () =>
      [cluster, lock].map(node => String(toTreeItem(node, now).description).includes('not sure'));
    expect(areDoubted()).toEqual([false, false]);
    recording.gaps = [{ from: recording.from, to: recording.to, why: 'missing' }];
    time.moveTo({ time: now + 15_000 });
    expect(areDoubted()).toEqual([true, true]);
    recording.gaps = [];
    recording.sureFrom = at(4n, start + 60);
    expect(areDoubted()).toEqual([true, true]);
  });

  it('name the day where the recording is longer than one', () => {
    const parts = { every: () => toDisposable(() => undefined), now: () => 0, logger: nullLogger };
    const days = new MovingTime(new FakeRecording([{ at: start }, { at: start + 2 * 86_400 }]), '/logs', parts);
    Object.assign(cluster, { time: days });
    const last = toTreeItem(cluster, 0).description;
    days.moveTo({ time: now });
    expect(toTreeItem(cluster, 0).description).not.toBe(last);
  });

  it.each(['missing', 'damaged', 'no snapshot', 'fuzzy snapshot'] as const)('say why nothing is sure: %s', why => {
    recording.gaps = [{ from: recording.from, to: recording.to, why }];
    time.moveTo({ time: now + 15_000 });
    const { tooltip } = toTreeItem(cluster, 0);
    expect(tooltip).toContain(gapTexts[why]());
    if (why !== 'missing') expect(tooltip).not.toMatch(/files are missing|purged/);
  });

  it('say of a queue that it is of another moment, once that takes long', () => {
    const lock = lockNode(queueOf([contender('a', { role: 'holder' })]), cluster);
    const isDoubted = () => String(toTreeItem(lock, now).description).includes('out of date');
    lock.isBehind = true;
    expect(isDoubted()).toBe(false);
    lock.isLate = true;
    expect(isDoubted()).toBe(true);
  });

  it('say that the search failed', () => {
    lockNode(queueOf([]), cluster);
    cluster.search = { kind: 'running', visited: 3, locks: 0 };
    expect(childrenOf(cluster, context)).toHaveLength(1);
    const error = new Error('no');
    cluster.search = { kind: 'failed', error };
    expect(childrenOf(cluster, context).at(-1)).toMatchObject({ message: { kind: 'search-failed', error } });
  });

  it('say that locks are searched while none is known', () => {
    cluster.search = { kind: 'running', visited: 3, locks: 0 };
    expect(childrenOf(cluster, context)).toMatchObject([{ message: { kind: 'searching' } }]);
  });

  it('lead to what could not be read', () => {
    expect(childrenOf(cluster, context)).toEqual([expect.objectContaining({ message: { kind: 'no-recorded-locks' } })]);
    lockNode(queueOf([]), cluster);
    expect(childrenOf(cluster, context)).toHaveLength(1);
    recording.problems = [{ file: 'log.1', offset: 0, what: 'empty file' }];
    const row = childrenOf(cluster, context).at(-1)!;
    expect(toTreeItem(row, now).command?.command).toBe('zookeeperLocks.describeRecording');
  });

  it('show no data of a node', () => {
    const lock = lockNode(queueOf([contender('a')]), cluster);
    const row = childrenOf(lock, context)[0]!;
    const stat = { czxid: 7n, mzxid: 7n, pzxid: 7n, version: 0, aversion: 0, numChildren: 0, mtime: now } as never;
    const tooltipOf = (): string =>
      row.type === 'contender' ? contenderTooltip(row, now, { data: Buffer.from('canary'), stat }) : '';
    expect(tooltipOf()).not.toContain('canary');
    Object.assign(cluster, { time: undefined });
    expect(tooltipOf()).toContain('canary');
  });
});
