import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clusterServers } from '../../../src/inspector/owners/clusterServers.ts';
import { readOwners } from '../../../src/inspector/owners/readOwners.ts';
import { readWatchers } from '../../../src/inspector/owners/readWatchers.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import type { ResolvedAddress } from '../../../src/zookeeper/openSocket.ts';
import { startTestServer, type TestServer } from '../../support/testServer.ts';
import { createAuthority } from '../../support/tlsMaterial.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../../support/zookeeperServer.ts';
import { fakeAdmin, fakeWords, type FakeServer } from './support/fakeAdmin.ts';

describe('a cluster whose configuration says what a test writes there', () => {
  let cluster: ZooKeeperEnsemble;
  let client: ZooKeeperClient;
  /** Services of this machine that no cluster may make the tool talk to. */
  let words: FakeServer;
  let web: FakeServer;

  beforeAll(async () => {
    // Only so can a test write the configuration that the server reports.
    cluster = await startZooKeeper({ systemProperties: { 'zookeeper.skipACL': 'yes' } });
    client = await connect(cluster.connectString);
    words = await fakeWords((_, socket) => socket.end());
    web = await fakeAdmin((_, reply) => reply.end('{"connections":[]}'));
  });
  afterAll(async () => {
    await client.close();
    await Promise.all([words.close(), web.close(), cluster.stop()]);
  });

  /** Makes the server report a member that serves clients where `words` listens. */
  async function report(host: string): Promise<void> {
    const member = `server.1=${host}:2888:3888:participant;${host}:${words.port}\n`;
    const { stat } = await client.getData('/zookeeper/config');
    await client.setData('/zookeeper/config', new TextEncoder().encode(member), stat.version);
  }

  const resolvingTo =
    (...addresses: string[]) =>
    (): Promise<ResolvedAddress[]> =>
      Promise.resolve(addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 })));

  /** Asks everything of every server, in each way. @returns how each question to the member of `host` ended */
  async function askAll(resolve: (() => Promise<ResolvedAddress[]>) | undefined, host: string): Promise<string[]> {
    const servers = await clusterServers(cluster.connectString, client, resolve === undefined ? {} : { resolve });
    const adminServer = { port: new Map([[`${host}:${words.port}`, web.port]]) };
    const [owners, watches] = await Promise.all([
      readOwners(servers, client.sessionId, { adminServer }),
      readWatchers(servers, { adminServer }),
    ]);
    return [...owners.sources, ...watches.sources]
      .filter(({ server }) => server === `${host}:${words.port}`)
      .map(({ outcome, detail }) => `${outcome} ${detail}`);
  }

  it.each([
    ['127.0.0.1', 'own-machine'],
    ['::1', 'own-machine'],
    ['::ffff:127.0.0.1', 'own-machine'],
    ['0.0.0.0', 'own-machine'],
  ])(
    'a name that resolves to %s leads nowhere: nothing reaches what listens on this machine',
    async (address, outcome) => {
      await report('zk1.example');
      expect(await askAll(resolvingTo('10.255.255.1', address), 'zk1.example')).toEqual(
        Array<string>(3).fill(`${outcome} ${address}`),
      );
      expect([words.connections(), web.connections()]).toEqual([0, 0]);
    },
  );

  it('nor does a name of the hosts file, by the resolver of the system', async () => {
    // Of this machine, on most; `localhost` is on all.
    for (const host of ['localhost', hostname()]) {
      await report(host);
      const outcomes = await askAll(undefined, host);
      if (host === 'localhost') expect(outcomes.map(text => text.split(' ')[0])).toEqual(Array(3).fill('own-machine'));
    }
    expect([words.connections(), web.connections()]).toEqual([0, 0]);
  });
});

describe('a member whose name was checked', () => {
  let server: TestServer;
  let client: ZooKeeperClient;
  beforeAll(async () => {
    server = await startTestServer();
    client = await connect(server.connectString);
  });
  afterAll(async () => {
    await client.close();
    await server.stop();
  });

  // No name server knows such a name: only the addresses that were checked can lead anywhere.
  const checked = (port: number) => ({ host: 'zk1.example', port, addresses: [{ address: '127.0.0.1', family: 4 }] });

  it('is dialled at its checked addresses, and its AdminServer is asked by its name', async () => {
    const hosts: (string | undefined)[] = [];
    const admin = await fakeAdmin(({ headers }, reply) => {
      hosts.push(headers.host);
      reply.end('{"connections":[]}');
    });
    try {
      const adminServer = { port: admin.port };
      const { sources } = await readOwners([checked(server.port)], client.sessionId, { adminServer });
      expect(sources.filter(({ by }) => by === 'four-letter-word')).toMatchObject([
        { question: 'dump', outcome: 'ok' },
      ]);
      // Once for the connections, twice for the sessions.
      expect(hosts).toEqual(Array(3).fill(`zk1.example:${admin.port}`));
    } finally {
      await admin.close();
    }
  });

  it('proves by its certificate that it is the one of that name', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'reported-hosts-'));
    const authority = await createAuthority(folder);
    const names: unknown[] = [];
    const tlsServer = createServer(await authority.issue({ name: 'zk1.example' }), socket => {
      names.push(socket.servername);
      socket.end();
    });
    tlsServer.listen(0, '127.0.0.1');
    await once(tlsServer, 'listening');
    try {
      const { port } = tlsServer.address() as AddressInfo;
      const tls = { ca: authority.cert };
      const { sources } = await readOwners([checked(port), { ...checked(port), host: 'zk2.example' }], 1n, { tls });
      // An empty answer was read, after the handshake; the second name is not the one of the certificate.
      expect(sources.map(({ outcome }) => outcome)).toEqual(['malformed', 'malformed', 'unreachable', 'unreachable']);
      expect(names).toContain('zk1.example');
    } finally {
      tlsServer.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
