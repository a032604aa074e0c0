import type { ZooKeeperClient } from '../../src/zookeeper/client.ts';
import { isZooKeeperError } from '../../src/zookeeper/errors.ts';

/** Makes a persistent node and its parents where they are missing. */
export async function ensurePath(client: ZooKeeperClient, path: string): Promise<void> {
  const names = path.split('/').slice(1);
  for (let depth = 1; depth <= names.length; depth++) {
    try {
      await client.create(`/${names.slice(0, depth).join('/')}`);
    } catch (error) {
      if (!isZooKeeperError(error, 'NODE_EXISTS')) throw error;
    }
  }
}

/** A waiter watches the node before it, as its library would: one that watches nothing looks as if it would never wake. */
export async function watchNode(client: ZooKeeperClient, path: string | undefined): Promise<void> {
  if (path !== undefined) await client.exists(path, { watch: () => undefined });
}

/** Removes a node that may be gone already: the viewer of the demo may force-delete its nodes. */
export async function removeIfThere(client: ZooKeeperClient, path: string): Promise<void> {
  try {
    await client.remove(path, 0);
  } catch (error) {
    if (!isZooKeeperError(error, 'NO_NODE')) throw error;
  }
}

/** Removes a part of the tree, children first. */
export async function removeTree(client: ZooKeeperClient, path: string): Promise<void> {
  try {
    const { children } = await client.getChildren(path);
    for (const child of children) await removeTree(client, `${path}/${child}`);
    const stat = await client.exists(path);
    if (stat !== undefined) await client.remove(path, stat.version);
  } catch (error) {
    if (!isZooKeeperError(error, 'NO_NODE')) throw error;
  }
}
