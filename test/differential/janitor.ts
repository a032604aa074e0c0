import { users } from './randomRequests.ts';
import type { Reply } from './replies.ts';
import type { Request } from './requests.ts';
import { WireClient } from './wireClient.ts';

const everyone = [{ perms: 31, scheme: 'world', id: 'anyone' }];

/** A session of our own on a server: makes the folder of each program, reads what it left, and removes that as far as ACLs allow. */
export class Janitor {
  private readonly client: WireClient;

  private constructor(client: WireClient) {
    this.client = client;
  }

  static async open(port: number): Promise<Janitor> {
    const client = await WireClient.open(port, {
      sessionId: 0n,
      password: Buffer.alloc(16),
      lastZxidSeen: 0n,
      timeoutMs: 60_000,
    });
    const janitor = new Janitor(client);
    for (const credential of users) await janitor.ask([{ op: 'auth', scheme: 'digest', credential }]);
    return janitor;
  }

  private async ask(requests: readonly Request[]): Promise<Reply[]> {
    if (requests.length === 0) return [];
    await this.client.request(requests, { folder: '' });
    const arrivals = this.client.take();
    const replies = arrivals.filter(arrival => arrival.kind === 'reply');
    if (replies.length < requests.length) throw new Error(`The server answered ${JSON.stringify(arrivals.at(-1))}.`);
    return replies;
  }

  /** @returns the zxid of the folder */
  async makeFolder(path: string): Promise<bigint> {
    const [reply] = await this.ask([{ op: 'create', path, data: '', acl: everyone, flags: 0 }]);
    if (reply?.err !== 0) throw new Error(`The folder ${path} could not be made: error ${reply?.err}.`);
    return reply.zxid;
  }

  /** Children, data and ACL of every node, from the folder down. */
  async readTree(folder: string): Promise<Reply[]> {
    const all: Reply[] = [];
    for (let paths = [folder]; paths.length > 0;) {
      const replies = await this.ask(
        paths.flatMap((path): Request[] => [
          { op: 'getChildren2', path, watch: false },
          { op: 'getData', path, watch: false },
          { op: 'getAcl', path },
        ]),
      );
      // Our xids go on from program to program, on each server in its own way.
      all.push(...replies.map(reply => ({ ...reply, xid: 0 })));
      paths = paths.flatMap((path, index) => childrenOf(replies[3 * index]!).map(name => `${path}/${name}`));
    }
    return all;
  }

  async removeTree(folder: string): Promise<void> {
    const paths = [folder];
    for (const path of paths) {
      const [reply] = await this.ask([{ op: 'getChildren', path, watch: false }]);
      paths.push(...childrenOf(reply!).map(name => `${path}/${name}`));
    }
    await this.ask(paths.reverse().map(path => ({ op: 'delete', path, version: -1 })));
  }

  async close(): Promise<void> {
    if (this.client.open) await this.client.request([{ op: 'closeSession' }], { folder: '' });
    this.client.drop();
  }
}

function childrenOf({ body }: Reply): string[] {
  return [...(body.children ?? [])].sort();
}
