import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';

const atOnce = 50;

/** Sessions that stay open between measurements, so that opening them is not measured. */
export class Sessions {
  private readonly hosts: string;
  private readonly open: ZooKeeperClient[] = [];

  constructor(hosts: string) {
    this.hosts = hosts;
  }

  async one(): Promise<ZooKeeperClient> {
    const [client] = await this.many(1);
    if (client === undefined) throw new Error('There is no session.');
    return client;
  }

  async many(count: number): Promise<ZooKeeperClient[]> {
    while (this.open.length < count) {
      const missing = Math.min(atOnce, count - this.open.length);
      this.open.push(...(await Promise.all(Array.from({ length: missing }, () => openSession(this.hosts)))));
    }
    return this.open.slice(0, count);
  }

  async close(): Promise<void> {
    await Promise.all(this.open.map(client => client.close()));
  }
}

export function openSession(hosts: string): Promise<ZooKeeperClient> {
  return connect(hosts, { sessionTimeoutMs: 60_000, connectTimeoutMs: 30_000 });
}
