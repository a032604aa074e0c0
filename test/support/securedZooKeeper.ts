import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePorts } from '../../scripts/zookeeper/ports.ts';
import type { TestAuthority } from './tlsMaterial.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from './zookeeperServer.ts';

export interface SecuredZooKeeper {
  ensemble: ZooKeeperEnsemble;
  /** `localhost:port` of the secure client port; the certificate is for that name. */
  secureConnectString: string;
}

/**
 * A real server with a plain port, a TLS port that takes client certificates but does not demand them, and SASL DIGEST-MD5.
 *
 * @param authority issues the server's certificate and is trusted by it
 * @param users password by SASL user name
 */
export async function startSecuredZooKeeper(
  authority: TestAuthority,
  users: Readonly<Record<string, string>>,
): Promise<SecuredZooKeeper> {
  await authority.issue({ name: 'server', altNames: 'DNS:localhost' });
  const { keyStore, trustStore } = await authority.toKeyStores('server');
  const logIn = join(authority.folder, 'jaas.conf');
  const entries = Object.entries(users).map(([user, password]) => `user_${user}="${password}"`);
  await writeFile(
    logIn,
    `Server { org.apache.zookeeper.server.auth.DigestLoginModule required ${entries.join(' ')}; };`,
  );
  const [port] = await freePorts(1);
  const ensemble = await startZooKeeper({
    config: { secureClientPort: port!, secureClientPortAddress: '127.0.0.1' },
    systemProperties: {
      'zookeeper.serverCnxnFactory': 'org.apache.zookeeper.server.NettyServerCnxnFactory',
      'zookeeper.ssl.keyStore.location': keyStore,
      'zookeeper.ssl.keyStore.password': 'changeit',
      'zookeeper.ssl.trustStore.location': trustStore,
      'zookeeper.ssl.trustStore.password': 'changeit',
      'zookeeper.ssl.clientAuth': 'want',
      'zookeeper.authProvider.sasl': 'org.apache.zookeeper.server.auth.SASLAuthenticationProvider',
      'java.security.auth.login.config': logIn,
    },
  });
  return { ensemble, secureConnectString: `localhost:${port!}` };
}
