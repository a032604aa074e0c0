import type { ChildNode } from '../locks/lockDirectory.ts';
import { furtherDirectories } from '../locks/recognition/recognise.ts';
import { childPath, lastSegment, parentPath } from '../base/paths.ts';
import { readSequence } from '../locks/sequence.ts';
import type { TreeEvent } from '../zookeeper/client.ts';
import type { DirectoryReading } from './readDirectory.ts';
import type { NodeReading } from './readNodes.ts';

/** Children by name: a path as key would be a whole text of its own for each of 100,000. */
type Children = ReadonlyMap<string, unknown>;

/**
 * Which parts of a lock directory may change without an event. Servers with the fix of CVE-2024-23944 (3.8.4, 3.9.2 and later,
 * and older ones to which distributions ported it) send a recursive watch no event of a node that the session may not read.
 */
class UnreadableChildren {
  /** Children that may not be read, by directory; a directory that had some stays, since its next ones are probably like them. */
  private readonly hidden = new Map<string, Set<string>>();
  /** Directories with a child that could be read. */
  private readonly proven = new Set<string>();

  /** The path of the node is not looked into: as a text of its own, it would take as much memory as all else of the node. */
  sawNode(directory: string, { path, isDataDenied = false }: ChildNode): void {
    if (isDataDenied) {
      this.sawHidden(path);
      return;
    }
    this.hidden.get(directory)?.delete(path);
    this.proven.add(directory);
  }

  sawHidden(path: string): void {
    const directory = parentPath(path);
    const paths = this.hidden.get(directory);
    if (paths === undefined) this.hidden.set(directory, new Set([path]));
    else paths.add(path);
  }

  forget(path: string): void {
    this.hidden.get(parentPath(path))?.delete(path);
  }

  restart(): void {
    for (const paths of this.hidden.values()) paths.clear();
  }

  /** Whether the next child may come or go without an event: not all could be read, or none was ever seen. */
  isBlind(directory: string, children: Children): boolean {
    return this.hidden.has(directory) || (children.size === 0 && !this.proven.has(directory));
  }

  /** How many children are known, including those whose stat may not be read either. */
  countIn(directory: string, children: Children): number {
    const hidden = [...(this.hidden.get(directory) ?? [])];
    return children.size + hidden.filter(path => !children.has(lastSegment(path))).length;
  }

  /** @returns the nodes that differ from what is known, or may differ, by a new listing */
  compare(directory: string, children: Children, names: readonly string[]): string[] {
    const hidden = new Set(Array.from(this.hidden.get(directory) ?? [], lastSegment));
    const listed = new Set(names);
    const came = names.filter(name => !children.has(name) && !hidden.has(name));
    const went = [...children.keys(), ...hidden].filter(name => !listed.has(name));
    // A node without a number may have been deleted and created again; a number is never used twice.
    const again = [...hidden].filter(name => readSequence(name).length === 0);
    return Array.from(new Set([...came, ...went, ...again]), name => childPath(directory, name));
  }
}

/** What must be read before the cache is correct again. `reload`: everything; `read`: these nodes (perhaps none). */
export type CacheWork = { need: 'nothing' } | { need: 'reload' } | { need: 'read'; paths: string[] };

/**
 * A lock directory in memory, loaded once and then kept up to date by watch events: a created or changed child costs one small
 * read, a deleted one none. Pure: `takeWork` says what to read, and `load` and `applyReads` take the answers.
 *
 * The order of events and answers matters. ZooKeeper sends the event of a change before any answer that shows it, but an answer
 * may be delivered here after an event that is newer. So a deletion overrides the answer to an older read. After any other event
 * the node is read again, and the older answer counts until then: if the node were left out, the one behind it would look like a
 * holder.
 */
export class LockDirectoryCache {
  readonly path: string;
  private self: ChildNode | undefined;
  /** Children by name, for the directory itself and each further directory that exists. */
  private lists = new Map<string, Map<string, ChildNode>>();
  private wantedFurther: readonly string[] = [];
  /** The pzxid of each directory, as far as it is known: as loaded, or by the last event if a child joined. */
  private lastChanges = new Map<string, bigint>();
  /** By directory, the child that joined last by the events; absent if one left after it. */
  private readonly joined = new Map<string, string>();
  private unreadable = new Set<string>();
  /** Nodes with an event that has not been applied yet. */
  private touched = new Map<string, 'gone' | 'read'>();
  private reloadWanted = true;
  private readonly unreadableChildren = new UnreadableChildren();
  /** Owners of the nodes that went since `takeHalfEnded`. */
  private readonly ownersOfGone = new Set<bigint>();
  private moves = 0;
  private readonly listed: ChildNode[] = [];
  /** Between `takeWork` with `reload` and `load`: which events are relevant is not known yet, so all are kept. */
  private loading = false;

  constructor(path: string) {
    this.path = path;
  }

  /** Every further directory the layout may have, whether it exists or not. */
  get furtherPaths(): readonly string[] {
    return this.wantedFurther;
  }

