import { describe, expect, it } from 'vitest';
import { contenderTooltip } from '../../../../src/extension/views/contenderRow.ts';
import { childrenOf } from '../../../../src/app/clusters/childRows.ts';
import {
  nodeId,
  type ClusterNode,
  type ContenderNode,
  type LockNode,
  type Message,
  type TreeNode,
  drawnRows,
} from '../../../../src/app/clusters/clusterModel.ts';
import { toTreeItem } from '../../../../src/extension/views/treeItems.ts';
import { viewDescription, viewMessage } from '../../../../src/extension/views/viewTexts.ts';
import type { LockQueue } from '../../../../src/locks/lockQueue.ts';
import { ConnectError, NotConnectedError, ZooKeeperError } from '../../../../src/zookeeper/errors.ts';
import { clusterNode, contender, lockNode, now, profileNamed, queueOf, queueWith } from '../fixtures.ts';
import { hostileTexts, iconPattern, linkPattern, unseenPattern } from '../corpus.ts';

const context = { filter: '', trusted: true };

/** Every text of a row as VS Code gets it. */
function textsOf(node: TreeNode): { label: string; description: string; tooltip: string; spoken: string } {
  const { label, description, tooltip, accessibilityInformation } = toTreeItem(node, now);
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const spoken = text(accessibilityInformation?.label);
  return { label: text(label), description: text(description), tooltip: text(tooltip), spoken };
}

function described(node: TreeNode): string {
  const { label, description } = textsOf(node);
  return `${label} | ${description}`;
}

function contenderRows(lock: LockNode): ContenderNode[] {
  return childrenOf(lock, context).filter(row => row.type === 'contender');
}

it('rows below a lock of which nothing may be read do not say that there are no contenders', () => {
  const hidden = queueOf([], { strangers: ['h'], hazards: [{ kind: 'unreadable', names: ['h'] }] });
  expect(childrenOf(lockNode(hidden), context).map(({ type }) => type)).toEqual(['hazard', 'stranger']);
});

it('a contender that may not be read has a row with its name and place, without owner, age or commands', () => {
  const hidden = { isUnread: true, identifier: '', ownerSession: 0n, czxid: 0n, createdAt: 0 } as const;
  const queue = queueOf([contender('a', { ...hidden, role: 'holder' }), contender('b', { waitsFor: 'a' })]);
  const rows = contenderRows(lockNode(queue));
  expect(rows.map(described)).toEqual([
    '#1 a | holds · exclusive · may not be read',
    expect.stringContaining('#2 b | waits for #1 a'),
  ]);
  expect(toTreeItem(rows[0]!, now)).toMatchObject({
    iconPath: { id: 'eye-closed' },
    contextValue: 'contender.unread',
  });
  expect(contenderTooltip(rows[0]!, now, undefined)).toBe(
    [
      '/locks/a/a',
      '#1 · a · exclusive',
      'At the head of the queue: it holds by the rule of its library',
      'These credentials may not read it: only its name and its place in the queue are known.',
    ].join('\n'),
  );
});

