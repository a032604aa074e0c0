import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { profileNamed } from '../../unit/extension/fixtures.ts';
import { staleChoices } from '../../../src/app/deletes/lookForStale.ts';
import { findStale } from '../../../src/inspector/findStale.ts';
import { clusterServers } from '../../../src/inspector/owners/clusterServers.ts';
import { ownerStatus, type OwnerFacts } from '../../../src/inspector/owners/ownerFacts.ts';
import { readOwners } from '../../../src/inspector/owners/readOwners.ts';
import { readWatchers } from '../../../src/inspector/owners/readWatchers.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import type { ServerAddress } from '../../../src/zookeeper/connectString.ts';
import { eventually } from '../../support/eventually.ts';
import { connectInformed } from '../../support/informedSession.ts';
import { lateness } from '../../support/lateness.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../../support/zookeeperServer.ts';
import { fakeAdmin, fakeWords, streamForEver, type FakeServer } from './support/fakeAdmin.ts';

interface Spread {
  client: ZooKeeperClient;
  /** As the kernel of this machine knows it. */
  address: string;
  server: string;
}

/** Connects one client after the other and takes its address from the socket itself. */
async function connectEach(ports: readonly number[]): Promise<Spread[]> {
  const sockets: Socket[] = [];
  const collect = (message: unknown): void => void sockets.push((message as { socket: Socket }).socket);
  subscribe('net.client.socket', collect);
  const clients: Spread[] = [];
  try {
    for (const port of ports) {
      const client = await connectInformed(`127.0.0.1:${port}`);
      const address = `127.0.0.1:${sockets.at(-1)!.localPort}`;
      clients.push({ client, address, server: `127.0.0.1:${port}` });
    }
    return clients;
  } finally {
    unsubscribe('net.client.socket', collect);
  }
}

const known = (facts: OwnerFacts, clients: readonly Spread[]) =>
  clients.map(({ client }) => facts.connections.get(client.sessionId)?.address);
const outcomes = (facts: { sources: OwnerFacts['sources'] }) => facts.sources.map(({ outcome }) => outcome);

