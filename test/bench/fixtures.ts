import { randomUUID } from 'node:crypto';
import type { CreateOptions, ZooKeeperClient } from '../../src/zookeeper/client.ts';
import { isZooKeeperError } from '../../src/zookeeper/errors.ts';

/** One node to be made. */
export interface PlannedNode extends CreateOptions {
  path: string;
}

const atOnce = 2_000;

/** A contender's name as Curator begins it; the server adds the number. */
export function contenderPrefix(): string {
  return `_c_${randomUUID()}-lock-`;
}

export function contender(lockPath: string, index: number): PlannedNode {
  return {
    path: `${lockPath}/${contenderPrefix()}`,
    data: Buffer.from(`host-${index}.example.org`),
    mode: 'ephemeral_sequential',
  };
}

/** What the rows find on the server. Each is made once, by many creates in flight, and shared by all that ask for it. */
export class Fixtures {
  private readonly client: ZooKeeperClient;
  private readonly made = new Map<string, Promise<void>>();

  constructor(client: ZooKeeperClient) {
    this.client = client;
  }

  /** A lock with so many contenders under Curator's names. @returns its path */
  async queue(length: number): Promise<string> {
    const path = `/bench/queues/q${length}`;
    await this.once(path, async () => {
      await this.ensure(path);
      await this.create(length, index => contender(path, index));
    });
    return path;
  }

  /**
   * A directory with so many waiters that a client that joins comes before them: their numbers are far higher than the next ones.
   *
   * @returns its path
   */
  async lateWaiters(count: number): Promise<string> {
    const path = `/bench/late/w${count}`;
    await this.once(path, async () => {
      await this.ensure(path);
      await this.create(count, index => ({
        path: `${path}/${contenderPrefix()}${1_000_000_000 + index}`,
        mode: 'ephemeral',
      }));
    });
    return path;
  }

  /** Many locks with some contenders each, at `<path>/l<number>`. @returns the path */
  async locks(count: number, contenders: number): Promise<string> {
    const path = `/bench/locks/n${count}x${contenders}`;
    await this.once(path, async () => {
      await this.ensure(path);
      await this.create(count, index => ({ path: `${path}/l${index}` }));
      await this.create(count * contenders, index => contender(`${path}/l${index % count}`, index));
    });
    return path;
  }

  /**
   * A tree of about so many nodes as clusters have them: applications with services, of whose ten nodes four are
   * configuration and one is a lock with four contenders.
   */
  async tree(nodes: number): Promise<{ root: string; locks: number }> {
    const root = `/bench/trees/t${nodes}`;
    const services = Math.max(1, Math.floor(nodes / 10));
    const apps = Math.max(1, Math.floor(services / 100));
    const service = (index: number): string => `${root}/app${index % apps}/service${index}`;
    await this.once(root, async () => {
      await this.ensure(root);
      await this.create(apps, index => ({ path: `${root}/app${index}` }));
      await this.create(services, index => ({ path: service(index) }));
      await this.create(services * 4, index => ({ path: `${service(index % services)}/key${index}` }));
      await this.create(services, index => ({ path: `${service(index)}/lock` }));
      await this.create(services * 4, index => contender(`${service(index % services)}/lock`, index));
    });
    return { root, locks: services };
  }

  /** A node and all above it. */
  async ensure(path: string): Promise<void> {
    for (let end = path.indexOf('/', 1); ; end = path.indexOf('/', end + 1)) {
      const part = end < 0 ? path : path.slice(0, end);
      try {
        await this.client.create(part);
      } catch (error) {
        if (!isZooKeeperError(error, 'NODE_EXISTS')) throw error;
      }
      if (end < 0) return;
    }
  }

  private async create(count: number, plan: (index: number) => PlannedNode): Promise<void> {
    for (let start = 0; start < count; start += atOnce) {
      const some = Array.from({ length: Math.min(atOnce, count - start) }, (_, index) => plan(start + index));
      await Promise.all(some.map(({ path, ...options }) => this.client.create(path, options)));
    }
  }

  private once(path: string, make: () => Promise<void>): Promise<void> {
    const known = this.made.get(path);
    if (known !== undefined) return known;
    const making = make();
    this.made.set(path, making);
    return making;
  }
}