describe('a lock row', () => {
  const cases: [string, LockQueue, string][] = [
    ['free', queueOf([]), 'free · Curator · /locks'],
    ['held', queueWith(0), 'held by worker-0 · Curator · /locks'],
    ['long', queueWith(1_234), 'held by worker-0 · 1,234 waiting · Curator · /locks'],
    ['contended', queueWith(3), 'held by worker-0 · 3 waiting · Curator · /locks'],
    ['no holder', queueOf([contender('x')]), 'no holder · 1 waiting · Curator · /locks'],
    [
      'a head that may not be read',
      queueOf([contender('x')], { hazards: [{ kind: 'unreadable', names: ['h'] }] }),
      'holder not known · 1 waiting · 1 warning · Curator · /locks',
    ],
    [
      'nothing that may be read',
      queueOf([], { strangers: ['h'], hazards: [{ kind: 'unreadable', names: ['h'] }] }),
      'holder not known · 1 warning · Curator · /locks',
    ],
    [
      'readers',
      queueOf(
        ['a', 'b'].map(name => contender(name, { role: 'holder', kind: 'read' })),
        { dialect: 'kazoo' },
      ),
      '2 readers hold · kazoo · /locks',
    ],
    [
      'leases',
      queueOf(['a', 'b', 'c'].map(name => contender(name, { role: 'holder', kind: 'lease' }))),
      '3 leases held · Curator · /locks',
    ],
    ['a leader', queueOf([contender('a', { role: 'holder', kind: 'candidate' })]), 'led by a · Curator · /locks'],
    [
      'no identifier',
      queueOf([contender('n', { role: 'holder', identifier: '', ownerSession: -1n })]),
      'held by session 0xffffffffffffffff · Curator · /locks',
    ],
    [
      'hazards',
      queueOf([], { hazards: [{ kind: 'mixed-dialects', names: ['a', 'b'] }] }),
      'free · 1 warning · Curator · /locks',
    ],
  ];
  it.each(cases)('says what stands: %s', (_name, queue, description) => {
    const drawn = toTreeItem(lockNode(queue), now);
    expect(drawn.label).toBe('a');
    expect(drawn.description).toBe(description);
    expect(drawn.accessibilityInformation?.label).toContain('Lock /locks/a');
    expect(drawn.contextValue).toBe('lock');
  });

  it('is no better than its session', () => {
    const lastContactAt = now - 60_000;
    const uncertain = clusterNode({ connection: { kind: 'uncertain', cause: undefined, lastContactAt } });
    expect(described(lockNode(queueWith(1), uncertain))).toContain('| uncertain · held by');
    const lost = clusterNode({ connection: { kind: 'lost', cause: undefined, lastContactAt } });
    const drawn = toTreeItem(lockNode(queueWith(1), lost), now);
    expect(drawn.description).toMatch(/^as of .*11.59.00.* · held by worker-0/);
    expect(drawn.resourceUri).toMatchObject({ path: '/dimmed' });
    expect(drawn.iconPath).toMatchObject({ color: { id: 'disabledForeground' } });
  });

  it('says when a later read failed, and when the first did', () => {
    const stale = lockNode(queueWith(0));
    stale.readError = new NotConnectedError('getData', '/locks/a', 'x');
    expect(described(stale)).toContain('| out of date · held by worker-0');
    const unread = lockNode(undefined);
    unread.readError = new ZooKeeperError(-102, 'getChildren', '/locks/a');
    expect(described(unread)).toContain('cannot be read');
    expect(childrenOf(unread, context).map(described)).toEqual([
      'Cannot be read | You have no permission to read /locks/a.',
    ]);
  });
});

describe('contender rows', () => {
  it('give position, who, kind, age, and whom each waits for', () => {
    expect(contenderRows(lockNode(queueWith(2))).map(described)).toEqual([
      '#1 worker-0 | holds · queued 12 s ago, hand-over not seen · exclusive',
      '#2 worker-1 | waits for #1 worker-0 · exclusive · 12 s',
      '#3 worker-2 | waits for #2 worker-1 · exclusive · 12 s',
    ]);
  });

  it('name what is waited for even if it is not in the queue, and nodes that are not ephemeral', () => {
    const lock = lockNode(queueOf([contender('w', { waitsFor: 'gone-0000000001', ownerSession: 0n })]));
    expect(contenderRows(lock).map(described)).toEqual([
      '#1 w | waits for gone-0000000001 · exclusive · 12 s · not ephemeral',
    ]);
  });

  it('say that a waiter may hold all the same', () => {
    const reader = contender('r', { kind: 'read', waitsFor: 'w', mayHold: true });
    const lock = lockNode(queueOf([contender('w', { kind: 'write', role: 'holder' }), reader]));
    const [, row] = contenderRows(lock);
    expect(described(row!)).toBe('#2 r | waits for #1 w · or holds · read · 12 s');
    if (row?.type !== 'contender') throw new Error('no contender');
    expect(contenderTooltip(row, now, undefined)).toContain('Or it holds: up to Curator 5.4');
  });

  it('come in pages, then hazards, then strangers', () => {
    const lock = lockNode({
      ...queueWith(9_999),
      strangers: ['README'],
      hazards: [{ kind: 'not-ephemeral', names: ['x'] }],
    });
    const rows = childrenOf(lock, context);
    expect(rows.map(row => row.type).slice(199)).toEqual(['contender', 'more', 'hazard', 'stranger']);
    expect(described(rows[200]!)).toMatch(/^Show 200 more of 9.?800/);
    lock.contenderLimit = 9_900;
    expect(described(childrenOf(lock, context)[9_900]!)).toMatch(/^Show 100 more of 100/);
  });

  it('have a tooltip with session, stat and data, and none of a node that was replaced meanwhile', () => {
    const [row] = contenderRows(lockNode(queueWith(0)));
    const stat = {
      czxid: 7n, mzxid: 8n, ctime: 0, mtime: 0, version: 3, cversion: 0, aversion: 0, ephemeralOwner: 256n,
      dataLength: 2, numChildren: 0, pzxid: 7n,
    }; // prettier-ignore
    const data = new TextEncoder().encode('hi');
    expect(contenderTooltip(row!, now, { data, stat })).toMatch(/Owner session: 0x100\n[^]*Version: 3[^]*│ hi$/);
    expect(contenderTooltip(row!, now, { data, stat: { ...stat, czxid: 9n } })).not.toContain('hi');
    // A lock may have further holders that the queue does not show.
    expect(contenderTooltip(row!, now, undefined)).toContain('it holds by the rule of its library');
  });

  it('show details as text where the node has some', () => {
    const queue = queueOf([contender('a', { details: 'select\n[x](command:y)' }), contender('b')]);
    const [withDetails, without] = contenderRows(lockNode(queue));
    expect(contenderTooltip(withDetails!, now, undefined)).toMatch(/^Details: select\\u000A\[x\]\u2060\(command:y\)$/m);
    expect(contenderTooltip(without!, now, undefined)).not.toContain('Details');
  });

  it('let only a contender with a session offer its id', () => {
    const lock = lockNode(queueOf([contender('a', { role: 'holder' }), contender('b', { ownerSession: 0n })]));
    expect(contenderRows(lock).map(row => toTreeItem(row, now).contextValue)).toEqual([
      'contender.holder.session',
      'contender.waiter',
    ]);
  });
});

