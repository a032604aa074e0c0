import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClusterProfile } from '../../../src/app/clusters/clusterProfile.ts';
import { gatherOwners, gatherOwnersAndWatches, type OwnerQueryOptions } from '../../../src/app/owners/gatherFacts.ts';
import { explainLock, type LockExplanation } from '../../../src/inspector/explainLock.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { startSecuredZooKeeper } from '../../support/securedZooKeeper.ts';
import { startTestServer, type TestServer } from '../../support/testServer.ts';
import { createAuthority, encryptKey } from '../../support/tlsMaterial.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../../support/zookeeperServer.ts';

const query = (passphrase?: string): OwnerQueryOptions => ({
  adminServerPort: undefined,
  secrets: { get: (_, { kind }) => Promise.resolve(kind === 'passphrase' ? passphrase : undefined) },
});

function profileOf(connectString: string, tls?: ClusterProfile['tls']): ClusterProfile {
  const profile: ClusterProfile = {
    id: 'a', name: 'orders', connectString, environment: 'development', lockRoots: ['/'],
  }; // prettier-ignore
  return tls === undefined ? profile : { ...profile, tls };
}

async function explain(client: ZooKeeperClient, connectString: string): Promise<LockExplanation> {
  const profile = profileOf(connectString);
  const [queue] = await readQueues(client, '/lock');
  const { watches } = await gatherOwnersAndWatches({ profile }, client, query());
  return explainLock(queue!, { cluster: 'orders', readAt: Date.now(), now: Date.now(), watches });
}

/** A mutex in Curator's names below the chroot: its holder watches its own node, as a revocable one does; one waiter watches it, too. */
async function withMutex(
  start: () => Promise<Pick<TestServer, 'connectString' | 'stop'>>,
  look: (client: ZooKeeperClient, chrooted: string) => Promise<void>,
): Promise<void> {
  const server = await start();
  const plain = await connect(server.connectString);
  await plain.create('/team');
  const chrooted = `${server.connectString}/team`;
  const [holder, waiter] = await Promise.all([connect(chrooted), connect(chrooted)]);
  try {
    await plain.create('/team/lock');
    const name = (letter: string): string => `/lock/_c_${letter.repeat(8)}-89ab-cdef-0123-456789abcdef-lock-`;
    const { path } = await holder.create(name('1'), { mode: 'ephemeral_sequential' });
    await waiter.create(name('2'), { mode: 'ephemeral_sequential' });
    for (const each of [holder, waiter]) await each.getData(path, { watch: () => undefined });
    await look(holder, chrooted);
  } finally {
    await Promise.all([plain, holder, waiter].map(each => each.close()));
    await server.stop();
  }
}

it('servers that list their watches make "maybe listens" certain, and count those whom a release wakes', async () => {
  await withMutex(startTestServer, async (client, chrooted) => {
    const explanation = await explain(client, chrooted);
    expect(explanation).toMatchObject({ listening: 'yes', herd: { sessions: 1, registered: 1 }, silent: [] });
  });
});

it('servers that refuse leave it open, and are named', async () => {
  const start = () => startZooKeeper({ fourLetterWords: 'srvr' });
  await withMutex(start, async (client, chrooted) => {
    const explanation = await explain(client, chrooted);
    expect(explanation).toMatchObject({ listening: 'maybe', herd: { sessions: 1, registered: undefined } });
    expect(explanation.silent).toMatchObject([{ question: 'watches', by: 'four-letter-word', outcome: 'not-allowed' }]);
  });
});

describe('over TLS', () => {
  let folder: string;
  let ensemble: ZooKeeperEnsemble;
  let secure: string;
  let session: ZooKeeperClient;
  let tls: NonNullable<ClusterProfile['tls']>;

  /** A TLS port that demands a client certificate, and a client key that needs a passphrase. */
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zookeeper-words-'));
    const authority = await createAuthority(folder);
    const { cert, key } = await authority.issue({ name: 'client' });
    const server = await startSecuredZooKeeper(authority, { clientAuth: 'need' });
    ensemble = server.ensemble;
    secure = `localhost:${server.securePort}`;
    const locked = await encryptKey(folder, key, 'canary-pass');
    const file = (name: string): string => join(folder, name);
    await writeFile(file('locked.key'), locked);
    tls = { caFile: file('ca.pem'), certFile: file('client.pem'), keyFile: file('locked.key') };
    session = await connect(secure, { tls: { ca: authority.cert, cert, key: locked, passphrase: 'canary-pass' } });
  });
  afterAll(async () => {
    await session.close();
    await ensemble.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('four-letter words use the passphrase of the client key', async () => {
    const facts = await gatherOwners({ profile: profileOf(secure, tls) }, session, query('canary-pass'));
    expect(facts.sources.map(({ by, outcome }) => `${by} ${outcome}`)).toEqual(Array(2).fill('four-letter-word ok'));
    expect(facts.connections.get(session.sessionId)).toMatchObject({ server: secure });
  });

  it.each([undefined, 'canary-wrong'])(
    'and without the right one (%s) the server stays silent, nothing else fails',
    async passphrase => {
      const facts = await gatherOwners({ profile: profileOf(secure, tls) }, session, query(passphrase));
      expect(facts.sources).toHaveLength(2);
      for (const { outcome, detail } of facts.sources) {
        expect(outcome).not.toBe('ok');
        expect(detail).not.toContain('canary');
      }
    },
  );
});
