import type { Interruptible } from '../base/interruptible.ts';
import { mutexRule, type Member } from '../locks/dialect.ts';
import type { Contender, LockQueue } from '../locks/lockQueue.ts';
import { memberOf } from '../locks/recognition/members.ts';
import type { FollowedNode } from './followedNode.ts';
import { mayBeAlone } from './lockNames.ts';
import { PlainQueue, type Blocks } from './plainQueue.ts';

/** Contenders of a queue that are new or changed. */
export interface ChangedQueue {
  queue: LockQueue;
  contenders: Contender[];
}

/** Children or contenders taken between two interruptions. */
const takenAtOnce = 1_024;

/**
 * The queues of a directory whose contenders are all of one library, mutex or read/write, and all plain, as nearly all are: one lock, or
 * several with names. Other children may be there where that library does not see them. Where a change leaves that the directory is
 * recognised as a whole.
 */
export class PlainQueues {
  private readonly path: string;
  private readonly dialect: Member['dialect'];
  private readonly blocks: Blocks;
  private readonly byKey = new Map<string, PlainQueue>();
  /** By the names of contenders. */
  private readonly byName = new Map<string, PlainQueue>();

  private constructor(path: string, dialect: Member['dialect'], blocks: Blocks) {
    this.path = path;
    this.dialect = dialect;
    this.blocks = blocks;
  }

  /**
   * @param queues of the directory as recognised
   * @param children of the directory
   * @returns `undefined` if its queues are not plain, or these rules give other holders
   */
  static *of(
    path: string,
    queues: readonly LockQueue[],
    children: ReadonlyMap<string, FollowedNode>,
  ): Interruptible<PlainQueues | undefined> {
    const first = firstMember(path, children.values());
    const blocks = first && blocksOf(first.dialect);
    if (first === undefined || blocks === undefined) return undefined;
    const plain = new PlainQueues(path, first.dialect, blocks);
    const found = yield* plain.takeAll(byCreation(children.values()));
    const known = queues.map(queue => ({ queue, contenders: queue.contenders }));
    return found !== undefined && (yield* areSame(found, known)) ? plain : undefined;
  }

  /**
   * Takes in the first children.
   *
   * @returns all contenders, some of them twice: who comes later changes no role; `undefined` if the queues are not plain
   */
  private *takeAll(children: Iterable<FollowedNode>): Interruptible<ChangedQueue[] | undefined> {
    const found: ChangedQueue[] = [];
    const touched = new Set<PlainQueue>();
    let taken = 0;
    for (const child of children) {
      if (!this.put(child, touched)) return undefined;
      taken++;
      if (taken % takenAtOnce > 0) continue;
      for (const each of takeChanged(touched)) found.push(each);
      touched.clear();
      yield;
    }
    for (const each of takeChanged(touched)) found.push(each);
    return this.byName.size === 0 ? undefined : found;
  }

  /**
   * Takes in changes of some children.
   *
   * @param children all, as they are now
   * @returns what is new or changed; `undefined` if the queues are not plain any more
   */
  change(changed: ReadonlySet<string>, children: ReadonlyMap<string, FollowedNode>): ChangedQueue[] | undefined {
    const touched = new Set<PlainQueue>();
    for (const name of changed) {
      const child = children.get(name);
      if (child === undefined) this.remove(name, touched);
      else if (!this.put(child, touched)) return undefined;
    }
    if (this.byName.size === 0) return undefined;
    return takeChanged(touched);
  }

  private remove(name: string, touched: Set<PlainQueue>): void {
    const queue = this.byName.get(name);
    if (queue === undefined) return;
    queue.remove(name);
    this.byName.delete(name);
    // There may be ever new names.
    if (queue.isEmpty) this.byKey.delete(queue.key);
    touched.add(queue);
  }

  private put(child: FollowedNode, touched: Set<PlainQueue>): boolean {
    const member = memberOf(this.path, child);
    if (member === undefined)
      return !this.byName.has(child.name) && this.dialect.foreign === undefined && !mayBeAlone(child);
    if (member.dialect !== this.dialect || member.isNeverWaitedFor === true) return false;
    const queue = this.queueOf(member);
    const former = this.byName.get(child.name) ?? queue;
    if (former !== queue || !queue.put(member)) return false;
    this.byName.set(child.name, queue);
    touched.add(queue);
    return true;
  }

  private queueOf({ match, dialect }: Member): PlainQueue {
    const { queueKey = '', lockName } = match;
    const known = this.byKey.get(queueKey);
    if (known !== undefined) return known;
    const named = lockName === undefined ? {} : { lockName };
    const header = { path: this.path, ...named, dialect: dialect.id, contenders: [], strangers: [], hazards: [] };
    const queue = new PlainQueue(queueKey, header, this.blocks);
    this.byKey.set(queueKey, queue);
    return queue;
  }
}

/** A snapshot has them in any order; a plain queue takes them in the order of their creation. */
function byCreation(children: Iterable<FollowedNode>): FollowedNode[] {
  const all = [...children];
  const isInOrder = all.every(({ czxid }, at) => at === 0 || (all[at - 1]?.czxid ?? 0n) <= czxid);
  return isInOrder ? all : all.sort((one, other) => (one.czxid < other.czxid ? -1 : 1));
}

function takeChanged(queues: Iterable<PlainQueue>): ChangedQueue[] {
  return Array.from(queues, each => ({ queue: each.queue, contenders: each.takeChanged() }));
}

function firstMember(path: string, children: Iterable<FollowedNode>): Member | undefined {
  for (const child of children) {
    const member = memberOf(path, child);
    if (member !== undefined) return member;
  }
  return undefined;
}

/** Whether both have the same contenders with the same roles, in the same locks. */
function* areSame(one: Iterable<ChangedQueue>, other: Iterable<ChangedQueue>): Interruptible<boolean> {
  const lines = new Set<string>();
  yield* forEachContender(one, line => {
    lines.add(line);
  });
  let missing = 0;
  yield* forEachContender(other, line => {
    if (!lines.delete(line)) missing++;
  });
  return missing === 0 && lines.size === 0;
}

function* forEachContender(queues: Iterable<ChangedQueue>, call: (line: string) => void): Interruptible<void> {
  let done = 0;
  for (const { queue, contenders } of queues) {
    const { path, lockName = '' } = queue;
    for (const { name, role } of contenders) {
      call(`${path}\0${lockName}\0${name}\0${role}`);
      done++;
      if (done % takenAtOnce === 0) yield;
    }
  }
}

/** @returns `undefined` for a rule that goes by more than order and kinds */
function blocksOf({ rule = mutexRule, kindOf, isMarked }: Member['dialect']): Blocks | undefined {
  if (typeof rule === 'function' || kindOf !== undefined || isMarked !== undefined) return undefined;
  if (rule.type === 'mutex') return rule.headUnconfirmed === true ? undefined : () => true;
  if (rule.type !== 'read-write') return undefined;
  const { readersWaitFor } = rule;
  return kind => readersWaitFor?.includes(kind) ?? kind !== 'read';
}
