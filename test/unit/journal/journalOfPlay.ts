import { childPath, lastSegment } from '../../../src/base/paths.ts';
import type { JournalEntry, JournalNode } from '../../../src/journal/entry.ts';
import type { Hold, Moment } from '../../../src/history/hold.ts';
import type { FollowedTree } from '../replay/followedTree.ts';
import { RandomPlay } from '../replay/randomPlay.ts';

const noData = new Uint8Array(0);

/** Gets the entries that a perfect recorder would write of a play. */
export type Take = (entry: JournalEntry) => void;

/** A recorder that sees everything of a tree, but not why something ended; that it proves later. */
export class PerfectRecorder {
  private readonly followed: FollowedTree;
  private readonly take: Take;
  /** czxids by path. */
  private readonly known = new Map<string, bigint>();

  constructor(followed: FollowedTree, take: Take) {
    this.followed = followed;
    this.take = take;
    followed.onApplied = paths => {
      this.changed(paths);
    };
  }

  /** All that is there, as a recorder begins. */
  begin(continues = false): void {
    const at = this.followed.moment;
    this.take(continues ? { type: 'begin', at, continues } : { type: 'begin', at });
    this.known.clear();
    for (const path of this.paths()) this.seen(at, path);
    this.take({ type: 'complete', at });
  }

  private *paths(): Iterable<string> {
    const open = ['/'];
    for (const directory of open) {
      if (directory !== '/' && directory !== '/zookeeper') yield directory;
      for (const name of this.followed.tree.childrenOf(directory)) open.push(childPath(directory, name));
    }
  }

  private changed(paths: readonly string[]): void {
    const at = this.followed.moment;
    const ended: { path: string; czxid: bigint }[] = [];
    for (const path of paths) {
      const czxid = this.known.get(path);
      if (czxid !== undefined) ended.push({ path, czxid });
      const node = this.followed.tree.get(path);
      if (czxid !== undefined && node?.czxid !== czxid) {
        this.known.delete(path);
        this.take({ type: 'gone', at, path, czxid });
      }
      if (node !== undefined) this.seen(at, path);
    }
    for (const each of ended) this.prove(at, each);
  }

  private seen(at: Moment, path: string): void {
    const node = this.followed.tree.get(path)!;
    const { czxid, mzxid, ctime, mtime, version, owner, data = noData } = node;
    const seen: JournalNode = { path, czxid, mzxid, ctime, mtime, version, owner, data };
    this.known.set(path, czxid);
    this.take({ type: 'node', at, node: seen });
  }

  private prove(at: Moment, { path, czxid }: { path: string; czxid: bigint }): void {
    const all: Pick<Hold, 'name' | 'czxid' | 'to' | 'ended' | 'endedBy'>[] = [
      ...this.followed.follower.holds(),
      ...this.followed.follower.waits(),
    ];
    const found = all.find(
      each => each.czxid === czxid && each.to?.zxid === at.zxid && lastSegment(each.name) === lastSegment(path),
    );
    if (found?.ended === undefined || found.ended === 'overtaken') return;
    const { ended, endedBy } = found;
    this.take({ type: 'cause', path, czxid, ended, ...(endedBy !== undefined && { endedBy }) });
  }
}

/** A random play whose gaps a recorder has too. */
export class RecordedPlay extends RandomPlay {
  readonly recorder: PerfectRecorder;
  private readonly take: Take;

  constructor(seed: number, take: Take) {
    super(seed);
    this.take = take;
    this.recorder = new PerfectRecorder(this.tree, take);
    this.recorder.begin();
  }

  protected override gap(): void {
    this.take({ type: 'gap', at: this.tree.moment });
    super.gap();
    this.recorder.begin();
  }
}
