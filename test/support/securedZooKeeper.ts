import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePorts } from '../../scripts/zookeeper/ports.ts';
import type { TestAuthority } from './tlsMaterial.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from './zookeeperServer.ts';

export interface SecuredZooKeeper {
  ensemble: ZooKeeperEnsemble;
  /** Secure client port; the certificate is for `localhost`. */
  securePort: number;
}

/**
 * System properties of a server that takes SASL DIGEST-MD5.
 *
 * @param folder for the file with the passwords
 * @param users password by SASL user name
 */
export async function saslProperties(
  folder: string,
  users: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const logIn = join(folder, 'jaas.conf');
  const entries = Object.entries(users).map(([user, password]) => `user_${user}="${password}"`);
  await writeFile(
    logIn,
    `Server { org.apache.zookeeper.server.auth.DigestLoginModule required ${entries.join(' ')}; };`,
  );
  return {
    'zookeeper.authProvider.sasl': 'org.apache.zookeeper.server.auth.SASLAuthenticationProvider',
    'java.security.auth.login.config': logIn,
    'file.encoding': 'UTF-8',
  };
}

/** How a server asks for what identifies a client. */
export interface SecuredZooKeeperOptions {
  /** The TLS port demands client certificates, or takes them. */
  clientAuth: 'need' | 'want';
  /** Password by user name of SASL DIGEST-MD5. Default: the server takes no SASL. */
  users?: Readonly<Record<string, string>>;
}

/**
 * A real server with a plain port and a TLS port.
 *
 * @param authority issues the server's certificate and is trusted by it
 */
export async function startSecuredZooKeeper(
  authority: TestAuthority,
  { clientAuth, users }: SecuredZooKeeperOptions,
): Promise<SecuredZooKeeper> {
  await authority.issue({ name: 'server', altNames: 'DNS:localhost' });
  const { keyStore, trustStore } = await authority.toKeyStores('server');
  const [port] = await freePorts(1);
  const ensemble = await startZooKeeper({
    config: { secureClientPort: port!, secureClientPortAddress: '127.0.0.1' },
    systemProperties: {
      'zookeeper.serverCnxnFactory': 'org.apache.zookeeper.server.NettyServerCnxnFactory',
      'zookeeper.ssl.keyStore.location': keyStore,
      'zookeeper.ssl.keyStore.password': 'changeit',
      'zookeeper.ssl.trustStore.location': trustStore,
      'zookeeper.ssl.trustStore.password': 'changeit',
      'zookeeper.ssl.clientAuth': clientAuth,
      ...(users === undefined ? {} : await saslProperties(authority.folder, users)),
    },
  });
  return { ensemble, securePort: port! };
}
