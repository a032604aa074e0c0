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
import { fourLetterWord } from '../../scripts/zookeeper/fourLetterWord.ts';
import { temporaryFolder } from '../../scripts/zookeeper/temporaryFolder.ts';
import { engine } from './engine.ts';
import { eventually } from './eventually.ts';
import { startServerLinks, type PeerPorts, type ServerLinks } from './serverLinks.ts';

export interface ZooKeeperOptions {
  /** A folder with the jars of a server, as `ZOOKEEPER_HOME`. Default: the server that the tests play on. */
  home?: string;
  /** ms; session time-outs are rounded up to it. Default 100: a session of 300 ms is possible. */
  tickTime?: number;
  /** Members of the ensemble; 1 is a lone server. */
  nodes?: number;
  /** Number of the first member of an ensemble. 128 and above give negative session ids. Default 1. */
  firstId?: number;
  /**
   * The members of an ensemble reach each other through proxies: `links` of the ensemble breaks them. How long a member goes on
   * without the others is `syncLimit` ticks, while it joins a leader `initLimit` ticks. Default false.
   */
  breakableLinks?: boolean;
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
    await waitUntilServing(this.launched, timeoutMs);
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
  private readonly serverLinks: ServerLinks | undefined;
  /** A test run that is broken off must not fill the memory with data of dead servers. */
  private readonly removeWithUs = (): void => rmSync(this.folder, { recursive: true, force: true });

  constructor({ servers, links }: PlannedEnsemble, folder: string) {
    this.servers = servers;
    this.serverLinks = links;
    this.folder = folder;
    process.once('exit', this.removeWithUs);
  }

  /** The network between the members; only if `breakableLinks` was asked for. */
  get links(): ServerLinks {
    if (this.serverLinks === undefined) throw new Error('The ensemble was started without breakable links.');
    return this.serverLinks;
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

  /** What a member says of itself: `leader`, `follower`, `read-only`; `undefined` where it does not serve or answer within 1 s. */
  async mode(index: number): Promise<string | undefined> {
    const report = await fourLetterWord('127.0.0.1', this.ports[index]!, 'srvr', 1_000).catch(() => '');
    return /^Mode: (.*)$/m.exec(report)?.[1];
  }

  /** What each member says of itself, as `mode`. */
  modes(): Promise<(string | undefined)[]> {
    return Promise.all(this.servers.map((_, index) => this.mode(index)));
  }

  /** Waits until one member leads and all others follow. @returns the index of the leader */
  complete(timeoutMs = 30_000): Promise<number> {
    return eventually(async () => {
      const modes = await this.modes();
      const followers = modes.filter(mode => mode === 'follower').length;
      const leader = modes.indexOf('leader');
      if (leader === -1 || followers !== modes.length - 1) throw new Error(`The members say: ${modes.join()}.`);
      return leader;
    }, timeoutMs);
  }

  /** Waits until a member leads. @returns when, in ms of `performance` */
  elected(timeoutMs = 30_000): Promise<number> {
    return eventually(
      async () => {
        if (!(await this.modes()).includes('leader')) throw new Error('No member leads.');
        return performance.now();
      },
      timeoutMs,
      10,
    );
  }

  /**
   * Index of the member that says that it leads. A leader that is cut off says so for some time beside its successor.
   *
   * @param among the members that are asked; default all
   * @throws Error where none does
   */
  async leader(among = [...this.servers.keys()]): Promise<number> {
    const modes = await Promise.all(among.map(index => this.mode(index)));
    const leader = among[modes.indexOf('leader')];
    if (leader === undefined) throw new Error(`No member leads: ${modes.join(', ')}.`);
    return leader;
  }

  /** Ends every member and removes the data. */
  async stop(): Promise<void> {
    await Promise.all(this.servers.map(server => server.kill()));
    await this.serverLinks?.close();
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

function requireInstall(home: string | undefined): ZooKeeperInstall {
  const install = findZooKeeper(home === undefined ? process.env : { ...process.env, ZOOKEEPER_HOME: home });
  if (install === undefined) {
    throw new Error(
      'These tests need a real ZooKeeper and Java. Run npm test, which installs them, or set ZOOKEEPER_HOME.',
    );
  }
  return install;
}

interface PlannedEnsemble {
  servers: readonly ZooKeeperServer[];
  links: ServerLinks | undefined;
}

/** Lines of the members as member `index` sees them. */
function memberLines(
  index: number,
  firstId: number,
  peers: readonly PeerPorts[],
  links: ServerLinks | undefined,
): Record<string, string> {
  if (peers.length === 1) return {};
  const seen = peers.map((own, other) => (other === index ? own : (links?.ports(index, other) ?? own)));
  return Object.fromEntries(
    seen.map(({ quorum, election }, other) => [`server.${firstId + other}`, `127.0.0.1:${quorum}:${election}`]),
  );
}

async function planEnsemble(options: ZooKeeperOptions, folder: string): Promise<PlannedEnsemble> {
  const { nodes = 1, firstId = 1 } = options;
  const install = requireInstall(options.home);
  const ports = await freePorts(nodes * 4);
  const peers = Array.from({ length: nodes }, (_, index) => ({
    quorum: ports[nodes + 2 * index]!,
    election: ports[nodes + 2 * index + 1]!,
  }));
  const links = options.breakableLinks === true ? await startServerLinks(peers) : undefined;
  const servers = peers.map((_, index) => {
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
        ...memberLines(index, firstId, peers, links),
        ...options.config,
      },
      systemProperties: options.systemProperties ?? {},
      jvmFlags: options.jvmFlags ?? [],
      extraClassPath: options.extraClassPath ?? [],
      ...(nodes === 1 ? {} : { id: firstId + index }),
    };
    return new ZooKeeperServer(plan, adminPort);
  });
  return { servers, links };
}

/**
 * Starts a real ZooKeeper on free loopback ports with its data in a temporary folder, and waits until it serves.
 *
 * @throws Error with the end of the server's log when it does not come up
 */
export async function startZooKeeper(options: ZooKeeperOptions = {}): Promise<ZooKeeperEnsemble> {
  if (engine() === 'sandbox') {
    throw new Error('A test that starts a real ZooKeeper does not play on the sandbox: list it in sandboxLimits.ts.');
  }
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
