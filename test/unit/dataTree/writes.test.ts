import { describe, expect, it } from 'vitest';
import { ErrorCode } from '../../../src/zookeeper/wire/errorCodes.ts';
import type { SingleWrite } from '../../../src/dataTree/prepare.ts';
import { createOf, TreeUnderTest } from './treeUnderTest.ts';

/** /a with data, /a/b below it, and the ephemeral node /a/e of session 1. Zxids 1 to 3. */
function usual(): TreeUnderTest {
  const under = new TreeUnderTest();
  under.create('/a', { data: 'x' });
  under.create('/a/b');
  under.create('/a/e', { flags: 1 });
  under.events.length = 0;
  return under;
}

it.each<[string, SingleWrite, number]>([
  ['a create below nothing', createOf('/x/y'), ErrorCode.NO_NODE],
  ['a create of what is there', createOf('/a'), ErrorCode.NODE_EXISTS],
  ['a create of the root', createOf('/'), ErrorCode.NODE_EXISTS],
  ['a create below an ephemeral node', createOf('/a/e/x'), ErrorCode.NO_CHILDREN_FOR_EPHEMERALS],
  [
    'a sequential create below an ephemeral node',
    createOf('/a/e/x-', { flags: 3 }),
    ErrorCode.NO_CHILDREN_FOR_EPHEMERALS,
  ],
  ['a path with an empty part', createOf('/a//x'), ErrorCode.NO_NODE],
  ['a sequential path with an empty part', createOf('//', { flags: 2 }), ErrorCode.BAD_ARGUMENTS],
  ['a path with a slash at its end', createOf('/a/x/'), ErrorCode.NO_NODE],
  ['a sequential path with a slash at its end', createOf('/a/b/', { flags: 2 }), ErrorCode.OK],
  ['a path with ..', createOf('/a/../x'), ErrorCode.NO_NODE],
  ['a path without a slash', createOf('x'), ErrorCode.BAD_ARGUMENTS],
  ['a path with a null', createOf('/a/\0'), ErrorCode.BAD_ARGUMENTS],
  ['a path with a control character', createOf('/a/\u0001'), ErrorCode.BAD_ARGUMENTS],
  ['flags that are no mode', createOf('/a/x', { flags: 7 }), ErrorCode.BAD_ARGUMENTS],
  ['a TTL mode without a TTL', createOf('/a/x', { flags: 5, kind: 'ttl', ttl: 0n }), ErrorCode.BAD_ARGUMENTS],
  ['a TTL of more than 40 bits', createOf('/a/x', { flags: 5, kind: 'ttl', ttl: 1n << 40n }), ErrorCode.BAD_ARGUMENTS],
  ['the largest TTL', createOf('/a/x', { flags: 5, kind: 'ttl', ttl: (1n << 40n) - 1n }), ErrorCode.OK],
  ['a TTL for a mode without one', createOf('/a/x', { flags: 0, kind: 'ttl', ttl: 5n }), ErrorCode.BAD_ARGUMENTS],
  ['an empty ACL', createOf('/a/x', { acl: [] }), ErrorCode.INVALID_ACL],
  ['a delete of nothing', { op: 'delete', path: '/x', version: -1 }, ErrorCode.NO_NODE],
  ['a delete of a node with children', { op: 'delete', path: '/a', version: -1 }, ErrorCode.NOT_EMPTY],
  ['a delete of another version', { op: 'delete', path: '/a/b', version: 1 }, ErrorCode.BAD_VERSION],
  ['a delete of this version', { op: 'delete', path: '/a/b', version: 0 }, ErrorCode.OK],
  ['a delete of the root', { op: 'delete', path: '/', version: -1 }, ErrorCode.BAD_ARGUMENTS],
  [
    'a delete of a node of the server',
    { op: 'delete', path: '/zookeeper/config', version: -1 },
    ErrorCode.BAD_ARGUMENTS,
  ],
  ['data for another version', { op: 'setData', path: '/a', data: Buffer.alloc(1), version: 3 }, ErrorCode.BAD_VERSION],
  ['data for this version', { op: 'setData', path: '/a', data: Buffer.alloc(1), version: 0 }, ErrorCode.OK],
  ['data for nothing', { op: 'setData', path: '/x', data: Buffer.alloc(1), version: -1 }, ErrorCode.NO_NODE],
  ['a check of another version', { op: 'check', path: '/a', version: 1 }, ErrorCode.BAD_VERSION],
  [
    'an ACL that cannot be checked',
    { op: 'setAcl', path: '/a', acl: [{ scheme: 'no', id: '', permissions: 1 }], version: -1 },
    ErrorCode.INVALID_ACL,
  ],
  ['the removal of a container with children', { op: 'deleteContainer', path: '/a' }, ErrorCode.NOT_EMPTY],
  ['the removal of an ephemeral node as a container', { op: 'deleteContainer', path: '/a/e' }, ErrorCode.BAD_VERSION],
])('%s', (_, request, error) => {
  const under = usual();
  const stat = under.tree.get('/a')?.stat();
  expect(under.write(request).error).toBe(error);
  // A refused request takes a zxid and changes nothing.
  expect(under.tree.lastZxid).toBe(4n);
  if (error !== ErrorCode.OK) {
    expect(under.events).toEqual([]);
    expect(under.tree.get('/a')?.stat()).toEqual(stat);
  }
});