describe('foreign names in rows', () => {
  const holderCalled = (identifier: string): LockNode =>
    lockNode(queueOf([contender('h', { role: 'holder', identifier }), contender('w', { waitsFor: 'h' })]));

  it('stand in quotes unless they are a plain word, so that none goes on as a sentence of ours', () => {
    const name = 'cron   The session has ended';
    const lock = holderCalled(name);
    expect(described(lock)).toContain(`| held by "${name}" · 1 waiting`);
    const [head, waiter] = contenderRows(lock);
    expect(described(head!)).toContain(`#1 "${name}" | holds`);
    expect(described(waiter!)).toContain(`waits for #1 "${name}"`);
    expect(textsOf(lock).spoken).toContain(`"${name}"`);
    expect(described(holderCalled('pay-1.eu:42'))).toContain('| held by pay-1.eu:42 · 1 waiting');
    expect(described(holderCalled('会话已结束'))).toContain('| held by "会话已结束" · 1 waiting');
  });

  it('cannot end their quotes', () => {
    for (const quote of ['"', '”', '“']) {
      expect(described(holderCalled(`cron${quote} has ended. Free`))).toContain(`| held by "cron' has ended. Free" ·`);
    }
  });

  it('do not move what stands beside them when they are written from right to left', () => {
    const isolated = '\u2068\u05E9\u05DC\u05D5\u05DD\u2069';
    const lock = holderCalled('\u05E9\u05DC\u05D5\u05DD');
    expect(described(lock)).toContain(`held by "${isolated}" · 1 waiting`);
    expect(textsOf(lock).spoken).toContain(isolated);
    expect(described(contenderRows(lock)[0]!)).toContain(`#1 "${isolated}" |`);
  });
});

