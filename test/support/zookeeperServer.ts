import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  launchServer,
  waitUntilServing,
  type LaunchedServer,
  type ServerPlan,
} from '../../scripts/zookeeper/launch.ts';
import { findZooKeeper, type ZooKeeperInstall } from '../../scripts/zookeeper/locate.ts';
import { freePorts } from '../../scripts/zookeeper/ports.ts';
import { temporaryFolder } from '../../scripts/zookeeper/temporaryFolder.ts';

export interface ZooKeeperOptions {
  /** ms; session time-outs are rounded up to it. Default 100: a session of 300 ms is possible. */
  tickTime?: number;
  /** Members of the ensemble; 1 is a lone server. */
  nodes?: number;
  /** Number of the first member of an ensemble. 128 and above give negative session ids. Default 1. */
  firstId?: number;
  /** Further lines of `zoo.cfg`. */
  config?: Record<string, string | number>;
  systemProperties?: Record<string, string>;
  jvmFlags?: readonly string[];
  extraClassPath?: readonly string[];
  /** Default `*`. `undefined` in ZooKeeper means `srvr` only: say `srvr` for that. */
  fourLetterWords?: string;
  /** Starts the HTTP admin server on a free port. Default false. */
  adminServer?: boolean;
}

/** One member. Its port and its data stay the same over `kill` and `restart`. */
export class ZooKeeperServer {
  readonly port: number;
  /** Only if `adminServer` was asked for. */
  readonly adminPort: number | undefined;
  private readonly plan: ServerPlan;
  private launched: LaunchedServer | undefined;

  constructor(plan: ServerPlan, adminPort: number | undefined) {
    this.plan = plan;
    this.port = plan.port;
    this.adminPort = adminPort;
  }

  get pid(): number | undefined {
    return this.launched?.child.pid;
  }

  get folder(): string {
    return this.plan.folder;
  }

  /** Starts it; `serving()` waits. A member of an ensemble serves only when a quorum is up. */
  async launch(): Promise<void> {
    this.launched ??= await launchServer(this.plan);
  }

  async serving(timeoutMs?: number): Promise<void> {
    if (this.launched === undefined) throw new Error('The server was not launched.');
    await waitUntilServing(this.launched, this.port, timeoutMs);
  }

  /** Orderly end (SIGTERM); the data stay. */
  stop(): Promise<void> {
    return this.end('SIGTERM');
  }

  /** Sudden end (SIGKILL); the data stay. */
  kill(): Promise<void> {
    return this.end('SIGKILL');
  }

  /** Ends it if it runs, starts it again on the same port and data, waits until it serves. */
  async restart(): Promise<void> {
    await this.kill();
    await this.launch();
    await this.serving();
  }

  /** Throws its data away, as a new cluster; only while it does not run. */
  async wipe(): Promise<void> {
    if (this.launched !== undefined) throw new Error('The server still runs.');
    await rm(join(this.folder, 'data', 'version-2'), { recursive: true, force: true });
  }

  /** Freezes it: connections stay open and nothing answers. */
  pause(): void {
    this.launched?.child.kill('SIGSTOP');
  }

  resume(): void {
    this.launched?.child.kill('SIGCONT');
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const launched = this.launched;
    this.launched = undefined;
    if (launched === undefined) return;
    launched.child.kill(signal);
    // A frozen server gets the signal only when it runs again.
    launched.child.kill('SIGCONT');
    await launched.exited;
  }
}

/** A lone server or an ensemble. Methods without an index act on every member. */
export class ZooKeeperEnsemble {
  readonly servers: readonly ZooKeeperServer[];
  private readonly folder: string;
  /** A test run that is broken off must not fill the memory with data of dead servers. */
  private readonly removeWithUs = (): void => rmSync(this.folder, { recursive: true, force: true });

  constructor(servers: readonly ZooKeeperServer[], folder: string) {
    this.servers = servers;
    this.folder = folder;
    process.once('exit', this.removeWithUs);
  }

  get ports(): number[] {
    return this.servers.map(server => server.port);
  }

  get connectString(): string {
    return this.ports.map(port => `127.0.0.1:${port}`).join(',');
  }

  async launch(): Promise<void> {
    await Promise.all(this.servers.map(server => server.launch()));
    await Promise.all(this.servers.map(server => server.serving()));
  }

  /** Ends every member and removes the data. */
  async stop(): Promise<void> {
    await Promise.all(this.servers.map(server => server.kill()));
    await rm(this.folder, { recursive: true, force: true });
    process.off('exit', this.removeWithUs);
  }

  async kill(): Promise<void> {
    await Promise.all(this.servers.map(server => server.kill()));
  }

  async restart(): Promise<void> {
    await this.kill();
    await this.launch();
  }

  pause(): void {
    for (const server of this.servers) server.pause();
  }

  resume(): void {
    for (const server of this.servers) server.resume();
  }
}

function requireInstall(): ZooKeeperInstall {
  const install = findZooKeeper(process.env);
  if (install === undefined) {
    throw new Error(
      'These tests need a real ZooKeeper and Java. Run npm test, which installs them, or set ZOOKEEPER_HOME.',
    );
  }
  return install;
}

function memberLines(firstId: number, ports: readonly number[], nodes: number): Record<string, string> {
  if (nodes === 1) return {};
  const lines: Record<string, string> = {};
  for (let index = 0; index < nodes; index++) {
    lines[`server.${firstId + index}`] = `127.0.0.1:${ports[nodes + 2 * index]!}:${ports[nodes + 2 * index + 1]!}`;
  }
  return lines;
}

async function planEnsemble(options: ZooKeeperOptions, folder: string): Promise<ZooKeeperServer[]> {
  const { nodes = 1, firstId = 1 } = options;
  const install = requireInstall();
  const ports = await freePorts(nodes * 4);
  return Array.from({ length: nodes }, (_, index) => {
    const adminPort = options.adminServer === true ? ports[nodes * 3 + index] : undefined;
    const plan: ServerPlan = {
      install,
      folder: join(folder, `server-${index + 1}`),
      port: ports[index]!,
      config: {
        tickTime: options.tickTime ?? 100,
        // Loaded machines pause clients for seconds: tests that do not ask for a short session get a long one.
        maxSessionTimeout: 60_000,
        initLimit: 100,
        syncLimit: 50,
        '4lw.commands.whitelist': options.fourLetterWords ?? '*',
        ...(adminPort === undefined
          ? {}
          : { 'admin.enableServer': 'true', 'admin.serverAddress': '127.0.0.1', 'admin.serverPort': adminPort }),
        ...memberLines(firstId, ports, nodes),
        ...options.config,
      },
      systemProperties: options.systemProperties ?? {},
      jvmFlags: options.jvmFlags ?? [],
      extraClassPath: options.extraClassPath ?? [],
      ...(nodes === 1 ? {} : { id: firstId + index }),
    };
    return new ZooKeeperServer(plan, adminPort);
  });
}

/**
 * Starts a real ZooKeeper on free loopback ports with its data in a temporary folder, and waits until it serves.
 *
 * @throws Error with the end of the server's log when it does not come up
 */
export async function startZooKeeper(options: ZooKeeperOptions = {}): Promise<ZooKeeperEnsemble> {
  const folder = await temporaryFolder('zookeeper-test-');
  const ensemble = new ZooKeeperEnsemble(await planEnsemble(options, folder), folder);
  try {
    await ensemble.launch();
  } catch (error) {
    await ensemble.stop();
    throw error;
  }
  return ensemble;
}
