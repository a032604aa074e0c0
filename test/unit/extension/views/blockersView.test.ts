import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toDisposable } from '../../../../src/base/disposable.ts';
import { Emitter } from '../../../../src/base/event.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import type { BlockerRow } from '../../../../src/app/blockers/blockerRows.ts';
import type { ClusterNode, LockNode } from '../../../../src/app/clusters/clusterModel.ts';
import type { ClusterRegistry } from '../../../../src/app/clusters/clusterRegistry.ts';
import { noMarks, type DeadlockMark, type MarkSource } from '../../../../src/app/clusters/marks.ts';
import { ClusterRankings } from '../../../../src/app/blockers/rankedCluster.ts';
import { ViewState } from '../../../../src/app/clusters/viewState.ts';
import { Targets } from '../../../../src/extension/commands/targets.ts';
import { colorIds, commandIds } from '../../../../src/extension/platform/contributions.ts';
import { NothingToDo } from '../../../../src/extension/platform/errorReporting.ts';
import { BlockersView } from '../../../../src/extension/views/blockersView.ts';
import type { ClustersView } from '../../../../src/extension/views/clustersView.ts';
import type { RecordedSession } from '../../../../src/replay/recording.ts';
import { eventually } from '../../../support/eventually.ts';
import { putLock, sessionNamed, type Place } from '../../app/blockers/blockedLocks.ts';
import { hostileTexts, linkPattern, unseenPattern } from '../corpus.ts';
import { clusterNode, profileNamed, queueOf } from '../fixtures.ts';

let clusters: ClusterNode[];
let list: Emitter<undefined>;
let nodes: Emitter<ClusterNode | LockNode>;
let deadlock: DeadlockMark | undefined;
let unmarked: string;
let state: ViewState;
let redrawn: (readonly BlockerRow[] | undefined)[];
let view: BlockersView;

const marks: MarkSource = {
  of: lock =>
    deadlock === undefined || lock.path === unmarked
      ? noMarks
      : { ...noMarks, of: () => ({ stale: [], longHeld: false, deadlock: deadlock! }) },
};

beforeEach(() => {
  clusters = [clusterNode()];
  [list, nodes] = [new Emitter<undefined>(nullLogger), new Emitter<ClusterNode | LockNode>(nullLogger)];
  [deadlock, unmarked, redrawn] = [undefined, '', []];
  state = new ViewState(nullLogger);
  const registry = {
    get all() {
      return clusters.map(node => ({ node }));
    },
    onChange: list.event,
    onNodeChange: nodes.event,
  };
  const visibility = { visible: true, onDidChangeVisibility: () => toDisposable(() => undefined) };
  view = new BlockersView({
    registry,
    rankings: new ClusterRankings(),
    marks,
    state,
    view: visibility,
    redraw: rows => redrawn.push(rows),
    logger: nullLogger,
  });
});

afterEach(() => {
  view.dispose();
  vi.useRealTimers();
});

function put(path: string, places: Place[]): LockNode {
  return putLock(clusters[0]!, path, places);
}

/** Waits until it is so. */
async function seen(check: () => void): Promise<void> {
  await eventually(() => {
    check();
    return Promise.resolve();
  });
}

interface Drawn {
  text: string;
  tooltip: string;
  spoken: string;
  icon: string;
  color: string | undefined;
  contextValue: string;
}

function drawn(row: BlockerRow): Drawn {
  const { label, description, tooltip, accessibilityInformation, iconPath, contextValue } = view.getTreeItem(row);
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const { id, color } = iconPath as unknown as { id: string; color?: { id: string } };
  return {
    text: `${text(label)} | ${text(description)}`,
    tooltip: text(tooltip),
    spoken: accessibilityInformation?.label ?? '',
    icon: id,
    color: color?.id,
    contextValue: contextValue ?? '',
  };
}

async function texts(row?: BlockerRow): Promise<string[]> {
  return (await view.getChildren(row)).map(each => drawn(each).text.replaceAll(/\d+ (?:s|min|h|d)\b/g, 'T'));
}

async function first(row?: BlockerRow): Promise<BlockerRow> {
  return (await view.getChildren(row))[0]!;
}