  /** Whether `takeWork` would return `reload`. */
  get needsReload(): boolean {
    return this.reloadWanted;
  }

  /** Whether `takeWork` would return anything but `nothing`. */
  get hasWork(): boolean {
    return this.reloadWanted || this.touched.size > 0;
  }

  /** Changes with every event and every `takeWork`. */
  get revision(): number {
    return this.moves;
  }

  /** The directories that exist and were listed. */
  get directories(): string[] {
    return [...this.lists.keys()];
  }

  /** The directories of the layout, whether they exist or not, except those that may not be listed. */
  get checkedPaths(): string[] {
    return [this.path, ...this.wantedFurther].filter(path => !this.unreadable.has(path));
  }

  /** How many children a directory has, unreadable ones included; `undefined` if it does not exist. */
  countOf(directory: string): number | undefined {
    const list = this.lists.get(directory);
    return list && this.unreadableChildren.countIn(directory, list);
  }

  /** Whether a child of a directory may come or go without an event. */
  isBlind(directory: string): boolean {
    const list = this.lists.get(directory);
    // An ephemeral node never has children.
    const isLeaf = directory === this.path && this.self?.ephemeralOwner !== 0n;
    return list !== undefined && !isLeaf && this.unreadableChildren.isBlind(directory, list);
  }

  /** Compares with a listing. @returns whether anything is to be read */
  noteNames(directory: string, names: readonly string[]): boolean {
    const list = this.lists.get(directory);
    if (list === undefined || this.reloadWanted) return false;
    const doubtful = this.unreadableChildren.compare(directory, list, names);
    const wanted = doubtful.filter(path => !this.touched.has(path));
    for (const path of wanted) this.touched.set(path, 'read');
    this.joined.delete(directory);
    return wanted.length > 0;
  }

  /** Discards what is known: after a gap in the events, or a failed read. */
  requestReload(): void {
    this.reloadWanted = true;
    this.loading = false;
    this.touched.clear();
    this.joined.clear();
  }

  /** @returns whether the event matters here; those of deeper descendants do not */
  note(event: TreeEvent): boolean {
    this.moves += 1;
    const { type, path } = event;
    if (type === 'reread' || this.changesShape(type, path)) {
      this.requestReload();
      return true;
    }
    if (this.reloadWanted) return true;
    if (!this.loading && !this.isKnown(path)) return false;
    this.touched.set(path, type === 'deleted' ? 'gone' : 'read');
    if (type === 'created') this.joined.set(parentPath(path), path);
    if (type === 'deleted') this.joined.delete(parentPath(path));
    return true;
  }

  /** Whether more than one child may have changed: a directory came or went, or something is in one that did not exist. */
  private changesShape(type: TreeEvent['type'], path: string): boolean {
    if (path === this.path) return type === 'created' || (this.self === undefined && !this.loading);
    if (this.wantedFurther.includes(path)) return type !== 'dataChanged';
    return this.self === undefined && !this.loading && parentPath(path) === this.path;
  }

  private isKnown(path: string): boolean {
    return path === this.path || this.lists.has(parentPath(path));
  }

  /** Says what to read next; the caller passes the answers to `load` or `applyReads`. Deletions are applied at once. */
  takeWork(): CacheWork {
    this.moves += 1;
    if (this.reloadWanted) {
      this.reloadWanted = false;
      this.loading = true;
      this.touched.clear();
      this.joined.clear();
      return { need: 'reload' };
    }
    if (this.touched.size === 0) return { need: 'nothing' };
    this.dropDeleted();
    const paths = [...this.touched.keys()];
    this.touched.clear();
    return { need: 'read', paths };
  }

  /** Applies the deletions noted so far. @returns their paths */
  private dropDeleted(): string[] {
    const deleted: string[] = [];
    for (const [path, what] of this.touched) if (what === 'gone') deleted.push(path);
    for (const path of deleted) {
      this.touched.delete(path);
      this.drop(path);
    }
    return deleted;
  }

  /** Replaces everything; events noted since the reload was taken are applied later. */
  load(reading: DirectoryReading | undefined): void {
    this.replace(reading);
    this.loading = false;
    for (const path of this.touched.keys()) if (!this.isKnown(path)) this.touched.delete(path);
  }

  private replace(reading: DirectoryReading | undefined): void {
    this.lists = new Map();
    this.unreadableChildren.restart();
    this.unreadable = new Set(reading?.unreadable);
    this.wantedFurther = reading?.wantedFurther ?? [];
    this.lastChanges = new Map();
    this.self = reading?.directory.self;
    if (reading === undefined) return;
    const { path, children, further, lastChanges } = reading.directory;
    this.lastChanges = new Map(lastChanges);
    this.lists.set(path, byName(children));
    for (const [directory, nodes] of further) this.lists.set(directory, byName(nodes));
    for (const [directory, list] of this.lists) {
      for (const node of list.values()) this.unreadableChildren.sawNode(directory, node);
    }
    for (const hidden of this.unreadable) this.unreadableChildren.sawHidden(hidden);
  }

