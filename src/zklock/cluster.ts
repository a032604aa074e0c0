import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { MissingSecretError } from '../app/security/clusterSecrets.ts';
import { checkKeyPair, isEncryptedKey, readTlsFiles } from '../app/security/tlsFiles.ts';
import { clusterServers } from '../inspector/owners/clusterServers.ts';
import type { AskOptions } from '../inspector/owners/askServer.ts';
import { readOwners } from '../inspector/owners/readOwners.ts';
import { clusterAt, type ScenarioCluster } from '../scenario/scenarioCluster.ts';
import { explainDenials } from '../zookeeper/accessDenied.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { connect, type ConnectOptions } from '../zookeeper/connect.ts';
import { parseConnectString } from '../zookeeper/connectString.ts';
import { isZooKeeperError } from '../zookeeper/errors.ts';
import { UsageError, type Options } from './commandLine.ts';
import { shown } from './plainText.ts';
import { readingOnly } from './readingOnly.ts';

/** Log-ins and TLS of one cluster. Holds secrets. */
export type Security = Pick<ConnectOptions, 'auth' | 'tls'>;

/** Where secrets may be, besides files. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** How long a server may take to answer a question besides the session, ms. */
const questionLimitMs = 3_000;

/** Reads log-ins and TLS files. @throws UsageError, TlsFileError, WrongPassphraseError, MissingSecretError; none of them holds a secret */
export async function readSecurity(options: Options, environment: Environment): Promise<Security> {
  const file = options['auth-file'];
  const auth =
    file === undefined
      ? readLogins('ZKLOCK_AUTH', environment['ZKLOCK_AUTH'] ?? '')
      : readLogins(shown(file), await readAuthFile(file));
  const tls = await readTls(options, environment['ZKLOCK_TLS_PASSPHRASE']);
  return { ...(auth.length === 0 ? {} : { auth }), ...(tls === undefined ? {} : { tls }) };
}

async function readAuthFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new UsageError(`The file with the log-ins cannot be read: ${shown(file)} (${code}).`);
  }
}

function readLogins(source: string, text: string): NonNullable<Security['auth']> {
  const auth: NonNullable<Security['auth']> = [];
  for (const [at, line] of text.split(/\r\n|\n/u).entries()) {
    if (line.trim() === '') continue;
    const [, scheme, credential] = /^(digest|sasl):([^:]+:.*)$/u.exec(line) ?? [];
    if (scheme === undefined || credential === undefined) {
      throw new UsageError(`${source}, line ${at + 1}: write digest:USER:PASSWORD or sasl:USER:PASSWORD.`);
    }
    auth.push({ scheme, credential });
  }
  if (auth.filter(({ scheme }) => scheme === 'sasl').length > 1) {
    throw new UsageError(`${source}: a connection has one log-in by sasl at most.`);
  }
  return auth;
}

async function readTls(options: Options, passphrase: string | undefined): Promise<Security['tls']> {
  const pathOf = (name: 'tls-ca' | 'tls-cert' | 'tls-key'): string | undefined => {
    const file = options[name];
    return file === undefined ? undefined : resolve(file);
  };
  const serverName = options['tls-server-name'];
  const [caFile, certFile, keyFile] = [pathOf('tls-ca'), pathOf('tls-cert'), pathOf('tls-key')];
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw new UsageError('--tls-cert and --tls-key belong together.');
  }
  const given = { caFile, certFile, keyFile, serverName };
  const files = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  if (options.tls === undefined && Object.keys(files).length === 0) return undefined;
  const material = await readTlsFiles(files);
  const isLocked = material.key !== undefined && isEncryptedKey(material.key);
  if (isLocked && passphrase === undefined)
    throw new MissingSecretError({ kind: 'passphrase', keyFile: keyFile ?? '' });
  const opened = isLocked ? passphrase : undefined;
  checkKeyPair(files, material, opened);
  return { ...material, ...(opened === undefined ? {} : { passphrase: opened }) };
}

/** How the servers of a cluster may be asked for clients and watches: by four-letter words on the ports of the connect string. */
export function askOptions({ tls }: Security, signal: AbortSignal): AskOptions {
  return { timeoutMs: questionLimitMs, signal, ...(tls === undefined ? {} : { tls }) };
}

/** What an argument with credentials in it is answered with: arguments are seen by every user of the machine. */
function refuseCredentials(connectString: string): void {
  if (!connectString.includes('@')) return;
  throw new UsageError('Credentials do not belong into HOST:PORT. Pass them in ZKLOCK_AUTH or by --auth-file.');
}

/** Without it every path would be missing, and that would look like a tree without locks. @throws UsageError; closes the session then */
async function requireChroot(session: ZooKeeperClient, chroot: string): Promise<void> {
  try {
    if (chroot !== '' && (await session.exists('/')) === undefined) {
      throw new UsageError(`The path ${shown(chroot)} behind HOST:PORT does not exist on the cluster.`);
    }
  } catch (error) {
    // It is there, and what is below it may be readable all the same.
    if (isZooKeeperError(error, 'NO_AUTH')) return;
    await session.close();
    throw error;
  }
}

/** A cluster that scenarios play on, and write to. @throws ConnectStringError, UsageError */
export function scenarioClusterAt(connectString: string, security: Security): ScenarioCluster {
  refuseCredentials(connectString);
  const cluster = clusterAt(
    connectString,
    options => connect(connectString, { ...options, ...security }),
    async (reader, signal) => {
      const ask = askOptions(security, signal);
      return readOwners(await clusterServers(connectString, reader, ask), reader.sessionId, ask);
    },
  );
  return {
    ...cluster,
    connect: async (over, signal) => {
      const session = await cluster.connect(over, signal);
      // The session that reads comes first.
      if (over === undefined) await requireChroot(session, cluster.chroot);
      return session;
    },
  };
}

/** A cluster as the commands that only read see it. */
export interface ReadCluster {
  readonly client: ZooKeeperClient;
  readonly connectString: string;
  readonly chroot: string;
  readonly security: Security;
}

/** Opens a session that cannot write, and closes it after `read`. @throws UsageError, ConnectStringError, ConnectError, and what `read` throws */
export async function reading<T>(
  connectString: string,
  security: Security,
  signal: AbortSignal,
  read: (cluster: ReadCluster) => Promise<T>,
): Promise<T> {
  refuseCredentials(connectString);
  const { chroot } = parseConnectString(connectString);
  const session = await connect(connectString, { ...security, signal });
  try {
    await requireChroot(session, chroot);
    const client = readingOnly(explainDenials(session));
    return await read({ client, connectString, chroot, security });
  } finally {
    await session.close();
  }
}