describe('stat', () => {
  it('counts what happens to the node and to its children', () => {
    const under = usual();
    const facts = { czxid: 1n, ctime: 1, ephemeralOwner: 0n };
    expect(under.tree.get('/a')?.stat()).toMatchObject({
      ...facts,
      cversion: 2,
      numChildren: 2,
      pzxid: 3n,
      mzxid: 1n,
      version: 0,
    });
    under.write({ op: 'delete', path: '/a/b', version: -1 });
    expect(under.tree.get('/a')?.stat()).toMatchObject({ ...facts, cversion: 3, numChildren: 1, pzxid: 4n, mzxid: 1n });
    under.write({ op: 'setData', path: '/a', data: Buffer.from('four'), version: -1 });
    expect(under.tree.get('/a')?.stat()).toMatchObject({
      ...facts,
      cversion: 3,
      pzxid: 4n,
      mzxid: 5n,
      mtime: 5,
      version: 1,
      dataLength: 4,
    });
    under.write({ op: 'setAcl', path: '/a', acl: [{ scheme: 'world', id: 'anyone', permissions: 1 }], version: 0 });
    expect(under.tree.get('/a')?.stat()).toMatchObject({ ...facts, mzxid: 5n, version: 1, aversion: 1 });
    expect(under.tree.get('/a/e')?.stat()).toMatchObject({ ephemeralOwner: 1n, czxid: 3n });
  });

  it('a container and a TTL node show no owner', () => {
    const under = new TreeUnderTest();
    under.create('/c', { flags: 4, kind: 'container' });
    under.create('/t', { flags: 5, kind: 'ttl', ttl: 9n });
    for (const path of ['/c', '/t']) expect(under.tree.get(path)?.stat().ephemeralOwner).toBe(0n);
  });
});

describe('sequence numbers', () => {
  /** A parent that has had so many children. */
  function counted(childrenCreated: number): TreeUnderTest {
    const under = new TreeUnderTest();
    under.create('/q');
    under.tree.get('/q')!.childrenCreated = childrenCreated;
    return under;
  }

  it('count every child, and go on after deletes', () => {
    const under = counted(0);
    expect(under.create('/q/n-', { flags: 2 }).path).toBe('/q/n-0000000000');
    under.create('/q/plain');
    expect(under.create('/q/n-', { flags: 3 }).path).toBe('/q/n-0000000002');
    under.write({ op: 'delete', path: '/q/n-0000000002', version: -1 });
    expect(under.create('/q/', { flags: 2 }).path).toBe('/q/0000000003');
  });

  it('stand still after 2147483647, one by one', () => {
    const under = counted(2_147_483_645);
    const paths = Array.from({ length: 4 }, () => under.create('/q/n-', { flags: 2 }));
    expect(paths.map(({ path, error }) => path ?? error)).toEqual([
      '/q/n-2147483645',
      '/q/n-2147483646',
      // The number stays: one more turns it negative, which counts as an old number (ZOOKEEPER-4706).
      '/q/n-2147483647',
      ErrorCode.NODE_EXISTS,
    ]);
    expect(under.tree.get('/q')?.childrenCreated).toBe(2_147_483_647);
  });

  it('go on below zero within a multi, which looks at what its parts will leave', () => {
    const under = counted(2_147_483_646);
    const parts = Array.from({ length: 4 }, () => createOf('/q/n-', { flags: 2 }));
    const paths = under.write({ op: 'multi', parts }).parts?.map(({ path }) => path);
    expect(paths).toEqual(['/q/n-2147483646', '/q/n-2147483647', '/q/n--2147483648', '/q/n--2147483647']);
    expect(under.tree.get('/q')?.childrenCreated).toBe(2_147_483_647);
  });

  it.each([
    [-1, '/q/n--000000001'],
    [-2_147_483_648, '/q/n--2147483648'],
  ])('a counter of %i, as logs of old servers leave it: %s', (childrenCreated, path) => {
    expect(counted(childrenCreated).create('/q/n-', { flags: 2 }).path).toBe(path);
  });
});