describe('an ensemble of three whose session ids are positive and negative', () => {
  let ensemble: ZooKeeperEnsemble;
  let clients: Spread[];
  let servers: ServerAddress[];
  let adminPorts: Map<string, number>;

  beforeAll(async () => {
    ensemble = await startZooKeeper({ nodes: 3, firstId: 126, adminServer: true });
    servers = await clusterServers(ensemble.connectString);
    adminPorts = new Map(ensemble.servers.map(({ port, adminPort }) => [`127.0.0.1:${port}`, adminPort!]));
    clients = await connectEach([...ensemble.ports, ...ensemble.ports]);
    await clients[0]!.client.create('/lock');
  });
  afterAll(async () => {
    await Promise.all(clients.map(({ client }) => client.close()));
    await ensemble.stop();
  });

  const addresses = () => clients.map(({ address }) => address);
  const own = () => clients[0]!.client.sessionId;

  it('by AdminServer alone: every owner, from the server that it is attached to', async () => {
    const facts = await readOwners(servers, own(), { adminServer: { port: adminPorts }, fourLetterWords: false });
    expect(known(facts, clients)).toEqual(addresses());
    for (const { client, server } of clients) {
      const connection = facts.connections.get(client.sessionId);
      expect(connection).toMatchObject({ server, timeoutMs: client.sessionTimeoutMs });
      expect(Math.abs(Date.now() - connection!.establishedAt!)).toBeLessThan(60_000);
    }
    expect(facts.live?.listedBy).toBe('leader');
    expect([...facts.live!.ids]).toEqual(expect.arrayContaining(clients.map(({ client }) => client.sessionId)));
    expect(new Set(outcomes(facts))).toEqual(new Set(['ok']));
    expect(clients.some(({ client }) => client.sessionId < 0n)).toBe(true);
    expect(clients.some(({ client }) => client.sessionId > 0n)).toBe(true);
  });

  it('by four-letter words alone', async () => {
    const facts = await readOwners(servers, own());
    expect(known(facts, clients)).toEqual(addresses());
    expect(facts.live?.listedBy).toBe('leader');
    expect([...facts.live!.ids]).toEqual(expect.arrayContaining(clients.map(({ client }) => client.sessionId)));
    expect(facts.sources.every(({ by, outcome }) => by === 'four-letter-word' && outcome === 'ok')).toBe(true);
  });

  it('with the AdminServer off on one node: four-letter words stand in, or its clients stay unknown and it is named', async () => {
    const closed = await fakeAdmin(() => undefined);
    await closed.close();
    const port = new Map(adminPorts).set(clients[1]!.server, closed.port);
    const both = await readOwners(servers, own(), { adminServer: { port } });
    expect(known(both, clients)).toEqual(addresses());
    const alone = await readOwners(servers, own(), { adminServer: { port }, fourLetterWords: false });
    expect(known(alone, clients)).toEqual(
      clients.map(({ address, server }) => (server === clients[1]!.server ? undefined : address)),
    );
    const silent = alone.sources.filter(({ outcome }) => outcome !== 'ok');
    expect(silent.map(({ server, outcome }) => `${server} ${outcome}`)).toEqual(
      Array<string>(2).fill(`${clients[1]!.server} unreachable`),
    );
  });

  it('distinguishes a node whose session is over from one whose session lives', async () => {
    const guest = await connect(ensemble.connectString, { sessionTimeoutMs: 30_000 });
    const path = '/lock/_c_01234567-89ab-cdef-0123-456789abcdef-lock-';
    await guest.create(path, { mode: 'ephemeral_sequential' });
    const { client } = clients[0]!;
    await client.sync('/lock');
    const queues = await readQueues(client, '/lock');
    const queuesReadAt = Date.now();
    const stale = async () => {
      const owners = await readOwners(servers, own(), { adminServer: { port: adminPorts } });
      return findStale(queues, { queuesReadAt, owners, now: Date.now() }).map(({ reasons, owner }) => ({
        reasons,
        owner,
      }));
    };
    expect(await stale()).toEqual([]);
    const session = guest.sessionId;
    await guest.close();
    await eventually(async () =>
      expect(await stale()).toEqual([
        { reasons: [{ reason: 'owner-unknown', confidence: 'certain' }], owner: { session, alive: 'no' } },
      ]),
    );
  });

  it('takes the word of the leader whichever member the asking session is attached to, and of a follower alone for what it is', async () => {
    for (const { client } of clients) {
      expect((await readOwners(servers, client.sessionId)).live?.listedBy).toBe('leader');
    }
    // A follower hears of a session a moment after the leader.
    await eventually(async () => {
      const each = await Promise.all(servers.map(server => readOwners([server], own())));
      expect(each.map(({ live }) => live?.listedBy).sort()).toEqual(['follower', 'follower', 'leader']);
      expect(new Set(each.flatMap(outcomes))).toEqual(new Set(['ok']));
    });
  });

  it('lists who watches a node, by AdminServer and by words', async () => {
    await clients[1]!.client.getData('/lock', { watch: () => undefined });
    await clients[2]!.client.getData('/lock', { watch: () => undefined });
    const expected = new Set([clients[1]!.client.sessionId, clients[2]!.client.sessionId]);
    for (const options of [{}, { adminServer: { port: adminPorts }, fourLetterWords: false }]) {
      const facts = await readWatchers(servers, options);
      expect(facts.isComplete).toBe(true);
      expect(facts.watchers.get('/lock')).toEqual(expected);
    }
  });
});

