import { describe, expect, it } from 'vitest';
import {
  checkPath,
  childPath,
  isAtOrBelow,
  parentPath,
  toClientPath,
  toServerPath,
} from '../../../src/zookeeper/paths.ts';

it.each(['/', '/a', '/a/b', '/...', '/a/.b', '/a/..b', '/ ', '/a b', '/__proto__', '/[x](command:y)', '/\u202e'])(
  'accepts %j',
  path => {
    expect(() => checkPath('getData', path)).not.toThrow();
  },
);

it.each(['', 'a', 'a/b', '/a/', '//', '//a', '/a//b', '/.', '/..', '/a/./b', '/a/../b', '/a/..', '/a\0b'])(
  'refuses %j as the server would',
  path => {
    expect(() => checkPath('getData', path)).toThrow(
      expect.objectContaining({ codeName: 'BAD_ARGUMENTS', operation: 'getData', path }),
    );
  },
);

describe('chroot', () => {
  it.each([
    ['', '/', '/'],
    ['', '/a', '/a'],
    ['/root', '/', '/root'],
    ['/root', '/a', '/root/a'],
    ['/root/deep', '/a/b', '/root/deep/a/b'],
  ])('%j maps %j to %j and back', (chroot, client, server) => {
    expect(toServerPath(chroot, client)).toBe(server);
    expect(toClientPath(chroot, server)).toBe(client);
  });

  it.each(['/rootless', '/', '/roo', '/other/root'])('knows that %j lies outside', path => {
    expect(toClientPath('/root', path)).toBeUndefined();
  });
});

it.each([
  ['/', 'x', '/x'],
  ['/a', 'x', '/a/x'],
])('child of %j', (directory, name, path) => {
  expect(childPath(directory, name)).toBe(path);
});

it.each([
  ['/', '/anything', true],
  ['/a', '/a', true],
  ['/a', '/a/b', true],
  ['/a', '/ab', false],
  ['/a', '/', false],
])('%j contains %j: %s', (root, path, expected) => {
  expect(isAtOrBelow(root, path)).toBe(expected);
});

it.each([
  ['/', undefined],
  ['/a', '/'],
  ['/a/b', '/a'],
  ['/a/b c/d', '/a/b c'],
])('above %s is %s', (path, expected) => {
  expect(parentPath(path)).toBe(expected);
});
