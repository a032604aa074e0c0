import type { Interruptible } from '../base/interruptible.ts';
import { TextMap } from '../base/textMap.ts';
import type { AclEntry } from '../dataTree/acl.ts';
import type { Znode } from '../dataTree/znode.ts';
import { KeptText, type StoredData } from './storedData.ts';
import { blockLength, VersionBlock } from './versionBlock.ts';

/** In the place of a version: there is none. In the place of an ACL: the node is not there. */
const none = -1;

/** So many paths are thinned out without a pause. */
const pathsPerPart = 1_024;

/**
 * The nodes of a tree at its checkpoints, which are numbered and only come one after the other. A node has a version for each checkpoint
 * before which it was changed, so a checkpoint costs what was changed, not what is there.
 */
export class NodeVersions {
  private readonly blocks: VersionBlock[] = [];
  private readonly free: number[] = [];
  private used = 0;
  /** The newest version of each node that is there at any checkpoint. */
  private readonly newest = new TextMap<number>();
  /** By directory, the paths of its children in `newest`. */
  private readonly below = new Map<string, string[]>();
  private readonly acls: (readonly AclEntry[])[] = [];
  private readonly aclNumbers = new Map<readonly AclEntry[], number>();
  /** Data of versions that are in files. */
  private readonly inFiles = new Map<number, StoredData>();

  /** Versions of one node while checkpoints are forgotten. */
  private readonly chain: number[] = [];

  /** Bytes of the versions that are kept, without paths. */
  get size(): number {
    const reserved = this.blocks.reduce((sum, block) => sum + block.size, 0);
    return this.used === 0 ? 0 : Math.round((reserved * (this.used - this.free.length)) / this.used);
  }

  /**
   * Keeps a node as it is at a checkpoint; the checkpoints in their order.
   *
   * @param node `undefined`: it is not there
   */
  save(path: string, checkpoint: number, node: Znode<StoredData> | undefined): void {
    const before = this.newest.get(path) ?? none;
    if (this.isSame(before, node)) return;
    const version = this.take();
    this.write(version, node);
    this.block(version).link(version % blockLength, checkpoint, before);
    this.newest.set(path, version);
    if (before === none) this.list(path);
  }

  /** The node at a checkpoint; an object of its own. */
  find(path: string, checkpoint: number): Znode<StoredData> | undefined {
    const version = this.versionAt(path, checkpoint);
    if (version === none) return undefined;
    const index = version % blockLength;
    const block = this.block(version);
    return block.read(index, this.acls[block.acl(index)] ?? [], this.inFiles.get(version));
  }

  has(path: string, checkpoint: number): boolean {
    return this.versionAt(path, checkpoint) !== none;
  }

  /** Paths of the children that a directory has at any checkpoint. */
  childrenOf(directory: string): Iterable<string> {
    return this.below.get(directory) ?? [];
  }

  /** Paths of all nodes that are there at any checkpoint. */
  paths(): Iterable<string> {
    return this.newest.keys();
  }

  /**
   * Forgets checkpoints. What was changed before one of them counts as changed before the next one that stays.
   *
   * @param next the number of the next checkpoint that stays, from a number on: itself, if it stays
   */
  *thin(next: (checkpoint: number) => number): Interruptible<void> {
    let count = 0;
    for (const [path, version] of this.newest) {
      this.thinPath(path, version, next);
      if (++count % pathsPerPart === 0) yield;
    }
    for (const [directory, paths] of this.below) {
      const left = paths.filter(path => this.newest.has(path));
      if (left.length === 0) this.below.delete(directory);
      else if (left.length < paths.length) this.below.set(directory, left);
      count += paths.length;
      if (count > pathsPerPart) yield;
      count %= pathsPerPart;
    }
  }

  private thinPath(path: string, newest: number, next: (checkpoint: number) => number): void {
    const { chain } = this;
    chain.length = 0;
    for (let version = newest; version !== none; version = this.beforeOf(version)) chain.push(version);
    let kept = none;
    let later = chain.pop();
    while (later !== undefined) {
      const version = later;
      later = chain.pop();
      const checkpoint = next(this.checkpointOf(version));
      const isReplaced = later !== undefined && next(this.checkpointOf(later)) === checkpoint;
      // That it is not there needs no version where it was not there before.
      if (isReplaced || (this.isAbsent(version) && (kept === none || this.isAbsent(kept)))) this.release(version);
      else {
        this.block(version).link(version % blockLength, checkpoint, kept);
        kept = version;
      }
    }
    if (kept === none) this.newest.delete(path);
    else if (kept !== newest) this.newest.set(path, kept);
  }

  /** @returns `none` where it is not there */
  private versionAt(path: string, checkpoint: number): number {
    let version = this.newest.get(path) ?? none;
    while (version !== none && this.checkpointOf(version) > checkpoint) version = this.beforeOf(version);
    return version === none || this.isAbsent(version) ? none : version;
  }

  private take(): number {
    const version = this.free.pop() ?? this.used++;
    if (version === this.blocks.length * blockLength) this.blocks.push(new VersionBlock());
    return version;
  }

  private release(version: number): void {
    this.inFiles.delete(version);
    this.free.push(version);
  }

  private list(path: string): void {
    if (path === '/') return;
    const directory = path.slice(0, path.lastIndexOf('/')) || '/';
    const paths = this.below.get(directory);
    if (paths === undefined) this.below.set(directory, [path]);
    else paths.push(path);
  }

  private block(version: number): VersionBlock {
    const block = this.blocks[Math.floor(version / blockLength)];
    if (block === undefined) throw new RangeError(`no version ${version}`);
    return block;
  }

  private checkpointOf(version: number): number {
    return this.block(version).checkpoint(version % blockLength);
  }

  private beforeOf(version: number): number {
    return this.block(version).before(version % blockLength);
  }

  private isAbsent(version: number): boolean {
    return this.block(version).acl(version % blockLength) === none;
  }

  private write(version: number, node: Znode<StoredData> | undefined): void {
    const block = this.block(version);
    const index = version % blockLength;
    block.setAcl(index, node === undefined ? none : this.aclNumber(node.acl));
    if (node === undefined) return;
    block.write(index, node);
    const { data } = node;
    const isInFile = data !== undefined && !(data instanceof Uint8Array || data instanceof KeptText);
    if (isInFile) this.inFiles.set(version, data);
  }

  /** Whether a version says the same as a node: after a snapshot was read again most of them do. */
  private isSame(version: number, node: Znode<StoredData> | undefined): boolean {
    if (version === none || this.isAbsent(version)) return node === undefined;
    if (node === undefined || this.acls[this.block(version).acl(version % blockLength)] !== node.acl) return false;
    return this.block(version).isOf(version % blockLength, node);
  }

  private aclNumber(acl: readonly AclEntry[]): number {
    const known = this.aclNumbers.get(acl);
    if (known !== undefined) return known;
    this.acls.push(acl);
    this.aclNumbers.set(acl, this.acls.length - 1);
    return this.acls.length - 1;
  }
}
