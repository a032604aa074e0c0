import type { ZooKeeperClient } from '../../src/zookeeper/client.ts';

/** One service of the demo, with a session of its own. */
export interface Member {
  client: ZooKeeperClient;
  /** As it would sign its nodes. */
  host: string;
}

/** A lock that lives. `handOver` is called every few seconds and moves it on by one step. */
export interface DemoQueue {
  path: string;
  /** Makes the parents and lets everybody join. */
  fill(): Promise<void>;
  handOver(): Promise<void>;
}

export function toBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function pause(lowestMs: number, highestMs: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, lowestMs + Math.random() * (highestMs - lowestMs)));
}