describe('multi', () => {
  it('parts see what the parts before them do', () => {
    const under = usual();
    const { error, parts } = under.write({
      op: 'multi',
      parts: [
        createOf('/m'),
        createOf('/m/n-', { flags: 2 }),
        createOf('/m/n-', { flags: 2 }),
        { op: 'setData', path: '/m', data: Buffer.from('1'), version: 0 },
        { op: 'check', path: '/m', version: 1 },
        { op: 'delete', path: '/m/n-0000000000', version: 0 },
        { op: 'delete', path: '/a/b', version: -1 },
        createOf('/a/b', { data: 'again' }),
      ],
    });
    expect(error).toBe(ErrorCode.OK);
    expect(parts?.every(part => part.error === ErrorCode.OK)).toBe(true);
    expect(under.children('/m')).toEqual(['n-0000000001']);
    // One zxid for all of them.
    expect(under.tree.get('/a/b')?.stat()).toMatchObject({ czxid: 4n, dataLength: 5 });
    expect(new Set(under.events.map(event => event.split(' ')[0]))).toEqual(new Set(['4']));
  });

  it.each<[string, SingleWrite[], number[]]>([
    [
      'of a child that the first part makes',
      [createOf('/m'), createOf('/m/x'), { op: 'delete', path: '/m', version: -1 }],
      [0, 0, ErrorCode.NOT_EMPTY],
    ],
    [
      'of a version that the first part ends',
      [
        { op: 'setData', path: '/a', data: Buffer.alloc(0), version: 0 },
        { op: 'check', path: '/a', version: 0 },
        createOf('/z'),
      ],
      [0, ErrorCode.BAD_VERSION, ErrorCode.RUNTIME_INCONSISTENCY],
    ],
    ['of a name that the first part takes', [createOf('/m'), createOf('/m')], [0, ErrorCode.NODE_EXISTS]],
    [
      'of a node that the first part deletes',
      [{ op: 'delete', path: '/a/b', version: -1 }, createOf('/a/b/c')],
      [0, ErrorCode.NO_NODE],
    ],
  ])('fails as a whole because %s', (_, parts, errors) => {
    const under = usual();
    const applied = under.write({ op: 'multi', parts });
    expect(applied.parts?.map(({ error }) => error)).toEqual(errors);
    expect(under.events).toEqual([]);
    expect(under.children('/')).toEqual(['a', 'zookeeper']);
    expect(under.tree.get('/a')?.stat()).toMatchObject({ version: 0, cversion: 2 });
    expect(under.tree.lastZxid).toBe(4n);
  });

  it('may be empty', () => {
    expect(usual().write({ op: 'multi', parts: [] })).toMatchObject({ error: ErrorCode.OK, parts: [] });
  });
});

