import { describe, expect, it } from 'vitest';
import { QueueMarks } from '../../../../src/app/clusters/queueMarks.ts';
import { childrenOf } from '../../../../src/app/clusters/childRows.ts';
import { contenderTooltip } from '../../../../src/extension/views/contenderRow.ts';
import {
  shownLocks,
  type ClusterNode,
  type LockNode,
  type TreeNode,
} from '../../../../src/app/clusters/clusterModel.ts';
import { countTrouble, isInTrouble } from '../../../../src/app/clusters/trouble.ts';
import { rowText, toTreeItem } from '../../../../src/extension/views/treeItems.ts';
import { troubleBadge, viewDescription } from '../../../../src/extension/views/viewTexts.ts';
import type { LockQueue } from '../../../../src/locks/lockQueue.ts';
import { clusterNode, contender, lockNode, now, queueOf, queueWith } from '../fixtures.ts';

let clock = 0;
const limits = { longHeldMs: 3_600_000, deadlockMs: 30_000 };
const marks = new QueueMarks(
  () => limits,
  () => clock,
);

const crashed = contender('crashed', { role: 'holder', ownerSession: 0n });
const blocked: LockQueue = queueOf([crashed, contender('next', { waitsFor: 'crashed' })], {
  hazards: [{ kind: 'not-ephemeral', names: ['crashed'] }],
});

/** A lock that is kept live: what is shown is so now. */
function liveLock(queue: LockQueue, cluster: ClusterNode, path: string): LockNode {
  return Object.assign(lockNode(queue, cluster, path), { live: true });
}

/** Session 1 holds the first lock and waits for the second; session 2 the other way round. */
function deadlocked(cluster: ClusterNode): LockNode[] {
  return (
    [
      ['/locks/a', 1n, 2n],
      ['/locks/b', 2n, 1n],
    ] as const
  ).map(([path, holder, waiter]) =>
    liveLock(
      queueOf(
        [
          contender('h', { path: `${path}/h`, role: 'holder', ownerSession: holder, czxid: holder }),
          contender('w', { path: `${path}/w`, ownerSession: waiter, waitsFor: 'h', czxid: 10n + waiter }),
        ],
        { path },
      ),
      cluster,
      path,
    ),
  );
}

function labelOf(node: TreeNode): string {
  const { label } = toTreeItem(node, now);
  return typeof label === 'string' ? label : '';
}

function described(node: TreeNode): string {
  const { description, accessibilityInformation } = toTreeItem(node, now, marks);
  const spoken = accessibilityInformation?.label ?? '';
  // A screen reader hears every mark that is on screen.
  for (const word of ['stale', 'deadlocked', 'held for long']) {
    expect(spoken.includes(word)).toBe(String(description).includes(word));
  }
  return `${labelOf(node)} | ${String(description)}`;
}

function rowsOf(lock: LockNode): TreeNode[] {
  return childrenOf(lock, { filter: '', trusted: true });
}

/** How what is in a deadlock looks, and nothing else. */
const lastingLook = { id: 'arrow-swap', color: { id: 'zookeeperLocks.deadlockedForeground' } };

