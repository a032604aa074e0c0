import { describe, expect, it } from 'vitest';
import { checkPath, toClientPath, toServerPath } from '../../../src/zookeeper/paths.ts';

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
