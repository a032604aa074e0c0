import type { ZooKeeperClient } from '../../src/zookeeper/client.ts';
import { connect } from '../../src/zookeeper/connect.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../support/zookeeperServer.ts';
import { Fixtures } from './fixtures.ts';
import { Programs } from './programs.ts';
import type { Row } from './row.ts';

export interface BenchOptions {
  /** Tiny sizes, one repetition: to see that everything runs. */
  quick: boolean;
  /** Ten times the tree, which only ours walks. */
  long: boolean;
  say: (text: string) => void;
}

/** A server with as much memory as the largest sizes need, and with the compiler that a server has in production. */
const serverOptions = {
  tickTime: 1_000,
  jvmFlags: ['-Xms512m', '-Xmx1536m', '-XX:TieredStopAtLevel=4'],
  config: { maxSessionTimeout: 120_000, globalOutstandingLimit: 100_000 },
  // A snapshot in the middle of a measurement would hit one run by chance.
  systemProperties: { 'zookeeper.snapCount': '100000000', 'zookeeper.preAllocSize': '65536' },
};

/** What every row works with: a server, what is on it, and the participants. */
export class Bench {
  readonly options: BenchOptions;
  readonly ensemble: ZooKeeperEnsemble;
  /** Of the bench itself; makes the fixtures and owns their nodes. */
  readonly client: ZooKeeperClient;
  readonly fixtures: Fixtures;
  readonly programs: Programs;

  constructor(options: BenchOptions, ensemble: ZooKeeperEnsemble, client: ZooKeeperClient) {
    this.options = options;
    this.ensemble = ensemble;
    this.client = client;
    this.fixtures = new Fixtures(client);
    this.programs = new Programs(ensemble.connectString);
  }

  get port(): number {
    return this.ensemble.ports[0] ?? 0;
  }

  sizes(row: Row): readonly number[] {
    return this.options.quick ? [row.quick] : row.sizes;
  }

  /** @param full repetitions unless `--quick` */
  rounds(full: number): number {
    return this.options.quick ? 1 : full;
  }

  async close(): Promise<void> {
    await this.programs.stop();
    // First the server, so that it need not delete some 100,000 ephemeral nodes before.
    await this.ensemble.stop();
    await this.client.close();
  }
}

/** Starts the server; participants start when a row asks for them. */
export async function startBench(options: BenchOptions): Promise<Bench> {
  const ensemble = await startZooKeeper(serverOptions);
  try {
    return new Bench(options, ensemble, await connect(ensemble.connectString, { sessionTimeoutMs: 120_000 }));
  } catch (error) {
    await ensemble.stop();
    throw error;
  }
}
