import { childPath } from '../base/paths.ts';
import { openAcl } from '../dataTree/acl.ts';
import { type Applied, type ChangeListener, DataTree, type Header } from '../dataTree/dataTree.ts';
import type { NodeStore } from '../dataTree/nodeStore.ts';
import type { Change } from '../dataTree/transaction.ts';
import { ErrorCode } from '../zookeeper/wire/errorCodes.ts';
import type { StoredData } from './storedData.ts';

/** The nodes that went with sessions, by zxid of the end, where the transaction does not say it. */
export type SessionEndings = Map<bigint, readonly string[]>;

/** A path may have 100,000 levels; so many unknown ones are made up for it, bytes times levels are bounded by it. */
const mostUnknownLevels = 100;

/**
 * The tree of a recording. What a transaction proves of nodes that no file shows is believed: the parents of a node that is created are
 * there; nothing is there where a node is created, or below one that is deleted. So logs without a snapshot, or behind a gap,
 * still show what happened since.
 */
export class ReplayedTree extends DataTree<StoredData> {
  private readonly endings: SessionEndings;

  /**
   * @param endings where the tree does not know the ephemeral nodes (`nodes` is a moment), they say what goes with a session; where it
   * does, they are noted there
   */
  constructor(endings: SessionEndings, onChange: ChangeListener, nodes: NodeStore<StoredData>) {
    super(onChange, nodes);
    this.endings = endings;
  }

  /** Removes a node of an empty tree that a snapshot has not. */
  forget(path: string): void {
    super.delete(path, 0n);
  }

  /** There are no replies. */
  protected override statOf(): undefined {
    return undefined;
  }

  protected override create(change: Change<StoredData> & { type: 'create' }, header: Header): Applied {
    const applied = super.create(change, header);
    if (applied.error === ErrorCode.NO_NODE) return this.plant(change.path) ? super.create(change, header) : applied;
    const isOther = applied.error === ErrorCode.NODE_EXISTS && (this.get(change.path)?.czxid ?? 0n) < header.zxid;
    if (!isOther) return applied;
    this.delete(change.path, header.zxid);
    // The parent has counted it already.
    return super.create({ ...change, parentChildrenCreated: 0 }, header);
  }

  protected override delete(path: string, zxid: bigint): Applied {
    // Only what is made up says so: all nodes would go.
    if (path === '/') return { error: ErrorCode.BAD_ARGUMENTS };
    if ((this.get(path)?.childCount ?? 0) > 0) this.deleteBelow(path, zxid);
    return super.delete(path, zxid);
  }

  protected override closeSession(paths: readonly string[] | undefined, header: Header): Applied {
    const gone = new Set(this.endings.get(header.zxid) ?? paths);
    const said = gone.size;
    for (const path of this.ephemeralsOf(header.sessionId)) gone.add(path);
    if (gone.size > said) this.endings.set(header.zxid, [...gone]);
    return super.closeSession([...gone], header);
  }

  /** Deepest first, without recursion: a tree may be 100,000 levels deep. */
  private deleteBelow(path: string, zxid: bigint): void {
    const found = [path];
    for (const directory of found) {
      for (const name of this.childrenOf(directory)) found.push(childPath(directory, name));
    }
    for (const each of found.slice(1).reverse()) super.delete(each, zxid);
  }

  /** Makes the parents of a path that are not known. @returns whether all of them are there now */
  private plant(path: string): boolean {
    const missing: string[] = [];
    let directory = path;
    do {
      directory = directory.slice(0, directory.lastIndexOf('/'));
      if (this.get(directory) !== undefined) break;
      missing.push(directory);
    } while (missing.length <= mostUnknownLevels);
    if (missing.length > mostUnknownLevels) return false;
    const unknown = { sessionId: 0n, cxid: 0, zxid: 0n, time: 0 };
    const bare = {
      type: 'create',
      data: new Uint8Array(0),
      acl: openAcl,
      owner: 0n,
      parentChildrenCreated: 0,
    } as const;
    for (const each of missing.reverse()) super.create({ ...bare, path: each }, unknown);
    return true;
  }
}
