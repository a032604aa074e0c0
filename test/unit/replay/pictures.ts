import { childPath } from '../../../src/base/paths.ts';
import type { DataTree } from '../../../src/dataTree/dataTree.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { inLetters } from '../../../src/zookeeper/wire/records.ts';

/** All nodes by path, as texts that are the same for the same nodes. */
export type Picture = Map<string, string>;

function show(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? each.toString() : each));
}

/** What a client would read of a tree. */
export function pictureOf(tree: DataTree): Picture {
  const picture: Picture = new Map();
  const look = (path: string): void => {
    const node = tree.get(path)!;
    const children = [...tree.childrenOf(path)].sort();
    const data = Buffer.from(node.data ?? []).toString('hex');
    picture.set(path, show([node.stat(), data, inLetters(node.acl), children]));
    for (const name of children) look(childPath(path, name));
  };
  look('/');
  return picture;
}

/** What a client reads of all nodes. */
export async function readPicture(client: ZooKeeperClient): Promise<Picture> {
  const picture: Picture = new Map();
  const look = async (path: string): Promise<void> => {
    const children = (await client.getChildren(path)).children.sort();
    const { data, stat } = await client.getData(path);
    const { acl } = await client.getAcl(path);
    picture.set(path, show([stat, Buffer.from(data).toString('hex'), acl, children]));
    for (const name of children) await look(childPath(path, name));
  };
  await look('/');
  return picture;
}
