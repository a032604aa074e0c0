import { atOnce } from '../../../src/base/interruptible.ts';
import { parentPath } from '../../../src/base/paths.ts';
import { openAcl } from '../../../src/dataTree/acl.ts';
import { DataTree } from '../../../src/dataTree/dataTree.ts';
import type { Change, Transaction } from '../../../src/dataTree/transaction.ts';
import type { Hold, Moment, Wait } from '../../../src/history/hold.ts';
import { LockFollower } from '../../../src/replay/lockFollower.ts';

const encoder = new TextEncoder();

/** A tree whose changes a follower follows. Each transaction takes the next zxid; its time is a second for each. */
export class FollowedTree {
  readonly tree = new DataTree(({ type, path }) => {
    if (type !== 'created' && type !== 'deleted' && type !== 'dataChanged') return;
    this.follower.changed(path, type);
    this.changed.add(path);
  });
  readonly follower = new LockFollower({
    get: path => this.tree.get(path),
    childrenOf: path => this.tree.childrenOf(path),
  });
  zxid = 0n;
  /** Gets the paths of the nodes that a transaction changed. */
  onApplied: (paths: readonly string[]) => void = () => undefined;
  onTransaction: (transaction: Transaction) => void = () => undefined;
  private readonly changed = new Set<string>();

  constructor() {
    this.begin();
  }

  get moment(): Moment {
    return { zxid: this.zxid, time: Number(this.zxid) * 1_000 };
  }

  begin(isProven = true): void {
    atOnce(this.follower.begin(this.moment, isProven));
  }

  /** @param cxid 0: the server by itself @returns whether the follower recognised something again */
  apply(change: Change, sessionId: bigint, cxid = 1): boolean {
    this.zxid++;
    const transaction = { change, sessionId, cxid, ...this.moment };
    this.changed.clear();
    this.tree.apply(transaction);
    const isRecognised = this.follower.applied(transaction);
    this.onApplied([...this.changed]);
    this.onTransaction(transaction);
    return isRecognised;
  }

  /** A change in a gap. */
  applyUnseen(change: Change, sessionId: bigint): void {
    this.tree.apply({ change, sessionId, cxid: 1, zxid: ++this.zxid, time: 1 });
  }

  /** Creates what is missing above, without an owner, then an ephemeral node. */
  create(path: string, session: bigint, fields: { data?: string; owner?: bigint } = {}): void {
    this.makeDirectory(parentPath(path));
    this.apply(created(path, fields.owner ?? session, fields.data), session);
  }

  makeDirectory(path: string): void {
    if (path === '/' || this.tree.get(path) !== undefined) return;
    this.makeDirectory(parentPath(path));
    this.apply(created(path, 0n), 1n);
  }

  remove(path: string, session: bigint, cxid = 1): void {
    this.apply({ type: 'delete', path }, session, cxid);
  }

  write(path: string, session: bigint, data: string): void {
    this.apply(this.written(path, data), session);
  }

  written(path: string, data: string): Change {
    return { type: 'setData', path, data: encoder.encode(data), version: (this.tree.get(path)?.version ?? 0) + 1 };
  }
}

export function created(path: string, owner: bigint, data = ''): Change {
  return { type: 'create', path, data: encoder.encode(data), acl: openAcl, owner, parentChildrenCreated: -1 };
}

/** A hold or wait in short: lock, name, zxids of queue, begin and end, cause. */
export function brief(each: Hold | Wait): string {
  const { path, lockName, name, queued, from, to, ended, endedBy, isFromBefore } = each;
  const lock = lockName === undefined ? path : `${path}#${lockName}`;
  const times = [queued.zxid, from?.zxid, to?.zxid].map(zxid => String(zxid ?? '-')).join(' ');
  const parts = [`${lock} ${name}`, times, ended, endedBy === undefined ? undefined : `by ${String(endedBy)}`];
  return [...parts, isFromBefore && 'before'].filter(part => part !== undefined).join(' ');
}
