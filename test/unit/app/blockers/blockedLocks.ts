import { ClusterRankings } from '../../../../src/app/blockers/rankedCluster.ts';
import { ShownBlockers } from '../../../../src/app/blockers/shownBlockers.ts';
import type { BlockerPartyRow, BlockerRow, BlockerWaitRow } from '../../../../src/app/blockers/blockerRows.ts';
import type { ClusterNode, LockNode } from '../../../../src/app/clusters/clusterModel.ts';
import { ensureLock } from '../../../../src/app/clusters/lockCatalogue.ts';
import type { Contender } from '../../../../src/locks/lockQueue.ts';
import { now, queueOf } from '../../extension/fixtures.ts';

/** One place of a queue: the letter of its session, and its place in the order of all creations. */
export type Place = [session: string, czxid: number];

/** A letter as a session: `A` is 0xa. */
export function sessionNamed(letter: string): bigint {
  return BigInt(`0x${letter.toLowerCase()}`);
}

/** A mutex with its first place as holder, each other one waiting; put into the cluster, or read again there. */
export function putLock(cluster: ClusterNode, path: string, places: readonly Place[]): LockNode {
  const { lock } = ensureLock(cluster, path, undefined, 'curator');
  const contenders = places.map(([who, czxid], at): Contender => ({
    name: `n-${String(czxid)}`,
    path: `${path}/n-${String(czxid)}`,
    kind: 'exclusive',
    role: at === 0 ? 'holder' : 'waiter',
    ...(at === 0 ? {} : { waitsFor: `n-${String(places[at - 1]?.[1])}` }),
    ownerSession: sessionNamed(who),
    czxid: BigInt(czxid),
    createdAt: now - 60_000 + czxid * 1_000,
    identifier: who,
  }));
  lock.queue = queueOf(contenders, { path });
  lock.live = true;
  return lock;
}

/** The rows of a cluster, unfolded, as a person may ask for them. */
export class Unfolded {
  readonly rankings = new ClusterRankings();
  readonly shown = new ShownBlockers();
  readonly cluster: ClusterNode;

  constructor(cluster: ClusterNode) {
    this.cluster = cluster;
  }

  async below(row: BlockerRow): Promise<readonly BlockerRow[]> {
    return this.rankings.of(this.cluster, ranking => this.shown.give(row, ranking));
  }

  async top(): Promise<readonly BlockerRow[]> {
    return this.below(this.shown.rowOf(this.cluster));
  }

  async update(): Promise<BlockerRow[]> {
    return this.rankings.of(this.cluster, ranking => this.shown.update(ranking));
  }

  /** All rows, each as a line; what is below is indented. */
  async outline(rows?: readonly BlockerRow[], indent = ''): Promise<string[]> {
    const lines: string[] = [];
    for (const row of rows ?? (await this.top())) {
      lines.push(`${indent}${lineOf(row)}`);
      if (row.hasChildren) lines.push(...(await this.outline(await this.below(row), `${indent}  `)));
    }
    return lines;
  }
}

function paths(places: readonly { lock: LockNode }[]): string {
  return places.map(({ lock }) => lock.path).join();
}

function partyLine({ kind, members, ranked, contender, places }: BlockerPartyRow): string {
  if (kind === 'cycle') return `cycle of ${String(members.length)}`;
  return `${contender.identifier} keeps ${paths(places)}${ranked === undefined ? '' : ` ${String(ranked.waiting)} wait`}`;
}

function waitLine({ keeps, after, contender, waitsIn, isRepeat }: BlockerWaitRow): string {
  return [
    `${contender.identifier} in ${waitsIn.path}`,
    ...(keeps.length === 0 ? [] : [`keeps ${paths(keeps)}`]),
    ...(after === undefined ? [] : [`after ${after.contender.identifier}`]),
    ...(isRepeat ? ['again'] : []),
  ].join(' ');
}

function lineOf(row: BlockerRow): string {
  switch (row.type) {
    case 'blockerCluster':
      return row.cluster.id;
    case 'blocker':
      return partyLine(row);
    case 'blockerLock':
      return `${row.lock.path} ${String(row.waits)}`;
    case 'blockerWait':
      return waitLine(row);
    case 'blockerMore':
      return `more ${String(row.next)} of ${String(row.remaining)}`;
    case 'blockerMessage':
      return `(${row.message.kind}${'count' in row.message ? ` ${String(row.message.count)}` : ''})`;
  }
}