  /**
   * Applies the answers to the paths of `takeWork`, in their order. Nodes with a later deletion event are dropped together with
   * those that were read as gone: of two that left one after the other, the second alone would look like a holder.
   */
  applyReads(paths: readonly string[], readings: readonly NodeReading[]): void {
    const added: string[] = [];
    const deleted = new Set(this.dropDeleted());
    for (const [at, path] of paths.entries()) {
      if (deleted.has(path)) continue;
      const reading = readings[at] ?? 'gone';
      if (reading === 'gone') this.drop(path);
      else if (reading === 'unreadable') this.setUnreadable(path);
      else if (this.put(path, reading)) added.push(reading.name);
    }
    this.noteJoins();
    if (added.length > 0 && this.layoutHasGrown(added)) this.requestReload();
  }

  /**
   * Where the last event is that of a child which joined, its czxid is the directory's pzxid now. A name without a number may be that
   * of a node created again since, and where nodes may not be read there may have been changes without an event.
   */
  private noteJoins(): void {
    for (const [directory, path] of this.joined) {
      const node = this.lists.get(directory)?.get(lastSegment(path));
      if (node === undefined) continue;
      this.joined.delete(directory);
      const isNewer = node.czxid > (this.lastChanges.get(directory) ?? 0n);
      const isCertain = readSequence(path).length > 0 && !this.isBlind(directory);
      if (isNewer && isCertain) this.lastChanges.set(directory, node.czxid);
    }
  }

  /**
   * Whether a session of which a node went since the last call still has others here. A session that ends takes all its nodes in one
   * transaction, but each deletion is an event of its own: what is left may be gone, too, and looks like a holder.
   */
  takeHalfEnded(): boolean {
    const isHalf = this.ownersOfGone.size > 0 && this.hasNodesOf(this.ownersOfGone);
    this.ownersOfGone.clear();
    return isHalf;
  }

  private hasNodesOf(sessions: ReadonlySet<bigint>): boolean {
    for (const list of this.lists.values()) {
      for (const { ephemeralOwner } of list.values()) if (sessions.has(ephemeralOwner)) return true;
    }
    return false;
  }

  /** The directory as known now, until the next call; `undefined` while it does not exist. */
  snapshot(): DirectoryReading | undefined {
    if (this.self === undefined) return undefined;
    const further = new Map<string, ChildNode[]>();
    for (const [directory, nodes] of this.lists) {
      if (directory !== this.path) further.set(directory, [...nodes.values()]);
    }
    const { path, self } = this;
    const children = this.listChildren();
    return {
      directory: { path, self, children, further, lastChanges: new Map(this.lastChanges) },
      wantedFurther: this.wantedFurther,
      unreadable: [...this.unreadable],
    };
  }

  /** In the same list each time: only the last snapshot is in use, and lists of 100,000 would stay until all memory is cleaned. */
  private listChildren(): readonly ChildNode[] {
    const { listed } = this;
    let count = 0;
    this.lists.get(this.path)?.forEach(node => (listed[count++] = node));
    listed.length = count;
    return listed;
  }

  /** @returns whether the directory itself got a child that it did not have */
  private put(path: string, node: ChildNode): boolean {
    this.unreadable.delete(path);
    if (path === this.path) {
      this.self = node;
      return false;
    }
    const parent = parentPath(path);
    const list = this.lists.get(parent);
    if (list === undefined) return false;
    this.unreadableChildren.sawNode(parent, node);
    const isNew = !list.has(node.name);
    if (list.get(node.name)?.czxid !== node.czxid) {
      this.lastChanges.delete(parent);
      // A node created again goes to the end, as in a fresh listing; the order of equals stays that of creation.
      list.delete(node.name);
    }
    list.set(node.name, node);
    return isNew && parent === this.path;
  }

  private drop(path: string): void {
    this.unreadable.delete(path);
    this.unreadableChildren.forget(path);
    if (path === this.path) this.replace(undefined);
    else {
      const list = this.lists.get(parentPath(path));
      const owner = list?.get(lastSegment(path))?.ephemeralOwner ?? 0n;
      if (owner !== 0n) this.ownersOfGone.add(owner);
      list?.delete(lastSegment(path));
      this.lastChanges.delete(parentPath(path));
    }
  }

  private setUnreadable(path: string): void {
    if (path === this.path) return;
    this.drop(path);
    this.unreadable.add(path);
    this.unreadableChildren.sawHidden(path);
  }

  /**
   * Whether new names call for another further directory. One that is no longer needed stays until the next reload: it costs a
   * watch and does no harm.
   *
   * @param added the new names; of the known ones only the two directories of a semaphore matter, which count as a pair
   */
  private layoutHasGrown(added: readonly string[]): boolean {
    const children = this.lists.get(this.path);
    const names = [...added, ...['locks', 'leases'].filter(name => children?.has(name))];
    return furtherDirectories(this.path, names).some(path => !this.wantedFurther.includes(path));
  }
}

function byName(nodes: readonly ChildNode[]): Map<string, ChildNode> {
  return new Map(nodes.map(node => [node.name, node]));
}
