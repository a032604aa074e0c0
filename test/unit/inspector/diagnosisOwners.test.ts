import { atOnce } from '../../../src/base/interruptible.ts';
import { isIP } from 'node:net';
import { describe, expect, it } from 'vitest';
import { clusterServers, parseMembers } from '../../../src/inspector/owners/clusterServers.ts';
import { checkReportedHost } from '../../../src/inspector/owners/reportedAddress.ts';
import { ownerStatus, type OwnerFacts } from '../../../src/inspector/owners/ownerFacts.ts';
import { isDumpOfOthers } from '../../../src/inspector/owners/askSessions.ts';
import { watchesBeside, type WatchFacts } from '../../../src/inspector/owners/readWatchers.ts';
import {
  hexSessionId,
  parseAdminDump,
  parseBigJson,
  parseConnections,
  parsingCons,
  parseDump,
  parseWatchesByPath,
  parseWchp,
  toSessionId,
} from '../../../src/inspector/owners/parseAnswers.ts';
import { FakeClient } from '../../support/fakeClient.ts';

describe('64-bit ids in JSON', () => {
  it.each([
    ['72057736222474241', 72057736222474241n],
    ['-9151314442816847871', -9151314442816847871n],
    ['9223372036854775807', 9223372036854775807n],
    ['12', 12n],
  ])('%s keeps every digit', (text, id) => {
    expect(toSessionId((parseBigJson(`{"id":${text}}`) as { id: unknown }).id)).toBe(id);
  });

  it('leaves texts, fractions and exponents alone', () => {
    const text = String.raw`{"a":"x 72057736222474241 \" 72057736222474242","b":1.2345678901234567,"c":1e20,"__proto__":1}`;
    expect(Object.entries(parseBigJson(text) as object)).toEqual([
      ['a', 'x 72057736222474241 " 72057736222474242'],
      ['b', 1.2345678901234567],
      ['c', 1e20],
      ['__proto__', 1],
    ]);
  });

  it.each(['9223372036854775808', '-9223372036854775809', '1.5', '', 'abc', 2 ** 60, null, {}, [1]])(
    'refuses %j as a session id',
    value => {
      expect(toSessionId(value)).toBeUndefined();
    },
  );

  it('reads hexadecimal ids as signed', () => {
    expect(hexSessionId('0x80012d6b12e0001')).toBe(0x80012d6b12e0001n);
    expect(hexSessionId('0xffffffffffffffff')).toBe(-1n);
    expect(hexSessionId('0x1ffffffffffffffff')).toBeUndefined();
    expect(hexSessionId('12')).toBeUndefined();
  });
});

describe('four-letter words', () => {
  it('reads cons', () => {
    const text =
      ' /127.0.0.1:40002[1](queued=0,recved=5,sent=5,sid=0x1000b20eb003c,lop=PING,est=1700000000000,to=30000,lcxid=0x1)\n' +
      ' /0:0:0:0:0:0:0:1:40004[1](queued=0,recved=5,sent=5,sid=0x8000000000000001,lop=NA)\n' +
      ' /127.0.0.1:40006[0](queued=0,recved=1,sent=0)\n\n';
    expect(atOnce(parsingCons(text, 'zk1:2181'))).toEqual(
      new Map([
        [
          0x1000b20eb003cn,
          { address: '127.0.0.1:40002', establishedAt: 1_700_000_000_000, timeoutMs: 30_000, server: 'zk1:2181' },
        ],
        [-0x7fffffffffffffffn, { address: '[0:0:0:0:0:0:0:1]:40004', server: 'zk1:2181' }],
      ]),
    );
    expect(atOnce(parsingCons('HTTP/1.1 400 Bad Request', 'zk1:2181'))).toBeUndefined();
  });

  it('takes the sessions of a dump from the lists of sessions, never from the owners of nodes', () => {
    const leader =
      'SessionTracker dump:\nSession Sets (2)/(1):\n0 expire at Sat:\n1 expire at Sat:\n\t0x1000b20eb003c\n' +
      'ephemeral nodes dump:\nSessions with Ephemerals (1):\n0x99:\n\t/lock/a\nConnections dump:\n';
    expect(parseDump(leader)).toEqual({ ids: new Set([0x1000b20eb003cn]), listedBy: 'leader' });
    const follower = 'Global Sessions(1):\n0x1000b20eb003c\t30000ms\nSessions with Ephemerals (1):\n0x99:\n\t/lock/a\n';
    expect(parseDump(follower)).toEqual({ ids: new Set([0x1000b20eb003cn]), listedBy: 'follower' });
    expect(parseDump('dump is not executed')).toBeUndefined();
  });

  it('reads wchp, an empty one too', () => {
    expect(parseWchp('/a/b\n\t0x11\n\t0x12\n/a/c\n\t0x11\n\n')).toEqual(
      new Map([
        ['/a/b', new Set([0x11n, 0x12n])],
        ['/a/c', new Set([0x11n])],
      ]),
    );
    expect(parseWchp('\n')).toEqual(new Map());
    expect(parseWchp('')).toBeUndefined();
    expect(parseWchp('nonsense')).toBeUndefined();
  });
});

