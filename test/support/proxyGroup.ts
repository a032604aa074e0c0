import {
  startTcpProxy,
  type Direction,
  type ReplyFrame,
  type RequestFrame,
  type FrameFate,
  type TcpProxy,
} from './tcpProxy.ts';

/** The network between one client and a server or an ensemble. */
export type ClientNetwork = Pick<
  TcpProxy,
  'connectString' | 'cut' | 'setAccepting' | 'blackHole' | 'delay' | 'onRequest' | 'onReply' | 'forwardAll' | 'close'
>;

/** One proxy per member of an ensemble; every switch acts on all. */
export class ProxyGroup implements ClientNetwork {
  private readonly proxies: readonly TcpProxy[];

  constructor(proxies: readonly TcpProxy[]) {
    this.proxies = proxies;
  }

  get connectString(): string {
    return this.proxies.map(proxy => proxy.connectString).join(',');
  }

  get ports(): number[] {
    return this.proxies.map(proxy => proxy.port);
  }

  /** Index of the member that the client is connected to; -1 without a connection. */
  get attached(): number {
    return this.proxies.findIndex(proxy => proxy.openConnections > 0);
  }

  cut(): void {
    for (const proxy of this.proxies) proxy.cut();
  }

  async setAccepting(accepting: boolean): Promise<void> {
    await Promise.all(this.proxies.map(proxy => proxy.setAccepting(accepting)));
  }

  blackHole(direction: Direction | 'both' | 'none'): void {
    for (const proxy of this.proxies) proxy.blackHole(direction);
  }

  delay(direction: Direction, ms: number): void {
    for (const proxy of this.proxies) proxy.delay(direction, ms);
  }

  onRequest(decide: (request: RequestFrame) => FrameFate): void {
    for (const proxy of this.proxies) proxy.onRequest(decide);
  }

  onReply(decide: (reply: ReplyFrame) => FrameFate): void {
    for (const proxy of this.proxies) proxy.onReply(decide);
  }

  forwardAll(): void {
    for (const proxy of this.proxies) proxy.forwardAll();
  }

  async close(): Promise<void> {
    await Promise.all(this.proxies.map(proxy => proxy.close()));
  }
}

/** @param ports of the members on 127.0.0.1 */
export async function startProxyGroup(ports: readonly number[]): Promise<ProxyGroup> {
  return new ProxyGroup(await Promise.all(ports.map(port => startTcpProxy(port))));
}
