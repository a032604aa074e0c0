import { describe, expect, it } from 'vitest';
import { ChangeBatch, type ChangeSink, type NotedEvent } from '../../../../src/app/recorder/changeBatch.ts';
import { LockTree } from '../../../../src/app/recorder/lockTree.ts';
import type { NodeReading, NodeState } from '../../../../src/app/recorder/nodeStates.ts';

const path = '/d/lock-0000000001';

interface StateFields {
  mzxid?: bigint;
  path?: string;
  pzxid?: bigint;
  owner?: bigint;
  numChildren?: number;
}

function state(czxid: bigint, rest: StateFields = {}): NodeState {
  const { mzxid = czxid, pzxid = czxid, owner = 1n, numChildren = 0 } = rest;
  const node = { path: rest.path ?? path, czxid, mzxid, ctime: Number(czxid), mtime: Number(mzxid), version: 0 };
  return { node: { ...node, owner, data: new TextEncoder().encode('now') }, numChildren, pzxid };
}

const event = (type: NotedEvent['type'], zxid?: bigint, at = path): NotedEvent => ({
  type,
  path: at,
  seenAt: 0,
  ...(zxid === undefined ? {} : { zxid }),
});

interface Scene {
  known?: NodeState;
  events: NotedEvent[];
  later?: NotedEvent[];
  read: NodeReading;
  /** pzxid of the directory. */
  directory?: bigint;
  /** Children of the directory, as it was read. */
  numChildren?: number;
  roots?: readonly string[];
}

/** What a batch passes on, as text. */
function seenIn({ known, events, later = [], read, directory = 0n, ...rest }: Scene): string[] {
  const tree = new LockTree(rest.roots);
  tree.keep('/d');
  if (known) tree.set(known);
  const seen: string[] = [];
  const sink: ChangeSink = {
    node: ({ node }, _, isNew) => seen.push(`${isNew ? 'new' : 'written'} ${node.czxid}/${node.mzxid}`),
    old: ({ node }) => seen.push(`old ${node.czxid}`),
    unread: node => {
      seen.push(`unread ${node.czxid}`);
      return node;
    },
    gone: ({ node, within: { first, last } }) =>
      seen.push(`gone ${node.czxid} at ${first === last ? first : last > 1_000n ? '?' : `${first}-${last}`}`),
  };
  const states = new Map([
    [path, read],
    ['/d', state(1n, { path: '/d', pzxid: directory, numChildren: rest.numChildren ?? 0 })],
  ]);
  new ChangeBatch(events, later, { states, older: new Map() }, tree).run(sink);
  return seen;
}

describe('events with their transactions', () => {
  it.each<[string, Scene, string[]]>([
    ['a new node', { events: [event('created', 5n)], read: state(5n) }, ['new 5/5']],
    ['one that was read before', { known: state(5n), events: [event('created', 5n)], read: state(5n) }, []],
    [
      'one that was gone before it was read',
      { events: [event('created', 5n), event('deleted', 6n)], read: 'gone' },
      ['unread 5', 'gone 5 at 6'],
    ],
    [
      'one that came again before it was read',
      { events: [event('created', 5n), event('deleted', 6n), event('created', 7n)], read: state(7n) },
      ['unread 5', 'gone 5 at 6', 'new 7/7'],
    ],
    ['one that comes again later', { events: [event('created', 5n)], read: state(7n) }, ['unread 5']],
    ['a deletion of before', { known: state(5n), events: [event('deleted', 4n)], read: state(5n) }, []],
    ['a deletion', { known: state(5n), events: [event('deleted', 6n)], read: 'gone' }, ['gone 5 at 6']],
    [
      'one that was written before it was read',
      { events: [event('created', 5n)], later: [event('dataChanged', 6n)], read: state(5n, { mzxid: 6n }) },
      ['new 5/5'],
    ],
    [
      'a node that was written twice',
      {
        known: state(5n),
        events: [event('dataChanged', 6n), event('dataChanged', 7n)],
        read: state(5n, { mzxid: 7n }),
      },
      ['written 5/7'],
    ],
    ['one that may not be read', { events: [event('created', 5n)], read: 'unreadable' }, ['unread 5']],
  ])('%s', (_, scene, seen) => {
    expect(seenIn(scene)).toEqual(seen);
  });
});

describe('events without their transactions', () => {
  it.each<[string, Scene, string[]]>([
    ['a new node', { events: [event('created')], read: state(5n) }, ['new 5/5']],
    ['one that was read before', { known: state(5n), events: [event('created')], read: state(5n) }, []],
    [
      'a deletion that its directory dates',
      { known: state(5n), events: [event('deleted')], read: 'gone', directory: 8n },
      ['gone 5 at 8'],
    ],
    [
      'a deletion before another change of the directory',
      {
        known: state(5n),
        events: [event('deleted')],
        later: [event('created', undefined, '/d/lock-0000000002')],
        read: 'gone',
        directory: 8n,
      },
      ['gone 5 at 6-8'],
    ],
    [
      'a deletion that the directory does not show',
      { known: state(5n), events: [event('deleted')], read: 'gone', directory: 5n },
      ['gone 5 at ?'],
    ],
    [
      'a deletion in a directory with children that have no events',
      { known: state(5n), events: [event('deleted')], read: 'gone', directory: 8n, numChildren: 1 },
      ['gone 5 at 6-8'],
    ],
    [
      'a deletion in a directory outside the roots',
      { known: state(5n), events: [event('deleted')], read: 'gone', directory: 8n, roots: [path] },
      ['gone 5 at 6-8'],
    ],
    [
      'deletions and creations of before',
      { known: state(9n), events: [event('deleted'), event('created')], read: state(9n), directory: 9n },
      [],
    ],
    [
      'one that came again',
      { known: state(5n), events: [event('deleted'), event('created')], read: state(7n), directory: 7n },
      ['gone 5 at 6', 'new 7/7'],
    ],
    [
      'one that was gone before it was read',
      { events: [event('created'), event('deleted')], read: 'gone', directory: 6n },
      ['unread 0', 'gone 0 at 6'],
    ],
  ])('%s', (_, scene, seen) => {
    expect(seenIn(scene)).toEqual(seen);
  });
});

describe('a node that was written before it was read', () => {
  const firstOf = (owner: bigint, later: NotedEvent[]): NodeState['node'] => {
    const tree = new LockTree();
    tree.keep('/d');
    const seen: NodeState[] = [];
    const none = (): undefined => undefined;
    const sink: ChangeSink = { node: each => seen.push(each), old: none, unread: each => each, gone: none };
    const states = new Map([[path, state(5n, { mzxid: 7n, owner })]]);
    new ChangeBatch([event('created', 5n)], later, { states, older: new Map() }, tree).run(sink);
    return seen[0]!.node;
  };

  it.each([
    ['whose event came', [event('dataChanged', 7n)]],
    ['whose event comes later', []],
  ])('came with other data, %s', (_, later) => {
    expect(firstOf(1n, later)).toMatchObject({ czxid: 5n, mzxid: 5n, version: 0, data: new Uint8Array(0) });
    expect(firstOf(1n, later).isUnread).toBeUndefined();
  });

  it('is not read where its data alone say who holds', () => {
    expect(firstOf(0n, [])).toMatchObject({ mzxid: 5n, data: new Uint8Array(0), isUnread: true });
  });
});