describe('marks in the tree', () => {
  it('say that a persistent node of a library that makes none may be stale, and why', () => {
    const lock = lockNode(blocked);
    expect(described(lock)).toContain('| 1 maybe stale · held by crashed · 1 waiting');
    const [head, next] = rowsOf(lock);
    expect(described(head!)).toContain('#1 crashed | maybe stale · holds');
    expect(described(next!)).toMatch(/^#2 next \| waits for #1/);
    expect(toTreeItem(head!, now, marks).resourceUri).toBeUndefined();
    const found = marks.of(lock, now).of(crashed);
    if (head?.type !== 'contender') throw new Error('no contender');
    expect(contenderTooltip(head, now, undefined, found)).toContain('⚠ Not ephemeral');
  });

  it('say nothing of two nodes of one session, which are two threads', () => {
    const lock = lockNode(
      queueOf([
        contender('a', { role: 'holder', ownerSession: 5n }),
        contender('b', { ownerSession: 5n, waitsFor: 'a' }),
      ]),
    );
    expect(described(rowsOf(lock)[0]!)).toContain('| holds');
    expect(described(lock)).not.toContain('stale');
  });

  it('mark a holder that is older than the setting, and never call it stale', () => {
    const heldSince = { earliest: now - 9_000_000, latest: now - 3_700_000 };
    const old = contender('old', { role: 'holder', createdAt: now - 9_000_000, heldSince });
    const lock = lockNode(queueOf([old]));
    expect(described(lock)).toBe('a | held for long · held by old · Curator · /locks');
    expect(described(rowsOf(lock)[0]!)).toContain('held for long · held 1–2 h');
    expect(
      new QueueMarks(
        () => ({ ...limits, longHeldMs: 4_000_000 }),
        () => 0,
      ).of(lock, now).longHeld,
    ).toBe(0);
    expect(marks.of(lock, now - 200_000).longHeld).toBe(0);
  });

  it('say of two sessions that wait for each other only that they may be deadlocked, at first', () => {
    const [first] = deadlocked(clusterNode());
    expect(described(first!)).toContain('| may be deadlocked · held by');
    expect(rowsOf(first!).map(described).join('\n')).toMatch(
      /#1 h \| may be deadlocked · holds.*\n#2 w \| may be deadlocked · waits/,
    );
    expect(toTreeItem(first!, now, marks).resourceUri).toBeUndefined();
    const { iconPath, tooltip: hover } = toTreeItem(first!, now, marks);
    expect(iconPath).not.toMatchObject(lastingLook);
    expect(iconPath).not.toMatchObject({ id: 'warning' });
    expect(hover).toContain('Threads are not visible');
    const [, waiter] = rowsOf(first!);
    if (waiter?.type !== 'contender') throw new Error('no contender');
    const tooltip = contenderTooltip(waiter, now, undefined, marks.of(first!, now).of(waiter.contender));
    expect(tooltip).toMatch(/It may be part of a deadlock[^]*Threads are not visible/);
    expect(tooltip).not.toContain('⚠');
  });

  it('mark both locks of a deadlock that has lasted, without any event, and take the marks away when it ends', () => {
    const cluster = clusterNode();
    const [first, second] = deadlocked(cluster);
    const drawn = rowText(first!, now, marks);
    clock += 29_999;
    expect(rowText(first!, now, marks)).toBe(drawn);
    clock += 1;
    expect(rowText(first!, now, marks)).not.toBe(drawn);
    expect(described(first!)).toContain('| deadlocked · held by');
    expect(described(second!)).toContain('| deadlocked · held by');
    const drawnIcon = [first!, rowsOf(first!)[0]!].map(node => toTreeItem(node, now, marks).iconPath);
    expect(drawnIcon).toMatchObject(drawnIcon.map(() => lastingLook));
    const [, waiter] = rowsOf(first!);
    if (waiter?.type !== 'contender') throw new Error('no contender');
    expect(contenderTooltip(waiter, now, undefined, marks.of(first!, now).of(waiter.contender))).toMatch(
      /⚠ It is part of a deadlock[^]*Threads are not visible/,
    );
    expect(toTreeItem(first!, now, marks).resourceUri).toMatchObject({ path: '/deadlocked' });
    expect(rowsOf(first!).map(described).join('\n')).toMatch(
      /#1 h \| deadlocked · holds.*\n#2 w \| deadlocked · waits/,
    );
    second!.queue = queueOf([contender('h', { path: '/locks/b/h', role: 'holder', ownerSession: 2n })]);
    expect(described(first!)).not.toContain('deadlocked');
  });

  it('show a deadlock before a warning about the queue', () => {
    const [lock] = deadlocked(clusterNode());
    lock!.queue = { ...lock!.queue!, hazards: [{ kind: 'duplicate-sequence', names: [] }] };
    expect(marks.of(lock!, now).maybeDeadlocked).toBeGreaterThan(0);
    expect(toTreeItem(lock!, now, marks).iconPath).toMatchObject({ id: 'arrow-both' });
  });

  it('do not mark the readers and writers of two programs on one lock: most of them are threads', () => {
    const places = [1n, 2n].flatMap((ownerSession, index) => [
      contender(`r${String(index)}`, { kind: 'read', role: 'holder', ownerSession, czxid: ownerSession }),
      contender(`w${String(index)}`, { kind: 'write', ownerSession, czxid: 10n + ownerSession }),
    ]);
    places.sort((left, right) => left.kind.localeCompare(right.kind));
    expect(marks.of(lockNode(queueOf(places)), now)).toMatchObject({ deadlocked: 0, maybeDeadlocked: 0 });
  });

  it('judge a queue once as long as nothing has changed', () => {
    const lock = lockNode(blocked);
    expect(marks.of(lock, now)).toBe(marks.of(lock, now + 1));
    expect(marks.of(lock, now)).not.toBe(marks.of(lock, now + 60_000));
  });

  it('mark nothing in a healthy queue', () => {
    expect(marks.of(lockNode(queueWith(50)), now)).toMatchObject({
      stale: 0,
      maybeStale: 0,
      longHeld: 0,
      deadlocked: 0,
      maybeDeadlocked: 0,
    });
  });
});

describe('badge and filter', () => {
  it('count the locks in trouble and say which, and none for locks that are waited for', () => {
    const badge = (cluster: ClusterNode, filter = ''): unknown =>
      troubleBadge(countTrouble(shownLocks(cluster, filter), marks, now));
    const cluster = clusterNode();
    deadlocked(cluster);
    lockNode(blocked, cluster, '/locks/c');
    lockNode(queueWith(2), cluster, '/locks/d');
    expect(badge(cluster)).toBeUndefined();
    clock += 30_000;
    expect(badge(cluster)).toEqual({ value: 2, tooltip: 'Locks in trouble: 2 deadlocked' });
    const heldSince = { earliest: now - 9_000_000, latest: now - 3_700_000 };
    lockNode(queueOf([contender('old', { role: 'holder', heldSince })]), cluster, '/locks/e');
    expect(badge(cluster)).toEqual({ value: 3, tooltip: 'Locks in trouble: 2 deadlocked, 1 held for long' });
    expect(badge(cluster, '/d')).toBeUndefined();
  });

  it('draws a lock again when time alone has brought it into trouble', () => {
    const heldSince = { earliest: now, latest: now };
    const lock = lockNode(queueOf([contender('a', { role: 'holder', heldSince })]));
    const later = now + 3_700_000;
    expect(rowText(lock, later, marks)).not.toBe(rowText(lock, now, marks));
  });

  it('show only the locks that are so, and say it beside the title', () => {
    const cluster = clusterNode();
    deadlocked(cluster);
    lockNode(blocked, cluster, '/locks/c');
    lockNode(queueWith(0), cluster, '/locks/d');
    const shown = (only: 'contended' | 'stale' | 'deadlocked'): string[] =>
      childrenOf(cluster, {
        filter: '',
        trusted: true,
        passes: lock => isInTrouble(lock, only, marks, now),
      }).map(labelOf);
    expect(shown('contended')).toEqual(['a', 'b', 'c']);
    expect(shown('stale')).toEqual(['c']);
    expect(shown('deadlocked')).toEqual(['a', 'b']);
    expect(viewDescription({ filter: '', paused: false, only: 'stale' })).toBe('only stale');
    cluster.locks.delete('/locks/c');
    expect(shown('stale')).toEqual(['No lock matches the filter']);
  });

  it('do not take a lock that was not read for one that is fine', () => {
    const cluster = clusterNode({ lockLimit: 2 });
    const shown = (): string[] =>
      childrenOf(cluster, {
        filter: '',
        trusted: true,
        passes: lock => isInTrouble(lock, 'contended', marks, now),
      }).map(labelOf);
    lockNode(queueWith(0), cluster, '/locks/a');
    lockNode(undefined, cluster, '/locks/b');
    lockNode(undefined, cluster, '/locks/c');
    expect(shown()).toEqual(['Show 1 more of 1', 'Locks not read yet, so they may match: 2']);
    lockNode(blocked, cluster, '/locks/b');
    expect(shown()).toEqual(['b', 'Show 1 more of 1', 'Locks not read yet, so they may match: 1']);
  });
});
