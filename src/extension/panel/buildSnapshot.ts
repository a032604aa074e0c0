import type { Contender, LockQueue } from '../../locks/lockQueue.ts';
import type { History } from '../../history/historyRecorder.ts';
import type { SeenHold } from '../../history/seenHolds.ts';
import type { Hold, PanelSnapshot, PanelStatus, PanelView } from '../../protocol.ts';
import type { ClusterProfile } from '../../app/clusters/clusterProfile.ts';
import type { LockMarks } from '../../app/clusters/marks.ts';
import { dialectText } from '../words/dialectText.ts';
import { displayText } from '../../base/displayText.ts';
import { shownName } from '../../base/shownName.ts';
import { whoText } from '../words/whoText.ts';
import { buildPicture } from './buildPicture.ts';
import { buildTable } from './buildTable.ts';
import type { TableOrder } from './tableOrder.ts';
import { warningTexts } from './warningTexts.ts';

/** Everything that a snapshot is made of. */
export interface SnapshotFacts {
  revision: number;
  /** Epoch ms. */
  now: number;
  status: PanelStatus;
  profile: Pick<ClusterProfile, 'name' | 'environment' | 'readOnly'>;
  isRemoved: boolean;
  /** What the lock is called. Foreign text. */
  name: string;
  queue: LockQueue;
  marks: LockMarks;
  view: PanelView;
  history: History;
  order: TableOrder;
  /** Addresses of owner sessions, as far as somebody asked for them. A new map for every answer. */
  addresses: ReadonlyMap<bigint, string>;
  isOwn(contender: Contender): boolean;
}

/** What the page shows now. Texts are made for what is on screen; of the rest of the queue only the number counts. */
export function buildSnapshot(facts: SnapshotFacts): PanelSnapshot {
  const { queue, marks, view, profile, now, order, addresses } = facts;
  const isDeadlocked = (contender: Contender): boolean => marks.of(contender)?.deadlocked === true;
  const isStale = (contender: Contender): boolean => {
    const [first] = marks.of(contender)?.stale ?? [];
    return first !== undefined && first.confidence !== 'possible';
  };
  const isOwn = (contender: Contender): boolean => facts.isOwn(contender);
  return {
    revision: facts.revision,
    takenAt: now,
    status: facts.status,
    lock: {
      path: displayText(queue.path, 1000),
      name: displayText(facts.name),
      cluster: displayText(profile.name),
      isProduction: profile.environment === 'production',
      isReadOnly: profile.readOnly === true,
      isRemoved: facts.isRemoved,
      dialect: dialectText(queue.dialect),
      warnings: warningTexts(queue, marks),
    },
    totals: totalsOf(queue),
    picture: buildPicture(queue, view.pictureCount, { isDeadlocked, deadlocked: marks.deadlocked, isStale, isOwn }),
    table: buildTable(queue.contenders, view, { order, addresses, isStale, isOwn, now }),
    history: { ...facts.history, holds: facts.history.holds.map(shownHold) },
  };
}

function shownHold({ contender, ...span }: SeenHold): Hold {
  return { name: shownName(contender.name), who: whoText(contender), kind: contender.kind, ...span };
}

function totalsOf({ contenders, strangers }: LockQueue): PanelSnapshot['totals'] {
  let holders = 0;
  for (const { role } of contenders) if (role === 'holder') holders++;
  return {
    contenders: contenders.length,
    holders,
    waiters: contenders.length - holders,
    strangers: strangers.length,
  };
}