describe('AdminServer', () => {
  it('reads connections of both kinds and passes over what is none', () => {
    const text = `{"connections":[{"remote_socket_address":"127.0.0.1:40002","session_id":72057736222474241,
      "established":1700000000000,"session_timeout":30000},{"remote_socket_address":"127.0.0.1:1","session_id":0}, 7],
      "secure_connections":[{"remote_socket_address":"host/10.0.0.1:5","session_id":-5}],"error":null}`;
    expect(parseConnections(parseBigJson(text), 's')).toEqual(
      new Map([
        [
          72057736222474241n,
          { address: '127.0.0.1:40002', establishedAt: 1_700_000_000_000, timeoutMs: 30_000, server: 's' },
        ],
        [-5n, { address: '10.0.0.1:5', server: 's' }],
      ]),
    );
    expect(parseConnections({ error: 'no' }, 's')).toBeUndefined();
    expect(parseConnections('text', 's')).toBeUndefined();
  });

  it('reads a dump, and tells a follower that lists none', () => {
    const leader = parseBigJson(
      '{"expiry_time_to_session_ids":{"171":[72057736222474241,"x"],"172":[]},"session_id_to_ephemeral_paths":{"9":["/a"]}}',
    );
    expect(parseAdminDump(leader)).toEqual({ ids: new Set([72057736222474241n]), listedBy: 'leader' });
    expect(parseAdminDump({ expiry_time_to_session_ids: {} })).toEqual({ ids: new Set(), listedBy: 'follower' });
    expect(parseAdminDump({ error: 'x' })).toBeUndefined();
  });

  it('reads watches by path', () => {
    const answer = parseBigJson('{"path_to_session_ids":{"/a":[72057736222474241],"__proto__":[2]}}');
    expect(parseWatchesByPath(answer)).toEqual(
      new Map([
        ['/a', new Set([72057736222474241n])],
        ['__proto__', new Set([2n])],
      ]),
    );
  });
});

it('reads the members that the ensemble names', () => {
  const config = [
    'server.1=zk1:2888:3888:participant;0.0.0.0:2181',
    'server.2=zk2:2888:3888:participant;2182',
    'server.3=zk3:2888:3888:observer;10.0.0.3:2183',
    'server.4=zk4:2888:3888:participant',
    'server.5=[fe80::1]:2888:3888;[::]:2185',
    'server.6=a b:1:2;99999',
    'version=0',
  ].join('\n');
  expect(parseMembers(config)).toEqual([
    { host: 'zk1', port: 2181 },
    { host: 'zk2', port: 2182 },
    { host: '10.0.0.3', port: 2183 },
    { host: 'fe80::1', port: 2185 },
  ]);
});