describe('cluster rows', () => {
  it('say environment, state and how many locks', () => {
    const cluster = clusterNode({ profile: profileNamed('Orders', { environment: 'production' }) });
    lockNode(queueWith(1), cluster);
    const drawn = toTreeItem(cluster, now);
    expect(drawn.description).toBe('production · connected · 1 lock');
    expect(drawn.resourceUri).toMatchObject({ path: '/production' });
    expect(drawn.accessibilityInformation?.label).toBe('Cluster Orders, production, connected, 1 lock');
  });

  it('say that a cluster is a production one also when its session is lost', () => {
    const connection = { kind: 'lost', cause: undefined, lastContactAt: now } as const;
    const lost = (environment: 'production' | 'staging'): unknown =>
      toTreeItem(clusterNode({ profile: profileNamed('Orders', { environment }), connection }), now);
    const dimmed = { iconPath: { id: 'sync-ignored', color: { id: 'disabledForeground' } } };
    expect(lost('production')).toMatchObject({ ...dimmed, resourceUri: { path: '/production' } });
    expect(lost('staging')).toMatchObject({ ...dimmed, resourceUri: { path: '/dimmed' } });
  });

  it('say what a sandbox is, and that it is no place for real locks', () => {
    const cluster = clusterNode({ profile: profileNamed('Sandbox', { isSandbox: true }) });
    const open = toTreeItem(cluster, now);
    expect(open.description).toBe('in memory only · connected');
    expect(open.tooltip).toContain('on this machine only');
    expect(open.tooltip).not.toContain('Environment');
    expect(open.tooltip).toContain('real locks belong on a real ensemble');
    cluster.connection = { kind: 'disconnected' };
    const values = [open, toTreeItem(cluster, now)].map(({ contextValue }) => contextValue);
    expect(values).toEqual(['cluster.open.sandbox', 'cluster.closed.sandbox']);
  });

  it('say that nothing is written to a cluster', () => {
    const cluster = clusterNode({ profile: profileNamed('Orders', { environment: 'staging', readOnly: true }) });
    const drawn = toTreeItem(cluster, now);
    expect(drawn.description).toBe('staging, read-only · connected');
    expect(drawn.accessibilityInformation?.label).toBe('Cluster Orders, staging, read-only, connected');
    expect(drawn.tooltip).toContain('Environment: staging, read-only');
  });

  it('give read-only clusters menus without writing commands, in its locks and contenders too', () => {
    const cluster = clusterNode({ profile: profileNamed('Orders', { readOnly: true }) });
    const holder = contender('a', { role: 'holder' });
    const lock = lockNode(queueOf([holder, contender('b', { ownerSession: 0n })]), cluster);
    const drawn = (): (string | undefined)[] =>
      [cluster, lock, ...childrenOf(lock, context)].map(node => toTreeItem(node, now).contextValue);
    const readOnly = ['cluster.open', 'lock', 'contender.holder.session', 'contender.waiter'];
    expect(drawn()).toEqual(readOnly.map(value => `${value}.readOnly`));
    cluster.profile = profileNamed('Orders');
    expect(drawn()).toEqual(readOnly);
  });

  it('hold a page of locks that pass the filter', () => {
    const cluster = clusterNode();
    for (let index = 0; index < 150; index++) lockNode(undefined, cluster, `/locks/${String(index).padStart(3, '0')}`);
    expect(childrenOf(cluster, context)).toHaveLength(101);
    expect(described(childrenOf(cluster, context)[100]!)).toMatch(/^Show 50 more of 50/);
    expect(childrenOf(cluster, { ...context, filter: '/LOCKS/14' })).toHaveLength(10);
    expect(childrenOf(cluster, { ...context, filter: 'zz' }).map(described)).toEqual([
      'No lock matches the filter | zz',
    ]);
  });

  const refused = new ConnectError([{ host: 'zk1', port: 2181, failure: 'refused', detail: 'ECONNREFUSED' }], 1000);
  it.each([
    [{ connection: { kind: 'disconnected' } }, 'Not connected | '],
    [{ connection: { kind: 'connecting' } }, 'Connecting… | Disconnect stops it'],
    [
      { connection: { kind: 'failed', error: refused, triesAgain: false } },
      'zk1:2181: nothing listens on this port. | ',
    ],
    [
      { connection: { kind: 'failed', error: refused, triesAgain: true } },
      'zk1:2181: nothing listens on this port. | ',
    ],
    [{ search: { kind: 'running', visited: 12, locks: 3 } }, 'Looking for locks… | Nodes: 12, locks so far: 3'],
  ] as const)('show progress and failure as rows: %j', (fields, text) => {
    expect(childrenOf(clusterNode(fields), context).map(described)).toEqual([text]);
  });

  it('say that a failed connection is tried again only if it is', () => {
    for (const triesAgain of [false, true]) {
      const [row] = childrenOf(clusterNode({ connection: { kind: 'failed', error: refused, triesAgain } }), context);
      expect(textsOf(row!).tooltip.includes('Disconnect stops the attempts')).toBe(triesAgain);
    }
  });

  it('do not offer a connection in an untrusted workspace', () => {
    const rows = childrenOf(clusterNode({ connection: { kind: 'disconnected' } }), { ...context, trusted: false });
    expect(toTreeItem(rows[0]!, now).command?.command).toBe('workbench.trust.manage');
  });

  it('report a search that ended early and branches without permission', () => {
    const cluster = clusterNode({ search: { kind: 'done', visited: 5, truncated: true, denied: ['/secret'] } });
    const rows = childrenOf(cluster, context);
    expect(rows.map(described)).toEqual([
      'No locks found | 5 nodes searched; select to change the lock roots, or open a lock by its path',
      'Search stopped after 5 nodes | select to narrow the lock roots, or raise the limit in the settings',
      '1 branch without permission | /secret',
    ]);
    const settings = {
      command: 'workbench.action.openApplicationSettingsJson',
      arguments: [{ revealSetting: { key: 'zookeeperLocks.clusters' } }],
    };
    const drawn = rows.map(row => toTreeItem(row, now));
    expect(drawn.map(({ command }) => command)).toEqual([
      expect.objectContaining(settings),
      expect.objectContaining(settings),
      undefined,
    ]);
    expect(drawn[0]?.tooltip).toContain('"lockRoots" of this cluster in the setting zookeeperLocks.clusters');
  });
});