describe('servers that refuse or misbehave', () => {
  const server = { host: '127.0.0.1', port: 1 };
  const maxBytes = 1024 * 1024;
  let fakes: FakeServer[] = [];
  const keep = (fake: FakeServer): FakeServer => {
    fakes.push(fake);
    return fake;
  };
  afterAll(async () => {
    await Promise.all(fakes.map(fake => fake.close()));
    fakes = [];
  });
  const ask = (fake: FakeServer, timeoutMs = 10_000) =>
    readOwners([server], 1n, { adminServer: { port: fake.port }, fourLetterWords: false, maxBytes, timeoutMs });

  it('leaves a stream that never ends at the limit', async () => {
    const fake = keep(await fakeAdmin((_, reply) => streamForEver(reply)));
    const facts = await ask(fake);
    expect(outcomes(facts)).toEqual(['too-large', 'too-large']);
    expect(facts.connections.size).toBe(0);
    await eventually(() => expect(fake.openConnections()).toBe(0));
    expect(fake.sentBytes()).toBeLessThan(64 * 1024 * 1024);
  });

  it('does not wait for ever, neither for the first byte nor between two', async () => {
    const silent = keep(await fakeAdmin(() => undefined));
    const slow = keep(await fakeAdmin((_, reply) => void reply.write('{"connections":[')));
    const late = lateness();
    const before = performance.now();
    expect(await Promise.all([ask(silent, 400), ask(slow, 400)].map(async facts => outcomes(await facts)))).toEqual([
      ['timeout', 'timeout'],
      ['timeout', 'timeout'],
    ]);
    expect(performance.now() - before).toBeLessThan(2_000 + late());
    await eventually(() => expect(silent.openConnections() + slow.openConnections()).toBe(0));
  });

  it('follows no redirect and asks by GET for nothing but its commands', async () => {
    const elsewhere = keep(await fakeAdmin((_, reply) => reply.end('{"connections":[]}')));
    const fake = keep(
      await fakeAdmin((_, reply) => reply.writeHead(302, { location: `http://127.0.0.1:${elsewhere.port}/x` }).end()),
    );
    const facts = await ask(fake);
    expect(outcomes(facts)).toEqual(['redirected', 'redirected']);
    expect(elsewhere.requests).toEqual([]);
    expect([...fake.requests].sort()).toEqual(['GET /commands/connections', 'GET /commands/dump']);
  });

  it('keeps all digits of a 64-bit id, and names what is no answer', async () => {
    const connections = '{"connections":[{"session_id":72057736222474241,"remote_socket_address":"10.0.0.1:5"}]}';
    const fake = keep(
      await fakeAdmin(({ url }, reply) => reply.end(url === '/commands/connections' ? connections : '<html>')),
    );
    const facts = await ask(fake);
    expect([...facts.connections.keys()]).toEqual([72057736222474241n]);
    expect([...outcomes(facts)].sort()).toEqual(['malformed', 'ok']);
    expect(ownerStatus(72057736222474240n, facts).alive).toBe('unknown');
  });

  it('sends four-letter words with the same limits, and says when they are not allowed', async () => {
    const endless = keep(await fakeWords((_, socket) => streamForEver(socket)));
    const silent = keep(await fakeWords(() => undefined));
    const strict = await startZooKeeper({ fourLetterWords: 'srvr' });
    try {
      const addresses = [endless.port, silent.port, strict.ports[0]!].map(port => ({ host: '127.0.0.1', port }));
      const facts = await readOwners(addresses, 1n, { maxBytes, timeoutMs: 3_000 });
      expect(outcomes(facts)).toEqual([
        ...['too-large', 'too-large'],
        ...['timeout', 'timeout'],
        ...['not-allowed', 'not-allowed'],
      ]);
      expect([...endless.requests].sort()).toEqual(['cons', 'dump']);
      await eventually(() => expect(endless.openConnections() + silent.openConnections()).toBe(0));
    } finally {
      await strict.stop();
    }
  });

  it('takes no living session for one that is over because a list lacks it', async () => {
    const lists = ['0x2', '0x1\n\t0x2', '0x1'];
    const fake = keep(
      await fakeWords((word, socket) =>
        socket.end(word === 'dump' ? `Session Sets (1)/(1):\n1 expire at Sat:\n\t${lists.shift() ?? ''}\n` : ''),
      ),
    );
    const facts = await readOwners([{ host: '127.0.0.1', port: fake.port }], 1n, { maxBytes });
    expect([1n, 2n, 3n].map(id => ownerStatus(id, facts).alive)).toEqual(['yes', 'yes', 'no']);
    expect(lists).toEqual([]);
  });

  it('sends nothing once it is cancelled, and nothing to an AdminServer without consent', async () => {
    const fake = keep(await fakeAdmin((_, reply) => reply.end('{}')));
    const facts = await readOwners([server], 1n, { adminServer: { port: fake.port }, signal: AbortSignal.abort() });
    expect(new Set(outcomes(facts))).toEqual(new Set(['not-attempted']));
    await readOwners(await clusterServers(inject('zooKeeper')), 1n);
    expect(fake.requests).toEqual([]);
  });
});

