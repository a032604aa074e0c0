import type { LockQueue } from '../../locks/lockQueue.ts';
import { acrossLocks, type WaiterId } from '../waitForGraph.ts';
import { keptBackBy, type BlockerIndex, type Party, type Source, type Wait } from './blockerIndex.ts';

/** A session (or a node without one), or a lock. `key` differs for all nodes of a picture. Foreign text in both. */
export type PictureNode =
  { kind: 'party'; key: string; id: WaiterId } | { kind: 'lock'; key: string; queue: LockQueue };

/** `holds`: from a lock to the party that keeps it from others. `waits`: from a party to the lock that it waits for. */
export interface PictureEdge {
  kind: 'holds' | 'waits';
  from: string;
  to: string;
}

/** The wait-for graph around some parties. */
export interface WaitPicture {
  nodes: readonly PictureNode[];
  edges: readonly PictureEdge[];
  /** Whether more than the limit belong to it. */
  isCut: boolean;
}

/** More nodes than these are no picture any more. */
export const pictureNodeLimit = 200;

/**
 * The chain around some parties: what they keep from others and who waits for that, on to the ends; what they wait for and who keeps
 * it, back to the beginnings. Breadth first, so that what is near is in a picture that is cut.
 *
 * @param starts parties that the index knows; others are left out
 */
export function waitPicture(index: BlockerIndex, starts: Iterable<WaiterId>, limit = pictureNodeLimit): WaitPicture {
  const picture = new Picture(limit);
  const known = firstKnown(index, starts, limit + 1);
  for (const { id } of known) picture.party(id);
  const seenSources = new Set(known.flatMap(party => party.sources));
  const seenWaits = new Set(known.flatMap(party => party.waits));
  for (const [source, wait] of inStep(seenSources, seenWaits)) {
    if (source !== undefined) {
      for (const next of addWaits(picture, source)) seenSources.add(next);
    }
    if (wait !== undefined) addSources(picture, index, wait, seenWaits);
    if (picture.isCut) break;
  }
  return picture;
}

function firstKnown(index: BlockerIndex, ids: Iterable<WaiterId>, limit: number): Party[] {
  const known: Party[] = [];
  for (const id of ids) {
    const party = index.party(id);
    if (party !== undefined) known.push(party);
    if (known.length === limit) break;
  }
  return known;
}

/** Two sets that grow while they are walked, one value of each at a time. */
function* inStep<A, B>(ones: Iterable<A>, others: Iterable<B>): Iterable<[A | undefined, B | undefined]> {
  const [left, right] = [ones[Symbol.iterator](), others[Symbol.iterator]()];
  for (;;) {
    const [one, other] = [left.next(), right.next()];
    if (one.done === true && other.done === true) return;
    yield [one.done === true ? undefined : one.value, other.done === true ? undefined : other.value];
  }
}

/** @returns what those that wait behind the source keep from others in turn */
function addWaits(picture: Picture, source: Source): Source[] {
  if (!picture.holds(source)) return [];
  const next: Source[] = [];
  for (const wait of source.behind) {
    if (wait.party === source.party) continue;
    if (!picture.waits(wait)) break;
    next.push(...keptBackBy(wait));
  }
  return next;
}

/** Adds who keeps the lock of a wait, and follows what these wait for because of which they keep it. */
function addSources(picture: Picture, index: BlockerIndex, wait: Wait, waits: Set<Wait>): void {
  if (!picture.waits(wait)) return;
  for (const source of index.sourcesOf(wait.queue)) {
    if (source.party === wait.party || !source.behind.includes(wait)) continue;
    if (!picture.holds(source)) return;
    for (const each of source.party.waits) if (acrossLocks(source, each)) waits.add(each);
  }
}

class Picture implements WaitPicture {
  readonly nodes: PictureNode[] = [];
  readonly edges: PictureEdge[] = [];
  isCut = false;
  private readonly keys = new Set<string>();
  private readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  party(id: WaiterId): string | undefined {
    return this.add({ kind: 'party', key: id, id });
  }

  /** @returns whether both ends are in the picture */
  holds({ queue, party }: Source): boolean {
    return this.edge('holds', this.lock(queue), this.party(party.id));
  }

  /** @returns whether both ends are in the picture */
  waits({ queue, party }: Wait): boolean {
    return this.edge('waits', this.party(party.id), this.lock(queue));
  }

  private lock(queue: LockQueue): string | undefined {
    return this.add({ kind: 'lock', key: `lock ${queue.path}\0${queue.lockName ?? ''}`, queue });
  }

  private add(node: PictureNode): string | undefined {
    if (this.keys.has(node.key)) return node.key;
    if (this.nodes.length >= this.limit) {
      this.isCut = true;
      return undefined;
    }
    this.keys.add(node.key);
    this.nodes.push(node);
    return node.key;
  }

  private edge(kind: PictureEdge['kind'], from: string | undefined, to: string | undefined): boolean {
    if (from === undefined || to === undefined) return false;
    const key = `${kind}\0${from}\0${to}`;
    if (this.keys.has(key)) return true;
    this.keys.add(key);
    this.edges.push({ kind, from, to });
    return true;
  }
}