describe('servers to ask', () => {
  /** As a name server knows them; an address is its own. */
  const known: Record<string, string[]> = {
    localhost: ['127.0.0.1'],
    zk1: ['10.0.0.1'],
    zk2: ['10.0.0.2', 'fd00::2'],
    'rebound.example': ['10.0.0.9', '127.0.0.1'],
    'cloud.example': ['169.254.169.254'],
  };
  const resolve = (host: string) => {
    const addresses = known[host.toLowerCase()] ?? (isIP(host) === 0 ? undefined : [host]);
    if (addresses === undefined) return Promise.reject(new Error('ENOTFOUND'));
    return Promise.resolve(addresses.map(address => ({ address, family: isIP(address) })));
  };
  const asked = async (connectString: string, config: string) => {
    const client = new FakeClient();
    client.put('/zookeeper/config', { data: config });
    const servers = await clusterServers(connectString, client, { resolve });
    return servers.map(({ host, port, addresses, refusal }) => {
      const dialled = addresses?.map(({ address }) => address).join();
      return [`${host}:${port}`, dialled ?? refusal?.outcome, refusal?.detail].filter(Boolean).join(' ');
    });
  };
  const member = (quorum: string, client: string) => `server.1=${quorum}:2888:3888:participant;${client}\n`;

  it.each([
    ['0.0.0.0', 'own-machine'],
    ['127.0.0.1', 'own-machine'],
    ['127.1.2.3', 'own-machine'],
    ['localhost', 'own-machine 127.0.0.1'],
    ['LocalHost', 'own-machine 127.0.0.1'],
    ['[::]', 'own-machine'],
    ['[::1]', 'own-machine'],
    ['[::ffff:127.0.0.1]', 'own-machine'],
    ['rebound.example', 'own-machine 127.0.0.1'],
    ['cloud.example', 'local-network 169.254.169.254'],
    ['[fe80::1]', 'local-network'],
    ['no.such.example', 'unreachable ENOTFOUND'],
  ])('does not dial %s, which a member says of itself', async (host, why) => {
    expect(await asked('zk1:2181', member(host, `${host}:2182`))).toEqual([
      'zk1:2181',
      `${host.replace(/[[\]]/g, '')}:2182 ${why}`,
    ]);
  });

  it.each([
    ['127.0.0.1:2182', '127.0.0.1'],
    ['localhost:2182', '127.0.0.1'],
    ['localhost:2182', '0.0.0.0'],
    ['127.0.0.1:2182', 'rebound.example'],
  ])('asks what the person named: %s, called %s by the cluster', async (connectString, host) => {
    expect(await asked(connectString, member(host, `${host}:2182`))).toEqual([connectString]);
  });

  it('asks another port of a host that the person named, except on this machine', async () => {
    expect(await asked('169.254.7.7:2181', member('zk', '169.254.7.7:2182'))).toEqual([
      '169.254.7.7:2181',
      '169.254.7.7:2182',
    ]);
    expect(await asked('localhost:2181', member('zk', 'localhost:2182'))).toEqual([
      'localhost:2181',
      'localhost:2182 own-machine 127.0.0.1',
    ]);
  });

  it('asks the members that have an address of their own, at the addresses that were checked', async () => {
    expect(await asked('zk1:2181', member('zk2', '0.0.0.0:2181') + member('10.0.0.3', '2181'))).toEqual([
      'zk1:2181',
      'zk2:2181 10.0.0.2,fd00::2',
      '10.0.0.3:2181 10.0.0.3',
    ]);
  });

  it('resolves no name that only the person gave', async () => {
    const [server] = await clusterServers('zk1:2181', new FakeClient(), {
      resolve: () => Promise.reject(new Error('was asked')),
    });
    expect(server).toEqual({ host: 'zk1', port: 2181 });
  });
});

