import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { connect } from 'node:tls';
import { isServing } from './fourLetterWord.ts';
import type { ZooKeeperInstall } from './locate.ts';

export interface ServerPlan {
  install: ZooKeeperInstall;
  /** Own and temporary; holds configuration, data and log. */
  folder: string;
  /** Client port on 127.0.0.1. */
  port: number;
  /** Lines of `zoo.cfg`; wins over the defaults. */
  config: Record<string, string | number>;
  /** `-D` of the JVM; wins over the defaults. */
  systemProperties: Record<string, string>;
  jvmFlags: readonly string[];
  /** Jars and folders before those of the install. */
  extraClassPath?: readonly string[];
  /** Number of this member in its ensemble; `undefined` for a lone server. */
  id?: number;
}

/** One running server. `exited` resolves when it has ended, for whatever reason. */
export interface LaunchedServer {
  plan: ServerPlan;
  child: ChildProcess;
  exited: Promise<void>;
  logFile: string;
}

/** Linux ends the server with its parent even when the parent is killed; elsewhere `exit` listeners must do. */
const dieWithParent = ['/usr/bin/setpriv', '--pdeathsig', 'KILL'] as const;

const quickStart = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xshare:auto', '-Xms16m'];

function logTail(logFile: string): string {
  return readFileSync(logFile, 'utf8').split('\n').slice(-25).join('\n');
}

async function writeConfiguration(plan: ServerPlan): Promise<string> {
  const dataDir = join(plan.folder, 'data');
  await mkdir(dataDir, { recursive: true });
  if (plan.id !== undefined) await writeFile(join(dataDir, 'myid'), String(plan.id));
  const config = {
    // Java reads a backslash as the beginning of an escape.
    dataDir: dataDir.replaceAll('\\', '/'),
    clientPort: plan.port,
    clientPortAddress: '127.0.0.1',
    maxClientCnxns: 0,
    'admin.enableServer': 'false',
    ...plan.config,
  };
  const file = join(plan.folder, 'zoo.cfg');
  await writeFile(
    file,
    Object.entries(config)
      .map(([key, value]) => `${key}=${value}\n`)
      .join(''),
  );
  return file;
}

/**
 * Starts a server; does not wait until it serves.
 *
 * The child dies with this program. What it prints goes to `server.log` in its folder.
 */
export async function launchServer(plan: ServerPlan): Promise<LaunchedServer> {
  const configFile = await writeConfiguration(plan);
  const systemProperties = {
    'zookeeper.forceSync': 'no',
    'zookeeper.preAllocSize': '64',
    'zookeeper.jmx.log4j.disable': 'true',
    'org.slf4j.simpleLogger.defaultLogLevel': 'warn',
    'org.slf4j.simpleLogger.showDateTime': 'true',
    ...plan.systemProperties,
  };
  const java = [
    plan.install.java,
    ...quickStart,
    '-Xmx256m',
    ...plan.jvmFlags,
    ...Object.entries(systemProperties).map(([key, value]) => `-D${key}=${value}`),
    '-cp',
    [...(plan.extraClassPath ?? []), ...plan.install.classPath].join(delimiter),
    'org.apache.zookeeper.server.quorum.QuorumPeerMain',
    configFile,
  ];
  const [command, ...args] = existsSync(dieWithParent[0]) ? [...dieWithParent, ...java] : java;
  const logFile = join(plan.folder, 'server.log');
  const log = openSync(logFile, 'a');
  // A group of its own: Ctrl-C in a terminal reaches us, and we stop the server in our order.
  const child = spawn(command!, args, { stdio: ['ignore', log, log], detached: true, cwd: plan.folder });
  closeSync(log);
  const killWithUs = () => child.kill('SIGKILL');
  process.once('exit', killWithUs);
  const exited = once(child, 'exit').then(
    () => {
      process.off('exit', killWithUs);
    },
    (error: unknown) => {
      process.off('exit', killWithUs);
      throw error;
    },
  );
  exited.catch(() => undefined);
  return { plan, child, exited, logFile };
}

/** Whether a TLS handshake is answered within 1 s, be it with a refusal: the server may demand a certificate. */
function answersTls(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, timeout: 1_000 });
    const end = (answered: boolean) => {
      socket.destroy();
      resolve(answered);
    };
    socket.once('secureConnect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code?.startsWith('ERR_SSL_') === true));
    socket.once('close', () => end(false));
  });
}

/** A server opens its plain port, serves there, and only then opens the secure one. */
async function serves({ port, config }: ServerPlan): Promise<boolean> {
  const securePort = config['secureClientPort'];
  return (await isServing('127.0.0.1', port)) && (securePort === undefined || (await answersTls(Number(securePort))));
}

/**
 * Waits until the server answers `srvr` with its mode, and TLS on its secure port if it has one.
 *
 * @throws Error with the end of the log when it ends or does not serve within `timeoutMs`
 */
export async function waitUntilServing({ plan, child, logFile }: LaunchedServer, timeoutMs = 30_000): Promise<void> {
  const name = `ZooKeeper on port ${plan.port}`;
  const end = performance.now() + timeoutMs;
  while (!(await serves(plan))) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`${name} ended while it started:\n${logTail(logFile)}`);
    }
    if (performance.now() > end) throw new Error(`${name} did not serve within ${timeoutMs} ms:\n${logTail(logFile)}`);
    await new Promise(resolve => setTimeout(resolve, 25));
  }
}
