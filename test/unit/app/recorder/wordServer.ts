import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import type { ClusterServer } from '../../../../src/inspector/owners/clusterServers.ts';

/** A lone server that only answers four-letter words, as ZooKeeper 3.8 does. What it says can be changed. */
export class WordServer {
  readonly asked: string[] = [];
  sessions: readonly bigint[] = [];
  zxid = 0n;
  /** Called with the word; the answer, which says what was so then, is sent once that is over. */
  beforeAnswer: (word: string) => Promise<void> = () => Promise.resolve();
  private readonly server: Server;

  constructor() {
    this.server = createServer(socket => {
      socket.on('error', () => undefined);
      socket.once('data', word => void this.answer(word.toString('latin1')).then(text => socket.end(text)));
    });
  }

  async listen(): Promise<ClusterServer> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return { host: '127.0.0.1', port: (this.server.address() as AddressInfo).port };
  }

  async close(): Promise<void> {
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(word: string): Promise<string> {
    this.asked.push(word);
    const text = this.texts()[word];
    await this.beforeAnswer(word);
    return text ?? `${word} is not executed because it is not in the whitelist.\n`;
  }

  private texts(): Record<string, string> {
    const ids = this.sessions.map(id => `0x${id.toString(16)}`);
    const connections = ids.map(
      (id, at) => ` /127.0.0.1:${String(40_000 + at)}[1](queued=0,recved=5,sent=5,sid=${id},lop=PING,to=30000)\n`,
    );
    return {
      cons: `${connections.join('')}\n`,
      dump: `SessionTracker dump:\nSession Sets (1)/(1):\n${String(ids.length)} expire at Sat:\n${ids.map(id => `\t${id}\n`).join('')}ephemeral nodes dump:\n`,
      mntr: 'zk_stale_sessions_expired\t0\n',
      srvr: `Zookeeper version: 3.8.0\nZxid: 0x${this.zxid.toString(16)}\nMode: standalone\nNode count: 5\n`,
      conf: 'clientPort=2181\nminSessionTimeout=200\n',
    };
  }
}
