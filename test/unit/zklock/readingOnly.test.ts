import { expect, it, vi } from 'vitest';
import { readingOnly } from '../../../src/zklock/readingOnly.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';

/** A session whose methods note that they were called. */
function session(): { client: ZooKeeperClient; called: string[] } {
  const called: string[] = [];
  const client = new Proxy({} as ZooKeeperClient, {
    get: (_, key) =>
      vi.fn(() => {
        called.push(String(key));
        return Promise.resolve('answer');
      }),
  });
  return { client, called };
}

it('sends reads, and none of the writes', async () => {
  const { client, called } = session();
  const reader = readingOnly(client);
  await reader.exists('/a');
  await reader.getData('/a');
  await reader.getChildren('/a');
  await reader.getAcl('/a');
  await reader.whoAmI();
  await reader.sync('/a');
  await reader.readMany([]);
  await reader.watchTree('/a', () => undefined);
  const reads = [...called];
  expect(reads).toEqual(['exists', 'getData', 'getChildren', 'getAcl', 'whoAmI', 'sync', 'readMany', 'watchTree']);
  await expect(reader.create('/a')).rejects.toThrow('/a');
  await expect(reader.setData('/a', new Uint8Array(), 0)).rejects.toThrow('/a');
  await expect(reader.remove('/a', 0)).rejects.toThrow('/a');
  expect(() => reader.confirmByQuorum()).toThrow();
  await reader.close();
  expect(called).toEqual(reads);
});
