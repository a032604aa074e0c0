import type { ZooKeeperClient } from '../../src/zookeeper/client.ts';

/** Shows the names below `/` as a tree view would: listed again whenever a watch or a reconnect says so. */
export class SessionView {
  /** As last listed, sorted. */
  names: string[] = [];
  private readonly client: ZooKeeperClient;
  private isListing = false;
  private mustList = false;

  constructor(client: ZooKeeperClient) {
    this.client = client;
  }

  /** Watches and lists; a failure is made good by the next connection. */
  async open(): Promise<void> {
    let isWatching = false;
    const watch = async (): Promise<void> => {
      if (isWatching) return;
      isWatching = true;
      try {
        await this.client.watchTree('/', () => this.list());
        this.list();
      } catch {
        // No connection now: the next one tries again.
        isWatching = false;
      }
    };
    this.client.onState(({ state }) => {
      if (state === 'connected') void watch();
    });
    await watch();
  }

  private list(): void {
    this.mustList = true;
    if (this.isListing) return;
    this.isListing = true;
    void this.listUntilFresh().finally(() => {
      this.isListing = false;
    });
  }

  private async listUntilFresh(): Promise<void> {
    while (this.mustList) {
      this.mustList = false;
      try {
        this.names = (await this.client.getChildren('/')).children.sort();
      } catch {
        // The connection is gone; `reread` comes with the next one.
        return;
      }
    }
  }
}
