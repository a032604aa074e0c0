import type { Interruptible } from '../base/interruptible.ts';
import type { ChangeListener } from '../dataTree/dataTree.ts';
import type { Transaction } from '../dataTree/transaction.ts';
import type { Znode } from '../dataTree/znode.ts';
import { AclReader } from './aclReader.ts';
import { Checkpoints, type Place } from './checkpoints.ts';
import { LiveNodes } from './liveNodes.ts';
import type { ReadableTree } from './followedNode.ts';
import { MomentIndex } from './momentIndex.ts';
import { NodeVersions } from './nodeVersions.ts';
import { replayCost } from './replayCost.ts';
import { ReplayedTree, type SessionEndings } from './replayedTree.ts';
import { SessionList } from './sessionList.ts';
import type { StoredData } from './storedData.ts';

/** What the version of a node without data takes. */
const bytesOfNode = 100;

/** How much of the past is kept. */
export interface PastLimits {
  /** Small transactions between two checkpoints at first: some 30 ms of replay. Larger ones count as `replayCost` says. */
  spacing: number;
  /** Memory for the nodes of checkpoints, bytes; besides what the nodes take that are there. Beyond it checkpoints get sparser. */
  bytes: number;
}

/**
 * What has been read of the past: the nodes as they are where reading has come to, those of its checkpoints, all moments and sessions.
 * It is changed transaction by transaction, and grows with what is there and with the moments, by some bytes each.
 */
export class RecordedPast implements ReadableTree {
  readonly versions = new NodeVersions();
  readonly checkpoints = new Checkpoints();
  readonly moments = new MomentIndex();
  readonly sessions = new SessionList();
  readonly endings: SessionEndings = new Map();
  /** For all files: `NodeVersions` keeps each list that it has seen. */
  readonly acls = new AclReader();
  /** Paths of the logs that were read, in their order. */
  readonly files: string[] = [];
  private readonly onChange: ChangeListener;
  private readonly mostBytes: number;
  private nodes = new LiveNodes();
  private tree: ReplayedTree;
  private spacing: number;
  private sinceCheckpoint = 0;
  private applied = 0;

  constructor(onChange: ChangeListener, { spacing, bytes }: PastLimits) {
    this.onChange = onChange;
    this.spacing = spacing;
    this.mostBytes = bytes;
    this.tree = new ReplayedTree(this.endings, onChange, this.nodes);
  }

  get(path: string): Znode<StoredData> | undefined {
    return this.tree.get(path);
  }

  childrenOf(path: string): Iterable<string> {
    return this.tree.childrenOf(path);
  }

  /** How many transactions were applied. */
  get transactions(): number {
    return this.applied;
  }

  get isCheckpointDue(): boolean {
    return this.sinceCheckpoint >= this.spacing;
  }

  apply(transaction: Transaction<StoredData>): void {
    this.tree.apply(transaction);
    this.sessions.note(transaction);
    this.moments.add(transaction.zxid, transaction.time);
    this.applied++;
    this.sinceCheckpoint += replayCost(transaction.change);
  }

  /** Keeps the nodes as they are. @param next the transaction that comes next @param isFixed a snapshot was read */
  *keep(next: Place, isFixed: boolean): Interruptible<void> {
    const id = this.checkpoints.reserve();
    yield* this.nodes.save(this.versions, id);
    this.checkpoints.add({ id, zxid: this.moments.last?.zxid ?? 0n, next, isFixed });
    this.sinceCheckpoint = 0;
    if (this.versions.size <= this.mostBytes + this.nodes.size * bytesOfNode) return;
    this.spacing *= 2;
    yield* this.checkpoints.thin(this.versions);
  }

  /** An empty tree to read a snapshot into. */
  emptyTree(): { nodes: LiveNodes; tree: ReplayedTree } {
    const nodes = new LiveNodes();
    return { nodes, tree: new ReplayedTree(this.endings, this.onChange, nodes) };
  }

  /** The tree of a snapshot takes the place of what is known. */
  replace({ nodes, tree }: { nodes: LiveNodes; tree: ReplayedTree }): void {
    nodes.noteReplaced(this.nodes.paths());
    this.nodes = nodes;
    this.tree = tree;
  }
}