describe('containers and TTL nodes', () => {
  it('a container goes once it is empty again, not before it had a child', () => {
    const under = new TreeUnderTest();
    expect(under.tree.hasRemovable).toBe(false);
    under.create('/c', { flags: 4, kind: 'container' });
    expect(under.tree.hasRemovable).toBe(true);
    expect(under.tree.removable(1e9)).toEqual([]);
    under.create('/c/x');
    expect(under.tree.removable(1e9)).toEqual([]);
    under.write({ op: 'delete', path: '/c/x', version: -1 });
    expect(under.tree.removable(0)).toEqual(['/c']);
    expect(under.write({ op: 'deleteContainer', path: '/c' }).error).toBe(ErrorCode.OK);
    expect(under.tree.hasRemovable).toBe(false);
  });

  it('a TTL node goes when it was not written for longer, and has no children', () => {
    const under = new TreeUnderTest();
    under.create('/t', { flags: 5, kind: 'ttl', ttl: 100n });
    expect(under.tree.removable(101)).toEqual([]);
    expect(under.tree.removable(102)).toEqual(['/t']);
    under.zxid = 50n;
    under.write({ op: 'setData', path: '/t', data: Buffer.alloc(1), version: -1 });
    expect(under.tree.removable(151)).toEqual([]);
    under.create('/t/x');
    expect(under.tree.removable(1e9)).toEqual([]);
    expect(under.create('/s-', { flags: 6, kind: 'ttl', ttl: 1n }).path).toBe('/s-0000000001');
  });
});

describe('the end of a session', () => {
  it('takes the ephemeral nodes of that session, whether the transaction names them or not', () => {
    for (const paths of [undefined, ['/a/e', '/a/f']]) {
      const under = usual();
      under.create('/a/f', { flags: 1 });
      under.create('/a/other', { flags: 1 }, 2n);
      under.events.length = 0;
      expect(under.apply({ type: 'closeSession', ...(paths === undefined ? {} : { paths }) }, 1n).error).toBe(
        ErrorCode.OK,
      );
      expect(under.children('/a')).toEqual(['b', 'other']);
      expect([...under.tree.ephemerals.keys()]).toEqual([2n]);
      expect(under.events).toEqual([
        '6 deleted /a/e',
        '6 childrenChanged /a',
        '6 deleted /a/f',
        '6 childrenChanged /a',
      ]);
    }
  });

  it('of one without nodes changes nothing but the zxid', () => {
    const under = usual();
    under.apply({ type: 'closeSession', paths: [] }, 77n);
    expect([under.events, under.tree.lastZxid]).toEqual([[], 4n]);
  });
});

describe('a log that is replayed over a newer snapshot', () => {
  const data = Buffer.alloc(0);
  const acl = [{ scheme: 'world', id: 'anyone', permissions: 31 }];

  it('what no longer fits changes nothing', () => {
    const under = usual();
    expect(under.apply({ type: 'create', path: '/gone/x', data, acl, owner: 0n, parentChildrenCreated: 1 }).error).toBe(
      ErrorCode.NO_NODE,
    );
    expect(under.apply({ type: 'delete', path: '/gone' }).error).toBe(ErrorCode.NO_NODE);
    expect(under.apply({ type: 'setData', path: '/gone', data, version: 3 }).error).toBe(ErrorCode.NO_NODE);
    expect(under.apply({ type: 'setAcl', path: '/gone', acl, version: 3 }).error).toBe(ErrorCode.NO_NODE);
    expect(under.apply({ type: 'error', code: ErrorCode.NOT_EMPTY }).error).toBe(ErrorCode.NOT_EMPTY);
    expect(under.events).toEqual([]);
    expect(under.tree.lastZxid).toBe(8n);
  });

  it("a child that is there already only raises its parent's counter, which never goes back", () => {
    const under = usual();
    const again = { type: 'create', path: '/a/b', data, acl, owner: 0n } as const;
    expect(under.apply({ ...again, parentChildrenCreated: 9 }).error).toBe(ErrorCode.NODE_EXISTS);
    expect(under.tree.get('/a')).toMatchObject({ childrenCreated: 9, childCount: 2, pzxid: 4n });
    under.apply({ ...again, parentChildrenCreated: 3 });
    expect(under.tree.get('/a')).toMatchObject({ childrenCreated: 9, pzxid: 4n });
    // Logs of old servers say -1: one more.
    under.apply({ ...again, path: '/a/new', parentChildrenCreated: -1 });
    expect(under.tree.get('/a')).toMatchObject({ childrenCreated: 10, childCount: 3 });
  });

  it('an old zxid does not turn the last one back', () => {
    const under = usual();
    under.tree.apply({ sessionId: 1n, cxid: 0, zxid: 2n, time: 0, change: { type: 'createSession', timeoutMs: 5 } });
    expect(under.tree.lastZxid).toBe(3n);
  });
});
