import { describe, expect, it } from 'vitest';
import { checkPath, parseConnectString, toClientPath, toServerPath } from '../../../src/zookeeper/connectString.ts';
import { ConnectStringError } from '../../../src/zookeeper/errors.ts';

describe('accepted connect strings', () => {
  it.each([
    ['localhost', [['localhost', 2181]], ''],
    ['zk1:2182', [['zk1', 2182]], ''],
    ['  zk1:2182  ', [['zk1', 2182]], ''],
    [
      'zk1:1,zk2:65535',
      [
        ['zk1', 1],
        ['zk2', 65535],
      ],
      '',
    ],
    [
      'zk1:1, zk2:2 ,zk3',
      [
        ['zk1', 1],
        ['zk2', 2],
        ['zk3', 2181],
      ],
      '',
    ],
    ['zk1:2181/', [['zk1', 2181]], ''],
    ['zk1:2181/team', [['zk1', 2181]], '/team'],
    ['zk1:2181/team/locks/', [['zk1', 2181]], '/team/locks'],
    [
      'zk1,zk2/über/a b',
      [
        ['zk1', 2181],
        ['zk2', 2181],
      ],
      '/über/a b',
    ],
    ['[::1]', [['::1', 2181]], ''],
    [
      '[::1]:2182,[fe80::1]:3/x',
      [
        ['::1', 2182],
        ['fe80::1', 3],
      ],
      '/x',
    ],
    ['10.0.0.1:2181', [['10.0.0.1', 2181]], ''],
    ['zk_1.example.com.:2181', [['zk_1.example.com.', 2181]], ''],
  ])('%s', (text, servers, chroot) => {
    expect(parseConnectString(text)).toEqual({
      servers: servers.map(([host, port]) => ({ host, port })),
      chroot,
    });
  });
});

describe('refused connect strings name the fault and the part', () => {
  it.each([
    ['', 'empty', ''],
    [' \t\n', 'empty', ''],
    ['/team', 'host', ''],
    [',', 'host', ''],
    ['zk1:2181,', 'host', ''],
    ['zk1,,zk2', 'host', ''],
    [':2181', 'host', ':2181'],
    ['zk1 zk2', 'blank', 'zk1 zk2'],
    ['zk1: 2181', 'blank', 'zk1: 2181'],
    ['zk1;zk2', 'separator', 'zk1;zk2'],
    ['zk1:2181|zk2:2181', 'separator', 'zk1:2181|zk2:2181'],
    ['zk1:', 'port', 'zk1:'],
    ['zk1:0', 'port', 'zk1:0'],
    ['zk1:65536', 'port', 'zk1:65536'],
    ['zk1:99999', 'port', 'zk1:99999'],
    ['zk1:-1', 'port', 'zk1:-1'],
    ['zk1:abc', 'port', 'zk1:abc'],
    ['zk1:2181x', 'port', 'zk1:2181x'],
    ['zk1:0x10', 'port', 'zk1:0x10'],
    ['zk1:1e3', 'port', 'zk1:1e3'],
    ['zk1:2181:2182', 'port', 'zk1:2181:2182'],
    ['::1', 'host', '::1'],
    ['fe80::1', 'host', 'fe80::1'],
    ['[::1', 'host', '[::1'],
    ['[::1]2181', 'host', '[::1]2181'],
    ['[zk1]:2181', 'host', '[zk1]:2181'],
    ['[]:2181', 'host', '[]:2181'],
    ['[::1]:x', 'port', '[::1]:x'],
    ['-zk:2181', 'host', '-zk:2181'],
    ['zk\u202e1:2181', 'host', 'zk\u202e1:2181'],
    ['zk1:2181//team', 'chroot', '//team'],
    ['zk1:2181/a//b', 'chroot', '/a//b'],
    ['zk1:2181/a/../b', 'chroot', '/a/../b'],
    ['zk1:2181/.', 'chroot', '/.'],
    ['zk1:2181/a\u0000b', 'chroot', '/a\u0000b'],
    ['zk1:2181/a\u007fb', 'chroot', '/a\u007fb'],
    ['zookeeper://zk1:2181', 'port', 'zookeeper:'],
  ])('%j', (text, fault, part) => {
    const error = caught(() => parseConnectString(text));
    expect(error).toBeInstanceOf(ConnectStringError);
    expect(error).toMatchObject({ fault, part });
  });

  it('never repeats credentials that stand before a host', () => {
    const error = caught(() => parseConnectString('admin:s3cret@zk1:2181'));
    expect(error).toBeInstanceOf(ConnectStringError);
    expect(JSON.stringify(error) + String(error)).not.toContain('s3cret');
  });
});

function caught(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

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
