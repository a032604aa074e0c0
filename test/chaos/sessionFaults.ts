import type { SeededRandom } from '../support/seededRandom.ts';
import type { TcpProxy } from '../support/tcpProxy.ts';

const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

/** What a network can do to one connection between a session and a server. Each is healed when it resolves. */
const faults = {
  cut(proxy: TcpProxy) {
    proxy.cut();
    return Promise.resolve();
  },
  async unplug(proxy: TcpProxy, random: SeededRandom) {
    await proxy.setAccepting(false);
    proxy.cut();
    await sleep(random.below(900));
    await proxy.setAccepting(true);
  },
  async blackHole(proxy: TcpProxy, random: SeededRandom) {
    proxy.blackHole('both');
    await sleep(random.below(1_800));
    proxy.blackHole('none');
  },
  async oneWay(proxy: TcpProxy, random: SeededRandom) {
    proxy.blackHole(random.pick(['up', 'down'] as const));
    await sleep(random.below(1_800));
    proxy.blackHole('none');
  },
  async delay(proxy: TcpProxy, random: SeededRandom) {
    const direction = random.pick(['up', 'down'] as const);
    proxy.delay(direction, 1 + random.below(40));
    await sleep(random.below(600));
    proxy.delay(direction, 0);
  },
  async trickle(proxy: TcpProxy, random: SeededRandom) {
    proxy.trickle('down', { bytes: 1 + random.below(60), everyMs: 5 });
    await sleep(random.below(700));
    proxy.trickle('down', undefined);
  },
  async flapping(proxy: TcpProxy, random: SeededRandom) {
    for (let cuts = 3 + random.below(5); cuts > 0; cuts--) {
      proxy.cut();
      await sleep(20 + random.below(120));
    }
  },
  /** The server carries a request out, and the answer is lost. */
  async loseReply(proxy: TcpProxy, random: SeededRandom) {
    proxy.cutInsteadOfReply(1 + random.below(3));
    await sleep(random.below(300));
    proxy.forwardAll();
  },
  /** What is sent never arrives. */
  async loseRequests(proxy: TcpProxy, random: SeededRandom) {
    proxy.onRequest(({ xid }) => (xid !== undefined && random.below(3) === 0 ? 'cut' : 'forward'));
    await sleep(random.below(300));
    proxy.forwardAll();
  },
};

export type NetworkFault = keyof typeof faults;

/** Does one fault, chosen by `random`, to one of `proxies`. @returns its name, when it is over */
export async function harmNetwork(proxies: readonly TcpProxy[], random: SeededRandom): Promise<NetworkFault> {
  const name = random.pick(Object.keys(faults) as NetworkFault[]);
  await faults[name](random.pick(proxies), random);
  return name;
}

/** Ends whatever is wrong with a proxy. */
export async function heal(proxy: TcpProxy): Promise<void> {
  await proxy.setAccepting(true);
  proxy.blackHole('none');
  proxy.forwardAll();
  for (const direction of ['up', 'down'] as const) {
    proxy.delay(direction, 0);
    proxy.trickle(direction, undefined);
  }
}
