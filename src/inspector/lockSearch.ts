import { traitsOf } from '../locks/libraries/registry.ts';
import { isLockDirectory } from '../locks/libraries/singleNode.ts';
import type { DialectId, LockQueue } from '../locks/lockQueue.ts';
import { recogniseName, recognisingNames, type LikelyLock } from '../locks/recognition/recognise.ts';
import { forEachInParts, type Interruptible } from '../base/interruptible.ts';
import { childPath } from '../base/paths.ts';

/** A lock as a search finds it. */
export interface LockSummary {
  path: string;
  /** Set where one directory holds several locks with different names. */
  lockName?: string;
  dialect: DialectId;
  /** Holders and waiters; where only names were read, nodes with such names. */
  contenders: number;
}

/** What a search found. */
export interface FoundLocks {
  locks: LockSummary[];
  /** Nodes whose children were listed. */
  visited: number;
  /** Whether `maxNodes` ended the search before it had seen everything. */
  truncated: boolean;
  /** Nodes whose children may not be listed, or are too many to be sent; what lies below them is unknown. */
  denied: string[];
}

/** A path that may be a lock, which its names alone do not show: its nodes must be read. */
export interface Guess {
  path: string;
  names: readonly string[];
  /** The names that may be contenders or directories. */
  doubtful: readonly string[];
}

/**
 * The state of a breadth-first search for locks: what to list next, what the listed names mean, and which nodes must be read
 * to decide. Pure; the caller reads.
 */
export class LockSearch {
  private readonly maxNodes: number;
  private level: string[] = [];
  private position = 0;
  private nextLevel: string[] = [];
  private accepted = 0;
  private listedCount = 0;
  private truncated = false;
  private guesses: Guess[] = [];
  private readonly locks = new Map<string, LockSummary>();
  private readonly deniedPaths: string[] = [];
  /** Directories that belong to a lock with another path: a semaphore's leases and its queue. */
  private readonly parts = new Set<string>();

  constructor(root: string, maxNodes: number) {
    this.maxNodes = maxNodes;
    this.enqueue(root);
  }

  /** Nodes listed so far. */
  get visited(): number {
    return this.listedCount;
  }

  get found(): number {
    return this.locks.size;
  }

  /** The paths to list next, at most `count`; none when the search is over. */
  next(count: number): string[] {
    if (this.position >= this.level.length) {
      this.level = this.nextLevel;
      this.position = 0;
      this.nextLevel = [];
    }
    const paths = this.level.slice(this.position, this.position + count);
    this.position += paths.length;
    return paths;
  }

  /** Adds the children of one node; of a long list in parts. */
  *listed(path: string, names: readonly string[]): Interruptible<void> {
    this.listedCount += 1;
    const kinds = yield* recognisingNames(path, names);
    const doubtful: string[] = [];
    if (!isOneQueue(names, kinds)) {
      yield* forEachInParts(names, name => {
        if (path === '/' && name === 'zookeeper') return;
        const child = kinds.length > 0 ? recogniseName(path, name) : undefined;
        if (child === undefined) this.enqueue(childPath(path, name));
        else if (child === 'guess') doubtful.push(name);
      });
    }
    if (isOpen(path, names, kinds)) this.guesses.push({ path, names, doubtful });
    else for (const { dialect, lockName, contenders } of kinds) this.add({ path, dialect, contenders }, lockName);
  }

  /** Adds children of a guess that are to be listed as well. */
  descend(path: string, names: readonly string[]): void {
    for (const name of names) this.enqueue(childPath(path, name));
  }

  /** Notes a node that vanished before it was listed, or whose children cannot be listed. */
  failed(path: string, why: 'gone' | 'denied'): void {
    this.listedCount += 1;
    if (why === 'denied') this.deniedPaths.push(path);
  }

  /** Returns the guesses since the last call. */
  takeGuesses(): Guess[] {
    const guesses = this.guesses;
    this.guesses = [];
    return guesses;
  }

  /**
   * Adds the queue that a guess turned out to be.
   *
   * @param directories everything that was read for it; the directories of a semaphore are no locks of their own
   * @param contenders given for a queue that was read in part only
   */
  confirmed(queue: LockQueue, directories: readonly string[], contenders = queue.contenders.length): void {
    this.add({ path: queue.path, dialect: queue.dialect, contenders }, queue.lockName);
    if (traitsOf(queue.dialect).spansDirectories !== true) return;
    for (const directory of directories) if (directory !== queue.path) this.parts.add(directory);
  }

  result(): FoundLocks {
    return {
      locks: [...this.locks.values()].filter(({ path }) => !this.parts.has(path)),
      visited: this.listedCount,
      truncated: this.truncated,
      denied: this.deniedPaths,
    };
  }

  private add(lock: LockSummary, lockName: string | undefined): void {
    const key = `${lock.path}\0${lock.dialect}\0${lockName ?? ''}`;
    if (this.locks.has(key)) return;
    this.locks.set(key, lockName === undefined ? lock : { ...lock, lockName });
  }

  private enqueue(path: string): void {
    if (this.accepted >= this.maxNodes) {
      this.truncated = true;
      return;
    }
    this.accepted += 1;
    this.nextLevel.push(path);
  }
}

/** Whether every name is a contender of one lock for certain: then each need not be asked again. */
function isOneQueue(names: readonly string[], kinds: readonly LikelyLock[]): boolean {
  const [only, ...others] = kinds;
  return others.length === 0 && only?.certain === true && only.contenders === names.length;
}

/** Whether the nodes must be read: for their owners, or for the other half of a semaphore. */
function isOpen(path: string, names: readonly string[], kinds: readonly LikelyLock[]): boolean {
  if (kinds.length === 0) return names.length > 0 && isLockDirectory(path);
  return kinds.some(({ certain }) => !certain);
}