describe('a lone server of another cluster where a member should be', () => {
  const lockPath = '/app/locks';
  let cluster: ZooKeeperEnsemble;
  let other: ZooKeeperEnsemble;
  let service: ZooKeeperClient;
  let tool: ZooKeeperClient;

  beforeAll(async () => {
    // As reached by a port-forward: no one but the server itself answers there, and the words of this machine's own do.
    cluster = await startZooKeeper({ fourLetterWords: 'srvr' });
    other = await startZooKeeper({ adminServer: true });
    [service, tool] = await Promise.all([connect(cluster.connectString), connect(cluster.connectString)]);
    await service.create('/app');
    await service.create(lockPath);
    await service.create(`${lockPath}/_c_01234567-89ab-cdef-0123-456789abcdef-lock-`, { mode: 'ephemeral_sequential' });
  });
  afterAll(async () => {
    await Promise.all([service.close(), tool.close()]);
    await Promise.all([cluster.stop(), other.stop()]);
  });

  /** The tool's session, on a cluster whose configuration says this of its members. */
  function naming(address: string): ZooKeeperClient {
    const data = new TextEncoder().encode(`server.1=${address}:2888:3888:participant;${address}:${other.ports[0]!}`);
    return new Proxy(tool, {
      get(target, key) {
        if (key === 'getData') return () => Promise.resolve({ data });
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  }

  async function preselected(owners: OwnerFacts, queuesReadAt: number): Promise<boolean[]> {
    const queues = await readQueues(tool, lockPath);
    expect(queues.flatMap(({ contenders }) => contenders)).toHaveLength(1);
    const findings = findStale(queues, { queuesReadAt, owners, now: Date.now() });
    return staleChoices(profileNamed('orders'), findings, []).choices.map(({ isPicked }) => isPicked);
  }

  it.each(['0.0.0.0', '127.0.0.1', 'localhost', '[::1]'])(
    'is not dialled by the name %s that only means this machine, and the gap is named',
    async address => {
      const queuesReadAt = Date.now();
      const servers = await clusterServers(cluster.connectString, naming(address));
      const owners = await readOwners(servers, tool.sessionId);
      expect(outcomes(owners)).toEqual([...['not-allowed', 'not-allowed'], ...['own-machine', 'own-machine']]);
      expect(owners.live).toBeUndefined();
      expect(await preselected(owners, queuesReadAt)).toEqual([]);
      expect((await readWatchers(servers)).isComplete).toBe(false);
    },
  );

  it.each([
    ['four-letter word', () => ({})],
    ['AdminServer', () => ({ adminServer: { port: other.servers[0]!.adminPort! }, fourLetterWords: false })],
  ])('is no witness by %s: owners whom it does not know are not called dead', async (_, options) => {
    const queuesReadAt = Date.now();
    const stranger = await connect(other.connectString);
    const servers = [...cluster.ports, ...other.ports].map(port => ({ host: '127.0.0.1', port }));
    const owners = await readOwners(servers, tool.sessionId, options());
    await stranger.close();
    expect(owners.live).toBeUndefined();
    expect(ownerStatus(service.sessionId, owners).alive).toBe('unknown');
    const foreign = owners.sources.filter(({ outcome }) => outcome === 'foreign');
    expect(new Set(foreign.map(({ question }) => question))).toEqual(new Set(['dump']));
    expect(foreign.length).toBeGreaterThan(0);
    expect(await preselected(owners, queuesReadAt)).toEqual([]);
  });

  it('and by an AdminServer of another cluster the four-letter word of the server itself is asked', async () => {
    const { port } = other.servers[0]!;
    const own = await connect(other.connectString);
    const wrong = await startZooKeeper({ adminServer: true });
    const guest = await connect(wrong.connectString);
    try {
      const adminServer = { port: wrong.servers[0]!.adminPort! };
      const facts = await readOwners([{ host: '127.0.0.1', port }], own.sessionId, { adminServer });
      const dumps = facts.sources.filter(({ question }) => question === 'dump');
      expect(dumps.map(({ by, outcome }) => `${by} ${outcome}`)).toEqual([
        'admin-server foreign',
        'four-letter-word ok',
      ]);
      expect(facts.live?.ids.has(own.sessionId)).toBe(true);
    } finally {
      await Promise.all([own.close(), guest.close()]);
      await wrong.stop();
    }
  });
});

it('a list of sessions without the asking one proves nothing: not even that the asking one is over', async () => {
  const connectString = inject('zooKeeper');
  const asking = await connect(connectString);
  const gone = asking.sessionId;
  await asking.close();
  const servers = await clusterServers(connectString);
  // The server lists the connection for a moment longer.
  await eventually(async () => {
    const facts = await readOwners(servers, gone);
    expect(facts.live).toBeUndefined();
    expect(ownerStatus(gone, facts).alive).toBe('unknown');
  });
});