describe('the Blockers view', () => {
  it('ranks at the top who keeps others waiting, with what it costs', async () => {
    put('/shop/orders', [
      ['A', 1],
      ['B', 10],
      ['C', 11],
    ]);
    put('/shop/stock', [
      ['B', 2],
      ['D', 12],
    ]);
    expect(await texts()).toEqual(['A | 3 wait · longest T · T in all · keeps orders']);
    expect(await texts(await first())).toEqual(['B | waits T · keeps stock · 1 waits', 'C | waits T']);
    expect(drawn(await first()).contextValue).toBe('blocker.session.lock');
    expect(drawn(await first()).tooltip).toContain('Lock: /shop/orders');
  });

  it('has rows of clusters only if there are several', async () => {
    put('/a', [
      ['A', 1],
      ['B', 2],
    ]);
    clusters.push(clusterNode({ id: 'other', profile: profileNamed('other') }));
    list.fire(undefined);
    expect(await texts()).toEqual(['orders | ', 'other | ']);
    await seen(() => expect(redrawn).toEqual([undefined]));
    const row = await first();
    expect(view.getParent(await first(row))).toBe(row);
    clusters.pop();
    list.fire(undefined);
    expect(view.getParent(await first())).toBeUndefined();
  });

  function record(session: RecordedSession): void {
    const sessions = new Map([[sessionNamed('A'), session]]);
    const recorder = { past: { sessions: () => sessions } } as unknown as NonNullable<ClusterNode['recorder']>;
    clusters = [clusterNode({ recorder })];
    list.fire(undefined);
  }

  it('names no address that is of an earlier session with the same id', async () => {
    record({ address: '10.0.0.7:4711', ended: { zxid: 3n, time: 0 } });
    put('/a', [
      ['A', 5],
      ['B', 6],
    ]);
    const { text, tooltip } = drawn(await first());
    expect(`${text} ${tooltip}`).not.toContain('10.0.0.7');
  });

  it('says where the client is, if that was recorded', async () => {
    record({ address: '10.0.0.7:4711', host: 'web-7' });
    put('/a', [
      ['A', 1],
      ['B', 2],
    ]);
    const { text, tooltip } = drawn(await first());
    expect(text).toMatch(/· 10\.0\.0\.7:4711 \(web-7\)$/);
    expect(tooltip).toContain('Owner session: 0xa, recorded from 10.0.0.7:4711 (web-7)');
  });

  it.each([
    ['lasting', 'deadlocked', 'arrow-swap', colorIds.deadlocked],
    ['possible', 'may be deadlocked', 'arrow-both', colorIds.waiter],
    [undefined, 'may be deadlocked', 'arrow-both', colorIds.waiter],
  ] as const)('marks a circle that is %s as %s', async (mark, words, icon, color) => {
    deadlock = mark;
    put('/a', [
      ['A', 1],
      ['B', 11],
    ]);
    put('/b', [
      ['B', 2],
      ['A', 10],
      ['C', 12],
    ]);
    const { text, contextValue, ...look } = drawn(await first());
    expect(text).toContain(`2 sessions wait for each other | ${words} · behind them: 1 waits`);
    expect(look).toMatchObject({ icon, color });
    expect(contextValue).toBe('blocker.other');
    if (mark === undefined) expect((await texts(await first()))[0]).toBe('A | waits T for b · keeps a');
  });

  it('marks a circle as lasting only if all of it has lasted', async () => {
    [deadlock, unmarked] = ['lasting', '/b'];
    put('/a', [
      ['A', 1],
      ['B', 11],
    ]);
    put('/b', [
      ['B', 2],
      ['A', 10],
    ]);
    const { text, icon, color } = drawn(await first());
    expect(text).toBe('2 sessions wait for each other | may be deadlocked');
    expect([icon, color]).toEqual(['arrow-both', colorIds.waiter]);
  });

  it('says of a node that may not be read that its owner is not known, and of a lock that has such', async () => {
    const lock = put('/a', [
      ['A', 1],
      ['B', 2],
    ]);
    const [holder, waiter] = lock.queue!.contenders;
    lock.queue = {
      ...queueOf([{ ...holder!, ownerSession: 0n, isUnread: true }, waiter!], { path: '/a' }),
      hazards: [{ kind: 'unreadable', names: ['n-1'] }],
    };
    const root = await first();
    expect(drawn(root).tooltip).toContain('\nOwner session: not known, the node may not be read\n');
    expect((await texts())[1]).toMatch(/^1 lock has nodes that may not be read \| Their owners are not known/);
    // Each session once.
    const { tooltip } = drawn(await first(root));
    expect(tooltip.split('\n').filter(line => line.includes('0xb'))).toEqual(['Owner session: 0xb']);
  });

  it('says of a waiter that stands first by what may be read that the holder is not known', async () => {
    const lock = put('/a', [
      ['A', 1],
      ['B', 2],
    ]);
    const [before, waiter] = lock.queue!.contenders;
    const contenders = [{ ...before!, role: 'waiter' as const }, waiter!];
    lock.queue = queueOf(contenders, { path: '/a' });
    expect(drawn(await first()).text).not.toContain('holder not known');
    lock.queue = { ...lock.queue, strangers: ['other'], hazards: [{ kind: 'unreadable', names: ['other'] }] };
    expect(drawn(await first()).text).toContain('keeps a · holder not known');
  });

  it('says that live updates are paused, and no more once they go on', async () => {
    put('/a', [
      ['A', 1],
      ['B', 2],
    ]).live = false;
    expect((await texts())[1]).toMatch(/^1 lock is shown as last read/);
    state.paused = true;
    await seen(() => expect(redrawn).toHaveLength(1));
    expect((await texts()).slice(1)).toEqual([
      'Live updates are paused | What is shown was read before, and may be different now.',
    ]);
    state.paused = false;
    await seen(() => expect(redrawn).toHaveLength(2));
    expect((await texts())[1]).toMatch(/^1 lock is shown as last read/);
  });

  it('says that a lock may be an election', async () => {
    put('/jobs/leader-of-jobs', [
      ['A', 1],
      ['B', 2],
    ]);
    expect(drawn(await first()).text).toContain('may be an election');
  });

  it('says what it is not about, and what is not of now', async () => {
    put('/a', [
      ['A', 1],
      ['B', 2],
    ]).live = false;
    expect((await texts())[1]).toMatch(/^1 lock is shown as last read \| /);
    expect(drawn(await first()).text).toContain('as last read');
    clusters[0]!.connection = { kind: 'lost', cause: undefined, lastContactAt: 0 };
    expect(drawn(await first()).text).toContain('not current');
  });

  it('draws again what changed, and only that', async () => {
    put('/a', [
      ['A', 1],
      ['B', 10],
      ['C', 11],
    ]);
    put('/b', [
      ['D', 2],
      ['E', 12],
    ]);
    const [a, b] = await view.getChildren();
    for (const row of [a!, b!]) view.getTreeItem(row);
    nodes.fire(
      put('/b', [
        ['D', 2],
        ['E', 12],
        ['F', 13],
      ]),
    );
    await seen(() => expect(redrawn.flat()).toContain(b));
    expect(redrawn.flat()).not.toContain(a);
    nodes.fire(put('/a', [['C', 11]]));
    await seen(() => expect(redrawn).toContain(undefined));
    expect((await texts())[0]).toMatch(/^D \| 2 wait/);
  });

  it('draws a row once more when VS Code asks what is below only before the host forgets it', async () => {
    const waiting: Place[] = [
      ['A', 1],
      ['B', 10],
    ];
    put('/a', waiting);
    const row = await first();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    view.getTreeItem(row);
    await view.getChildren(row);
    nodes.fire(put('/a', [...waiting, ['C', 11]]));
    await vi.advanceTimersByTimeAsync(500);
    expect(redrawn).toEqual([[row]]);
    // The host draws other rows first: it answers from what it has, and then forgets it.
    await view.getChildren(row);
    view.getTreeItem(row);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(redrawn).toEqual([[row], [row]]);
  });

  it('draws once more what VS Code does not ask about', async () => {
    put('/a', [
      ['A', 1],
      ['B', 10],
    ]);
    await view.getChildren();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    nodes.fire(put('/a', [['C', 11]]));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(redrawn).toEqual([undefined, undefined]);
    nodes.fire(
      put('/a', [
        ['C', 11],
        ['D', 12],
      ]),
    );
    await vi.advanceTimersByTimeAsync(500);
    await view.getChildren();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(redrawn).toEqual([undefined, undefined, undefined]);
  });

  it('shows the next page when its row is chosen', async () => {
    put('/a', [['A', 1], ...Array.from({ length: 150 }, (_, at): Place => [(0x100 + at).toString(16), 10 + at])]);
    const row = await first();
    const more = (await view.getChildren(row)).at(-1)!;
    expect(view.getTreeItem(more).command).toMatchObject({ command: commandIds.showMoreBlockers, arguments: [more] });
    for (const nothing of [undefined, null, row, 'more']) await view.showMore(nothing);
    expect(await view.getChildren(row)).toHaveLength(101);
    await view.showMore(more);
    expect(await view.getChildren(row)).toHaveLength(150);
  });

  it.each(hostileTexts)('shows foreign text only in a form that is harmless: %j', async hostile => {
    const lock = put('/a', [
      ['A', 1],
      ['B', 2],
    ]);
    lock.queue = queueOf(
      lock.queue!.contenders.map(each => ({ ...each, identifier: hostile, path: `/a/${hostile}${each.name}` })),
      { path: '/a' },
    );
    const root = await first();
    for (const row of [root, await first(root)]) {
      const { text, tooltip, spoken } = drawn(row);
      for (const part of [text, spoken]) expect(part).not.toMatch(unseenPattern);
      for (const line of tooltip.split('\n')) expect(line).not.toMatch(unseenPattern);
      expect(text).not.toMatch(linkPattern);
    }
  });
});

describe('a command on a row of the Blockers view', () => {
  it('takes the lock that it names, and no node', async () => {
    put('/a', [
      ['A', 1],
      ['B', 10],
    ]);
    put('/b', [
      ['A', 2],
      ['C', 11],
    ]);
    const registry = { all: [], get: () => ({ node: clusters[0] }) } as unknown as ClusterRegistry;
    const targets = new Targets(registry, {} as unknown as ClustersView, { inform: () => undefined });
    targets.alsoTake(row => ('lock' in row ? row.lock : undefined));
    const root = await first();
    const lock = await first(root);
    expect(targets.lock(lock).path).toBe('/a');
    expect(() => targets.contender(lock)).toThrow(NothingToDo);
    // Several locks: none of them is meant.
    expect(() => targets.lock(root)).toThrow(NothingToDo);
    expect(drawn(root).contextValue).toBe('blocker.session');
    expect(drawn(lock).contextValue).toBe('blocker.lock');
  });
});