describe('every row', () => {
  const messages: Message[] = hostileTexts.flatMap((text): Message[] => [
    {
      kind: 'connect-failed',
      error: new ConnectError([{ host: text, port: 1, failure: 'tls', reason: 'other', detail: text }], 1),
      triesAgain: true,
    },
    { kind: 'search-failed', error: new Error(text) },
    { kind: 'read-failed', error: new ZooKeeperError(-4, 'getData', text) },
    { kind: 'no-match', filter: text },
    { kind: 'unread', count: 3 },
    { kind: 'denied', paths: [text, text] },
  ]);

  function nodesWith(text: string): TreeNode[] {
    const cluster = clusterNode({
      profile: profileNamed(text, { connectString: text, lockRoots: [text] }),
      connection: { kind: 'uncertain', cause: { kind: 'replaced', server: text }, lastContactAt: now },
    });
    const queue = queueOf(
      [contender(text, { identifier: text, waitsFor: text }), contender(text, { identifier: '', ownerSession: 0n })],
      { strangers: [text], hazards: [{ kind: 'unreadable', names: [text] }] },
    );
    const lock = lockNode(queue, cluster, text);
    return [cluster, lock, ...childrenOf(lock, context)];
  }

  it('keeps foreign text dead', () => {
    const parent = clusterNode();
    const nodes = [
      ...hostileTexts.flatMap(nodesWith),
      ...messages.map((message): TreeNode => ({ type: 'message', parent, message })),
    ];
    for (const node of nodes) {
      for (const text of Object.values(textsOf(node))) {
        expect(text).not.toMatch(linkPattern);
        expect(text).not.toMatch(iconPattern);
        expect(text).not.toMatch(unseenPattern);
      }
      expect(textsOf(node).label).not.toBe('');
      expect(textsOf(node).spoken).not.toBe('');
    }
  });

  it('has an id of its own that does not depend on names or order', () => {
    const cluster = clusterNode();
    const lock = lockNode(
      { ...queueWith(3), strangers: ['a'], hazards: [{ kind: 'unreadable', names: ['a'] }] },
      cluster,
    );
    const ids = [cluster, lock, ...childrenOf(lock, context), ...childrenOf(cluster, context)].map(nodeId);
    expect(new Set(ids).size).toBe(ids.length - 1);
    const before = nodeId(lock);
    cluster.profile = profileNamed('renamed');
    expect(nodeId(lock)).toBe(before);
  });
});

describe('drawnRows', () => {
  it('leaves out what is not on screen, and what a changed parent brings along', () => {
    const [left, right, gone] = [clusterNode({ id: 'l', lockLimit: 1 }), clusterNode({ id: 'r' }), clusterNode()];
    const locks = [left, left, right, gone].map((cluster, index) => lockNode(undefined, cluster, `/${String(index)}`));
    const drawn = (...nodes: (ClusterNode | LockNode)[]): unknown => drawnRows(new Set(nodes), [left, right], '');
    expect(drawn(...locks)).toEqual([locks[0], locks[2]]);
    expect(drawn(left, ...locks)).toEqual([left, locks[2]]);
    expect(drawnRows(new Set(locks), [left, right], '/2')).toEqual([locks[2]]);
  });
});

describe('the texts around the rows', () => {
  it('say what is not as usual', () => {
    expect(viewDescription({ filter: '', paused: false })).toBe('');
    expect(viewDescription({ filter: 'in', paused: true })).toBe('paused · filter: in');
    expect(viewMessage([])).toBeUndefined();
    expect(viewMessage([{ index: 1, fault: 'credentials' }])).toContain('cluster 2');
  });
});