describe('an address that a reported name leads to', () => {
  const check = async (address: string) => {
    const family = address.includes(':') ? 6 : 4;
    const checked = await checkReportedHost('zk9', { resolve: () => Promise.resolve([{ address, family }]) });
    return 'refusal' in checked ? checked.refusal.outcome : 'dialled';
  };

  it.each([
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '0.1.2.3',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:0:0',
  ])('%s is this machine', async address => {
    expect(await check(address)).toBe('own-machine');
  });

  it.each([
    ...[
      '169.254.169.254',
      '224.0.0.1',
      '239.255.255.255',
      '255.255.255.255',
      'fe80::1',
      'fe80::1%eth0',
      'febf::1',
      'ff02::1',
    ],
    ...['::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '::ffff:224.0.0.1', '::ffff:255.255.255.255'],
  ])('%s is no machine of its own', async address => {
    expect(await check(address)).toBe('local-network');
  });

  it.each([
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '128.0.0.1',
    '223.255.255.255',
    'fd00::1',
    'fec0::1',
    '2001:db8::1',
    '::ffff:10.0.0.1',
  ])('%s is another machine', async address => {
    expect(await check(address)).toBe('dialled');
  });

  it('is not waited for without end, nor beyond a cancellation', async () => {
    const resolve = () => new Promise<never>(() => undefined);
    expect(await checkReportedHost('zk9', { resolve, timeoutMs: 10 })).toMatchObject({
      refusal: { outcome: 'timeout' },
    });
    const signal = AbortSignal.abort();
    expect(await checkReportedHost('zk9', { resolve, signal })).toMatchObject({
      refusal: { outcome: 'not-attempted' },
    });
  });

  it('must be there', async () => {
    const checked = await checkReportedHost('zk9', { resolve: () => Promise.resolve([]) });
    expect(checked).toMatchObject({ refusal: { outcome: 'unreachable' } });
  });
});

describe('whose sessions a dump lists', () => {
  // As a lone server, an idle one and a follower print them; the question's own connection has no session.
  const connection = 'Connections dump:\nConnections Sets (1)/(1):\n1 expire at Sat Nov 21 16:48:28 UTC 2026:\n';
  const rest = `ephemeral nodes dump:\nSessions with Ephemerals (0):\n${connection}\tip: /127.0.0.1:39774 sessionId: 0x0\n`;
  const expiries = '0 expire at Sat Nov 21 16:48:44 UTC 2026:\n1 expire at Sat Nov 21 16:48:44 UTC 2026:\n';
  const lone = `SessionTracker dump:\nSession Sets (2)/(1):\n${expiries}\t0x1000305fd960000\n${rest}`;
  const idle = `SessionTracker dump:\nSession Sets (0)/(0):\n${rest}`;
  const follower = `SessionTracker dump:\nGlobal Sessions(1):\n0x1000305fd960000\t30000ms\n${rest}`;
  const admin =
    '{\n  "expiry_time_to_session_ids" : {\n    "50755900" : [ ],\n    "50756000" : [ 72060918302113792 ]\n  },\n' +
    '  "session_id_to_ephemeral_paths" : { },\n  "command" : "dump",\n  "error" : null\n}';
  const follows =
    '{\n  "expiry_time_to_session_ids" : { },\n  "session_id_to_ephemeral_paths" : { },\n  "command" : "dump",\n  "error" : null\n}';
  it.each([
    ['a lone server or leader', parseDump(lone), true],
    ['one without any session', parseDump(idle), true],
    ['a follower', parseDump(follower), true],
    ['an AdminServer', parseAdminDump(parseBigJson(admin)), true],
    ['a follower that lists nothing by AdminServer', parseAdminDump(parseBigJson(follows)), false],
  ] as const)('%s that lacks the asking session is of another cluster', (_, dump, isOther) => {
    expect(isDumpOfOthers(dump!, 0x99n)).toBe(isOther);
  });
  it.each([parseDump(lone), parseDump(follower), parseAdminDump(parseBigJson(admin))])(
    'one that lists it is of the same',
    dump => {
      expect(isDumpOfOthers(dump!, 0x1000305fd960000n)).toBe(false);
    },
  );
});

it('watches are not all known when a server of another cluster was among those that told', () => {
  const watches: WatchFacts = { watchers: new Map(), isComplete: true, sources: [], askedAt: 0 };
  const owners = (outcome: 'ok' | 'foreign'): OwnerFacts => ({
    connections: new Map(),
    live: undefined,
    sources: [{ server: 'zk1:2181', by: 'four-letter-word', question: 'dump', outcome, detail: '' }],
    askedAt: 0,
  });
  expect(watchesBeside(owners('ok'), watches).isComplete).toBe(true);
  expect(watchesBeside(owners('foreign'), watches).isComplete).toBe(false);
});

describe('whether an owner lives', () => {
  const facts = (listedBy: 'leader' | 'follower'): OwnerFacts => ({
    connections: new Map([[1n, { address: 'a:1', server: 's' }]]),
    live: { ids: new Set([2n]), listedBy, server: 's' },
    sources: [],
    askedAt: 0,
  });
  it.each([
    [0n, 'leader', 'no-owner'],
    [1n, 'leader', 'yes'],
    [2n, 'follower', 'yes'],
    [3n, 'leader', 'no'],
    [3n, 'follower', 'unknown'],
  ] as const)('session %s by a %s: %s', (session, listedBy, alive) => {
    expect(ownerStatus(session, facts(listedBy)).alive).toBe(alive);
  });
  it('is unknown when nobody was asked', () => {
    expect(ownerStatus(3n, undefined)).toEqual({ session: 3n, alive: 'unknown' });
  });
});
