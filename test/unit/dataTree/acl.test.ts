import { describe, expect, it } from 'vitest';
import {
  type AclEntry,
  digestIdentity,
  type Id,
  isAllowed,
  resolveAcl,
  Right,
  userName,
} from '../../../src/dataTree/acl.ts';
import { ErrorCode } from '../../../src/zookeeper/wire/errorCodes.ts';
import { createOf, TreeUnderTest } from './treeUnderTest.ts';

const home: Id = { scheme: 'ip', id: '10.1.2.3' };
const ann = digestIdentity('ann:secret');
const entry = (scheme: string, id: string, permissions = 31): AclEntry => ({ scheme, id, permissions });

it('the identity of a credential is the hash of all of it', () => {
  // As DigestAuthenticationProvider.generateDigest says of super:test.
  expect(digestIdentity('super:test')).toEqual({ scheme: 'digest', id: 'super:D/InIHSb7yEEbrWz8b9l71RjZJU=' });
  expect(userName(ann)).toBe('ann');
});

it.each<[AclEntry, Id[], boolean]>([
  [entry('world', 'anyone'), [], true],
  [entry('world', 'no one'), [home], false],
  [entry('world', 'anyone', Right.write), [home], false],
  [entry('digest', ann.id), [home, ann], true],
  [entry('digest', ann.id), [home, digestIdentity('ann:other')], false],
  [entry('digest', ann.id, Right.create | Right.delete), [ann], false],
  [entry('ip', '10.1.2.3'), [home], true],
  [entry('ip', '10.1.2.4'), [home], false],
  [entry('ip', '10.0.0.0/8'), [home], true],
  [entry('ip', '10.1.2.0/31'), [home], false],
  [entry('ip', '10.1.2.2/31'), [home], true],
  [entry('ip', '0.0.0.0/0'), [home], true],
  [entry('ip', '::ffff:0:0/96'), [home], false],
  [entry('ip', 'fe80::/10'), [{ scheme: 'ip', id: 'fe80::1' }], true],
  [entry('ip', '2001:db8::/33'), [{ scheme: 'ip', id: '2001:db8:8000::1' }], false],
])('READ by %j of %j: %s', (acl, client, allowed) => {
  expect(isAllowed([acl], client, Right.read)).toBe(allowed);
});

it('an ACL without entries allows everything', () => {
  expect(isAllowed([], [], Right.admin)).toBe(true);
});

describe('the ACL that a node gets', () => {
  it.each<[string, AclEntry[]]>([
    ['nothing', []],
    ['world with another id', [entry('world', 'x')]],
    ['auth without a proof', [entry('auth', '')]],
    ['no range', [entry('ip', '10.0.0.0/33')]],
    ['no address', [entry('ip', 'localhost')]],
    ['a range of negative length', [entry('ip', '::/-1')]],
    ['a digest without a hash', [entry('digest', 'ann')]],
    ['a digest with three parts', [entry('digest', 'a:b:c')]],
    ['an unknown scheme', [entry('sasl', 'ann')]],
    ['one good and one bad entry', [entry('world', 'anyone'), entry('x', 'y')]],
  ])('%s is refused', (_, asked) => {
    expect(resolveAcl(asked, [home])).toBeUndefined();
  });

  it('auth becomes what the client has proved, in its place', () => {
    const bob = digestIdentity('bob:b');
    expect(resolveAcl([entry('world', 'anyone', 1), entry('auth', 'ignored', 6)], [home, ann, bob])).toEqual([
      entry('world', 'anyone', 1),
      entry('digest', ann.id, 6),
      entry('digest', bob.id, 6),
    ]);
  });

  it('the same entry counts once, whatever its parts look like together', () => {
    const twice = [
      entry('world', 'anyone', 1),
      entry('ip', '::1', 1),
      entry('world', 'anyone', 1),
      entry('world', 'anyone', 2),
    ];
    expect(resolveAcl(twice, [])).toEqual([twice[0], twice[1], twice[3]]);
    expect(resolveAcl([entry('auth', 'a b'), entry('auth a', 'b')], [ann])).toBeUndefined();
  });

  it('has 256 entries at most, those that stand for identities counted', () => {
    const users = (count: number): AclEntry[] =>
      Array.from({ length: count }, (_, at) => entry('digest', `user-${at}:hash`));
    expect(resolveAcl(users(256), [home])).toHaveLength(256);
    expect(resolveAcl(users(257), [home])).toBeUndefined();
    expect(resolveAcl([entry('auth', '')], users(257))).toBeUndefined();
  });
});

it.each<[string, number, (under: TreeUnderTest) => number]>([
  ['create of a child', Right.create, under => under.create('/n/x').error],
  ['delete of a child', Right.delete, under => under.write({ op: 'delete', path: '/n/c', version: -1 }).error],
  [
    'setData',
    Right.write,
    under => under.write({ op: 'setData', path: '/n', data: Buffer.alloc(0), version: -1 }).error,
  ],
  ['check', Right.read, under => under.write({ op: 'check', path: '/n', version: -1 }).error],
  [
    'setAcl',
    Right.admin,
    under => under.write({ op: 'setAcl', path: '/n', acl: [entry('world', 'anyone')], version: -1 }).error,
  ],
])('%s needs its right, and only that', (_, right, ask) => {
  for (const [permissions, error] of [
    [right, ErrorCode.OK],
    [31 & ~right, ErrorCode.NO_AUTH],
  ] as const) {
    const under = new TreeUnderTest();
    under.create('/n');
    under.create('/n/c');
    under.tree.get('/n')!.acl = [entry('world', 'anyone', permissions)];
    expect(ask(under)).toBe(error);
  }
});

it('rights of a node that a multi makes count for its later parts', () => {
  const under = new TreeUnderTest();
  const parts = [createOf('/n', { acl: [entry('world', 'anyone', Right.read)] }), createOf('/n/x')];
  expect(under.write({ op: 'multi', parts }).parts?.map(({ error }) => error)).toEqual([0, ErrorCode.NO_AUTH]);
});
