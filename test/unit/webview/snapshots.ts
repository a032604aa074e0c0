import type { ContenderKind, History } from '../../../src/historyProtocol.ts';
import {
  cardLimit,
  tableColumns,
  type Answer,
  type Card,
  type PanelSnapshot,
  type PictureContender,
  type TableColumn,
  type TableRow,
} from '../../../src/protocol.ts';

/** 2026-11-21, 12:00 UTC. */
export const noon = 1_795_262_400_000;

/** A queue as a test describes it: who, what kind, and what differs from "waits for the one before it". */
export interface Sketch extends Partial<Omit<PictureContender, 'position'>> {
  position?: number;
}

export function contenderOf(sketch: Sketch, index: number, before: Sketch | undefined): PictureContender {
  const position = sketch.position ?? index + 1;
  const isHolder = sketch.isHolder ?? index === 0;
  const waitsFor = isHolder ? undefined : (sketch.waitsFor ?? before?.name ?? nodeName(position - 1));
  return {
    name: nodeName(position),
    czxid: String(4_294_967_296 + position),
    kind: 'exclusive',
    who: `worker-${position}.example.org`,
    marks: [],
    ...sketch,
    position,
    isHolder,
    ...(waitsFor === undefined ? {} : { waitsFor, ahead: aheadOf(waitsFor) }),
  };
}

/** Who a node of `nodeName` is, as the host says it. */
function aheadOf(name: string): string {
  const position = Number(name.slice(-10));
  return Number.isNaN(position) ? name : `#${position} worker-${position}.example.org`;
}

export function nodeName(position: number): string {
  return `_c_3f1c7d2e-lock-${String(position).padStart(10, '0')}`;
}

export function rowOf(contender: PictureContender, cells: Partial<Record<TableColumn, string>> = {}): TableRow {
  const { name, czxid, isHolder, marks, isUnread, position, kind, who, waitsFor, ahead } = contender;
  const shown: Record<TableColumn, string> = {
    position: String(position),
    kind: kindWords[kind],
    who,
    address: `10.0.0.${position % 250}:51${String(position).padStart(3, '0')}`,
    age: '',
    waitsFor: ahead ?? waitsFor ?? '',
    session: `0x100000b20eb0${(position + 4_096).toString(16)}`,
    sequence: String(position),
    czxid,
    ...cells,
  };
  const unread = isUnread === true ? { isUnread } : {};
  return { name, czxid, isHolder, marks, ...unread, createdAt: noon - position * 7_000, cells: shown };
}

const kindWords: Record<ContenderKind, string> = {
  exclusive: 'Exclusive',
  read: 'Read',
  write: 'Write',
  lease: 'Lease',
  candidate: 'Candidate',
};

export function emptyHistory(change: Partial<History> = {}): History {
  return {
    openedAt: noon - 60_000,
    isPaused: false,
    events: 0,
    dropped: 0,
    holds: [],
    leftOut: 0,
    waits: [],
    waitsLeftOut: 0,
    lengths: [],
    unwatched: [],
    figures: { handOvers: 0, longestQueue: 0, hold: { samples: 0 }, wait: { samples: 0 }, gap: { samples: 0 } },
    ...change,
  };
}

export function cardOf(contender: PictureContender, change: Partial<Card> = {}): Card {
  const { name, czxid, isHolder, marks, position, kind, who } = contender;
  const { createdAt, cells } = rowOf(contender);
  const held = contender.isHolder ? { heldSince: { earliest: createdAt, latest: createdAt } } : {};
  const shown = { name, czxid, isHolder, marks, position, kind, who };
  return { ...shown, createdAt, ...held, session: cells.session, hasOwner: true, ...change };
}

/** Who holds and who is next, as the host answers for a queue in which the first waiter is next. */
export function answerOf(contenders: readonly PictureContender[], change: Partial<Answer> = {}): Answer {
  const holders = contenders.filter(({ isHolder }) => isHolder);
  const waiters = contenders.filter(({ isHolder }) => !isHolder);
  const [first] = holders;
  const [next] = waiters;
  return {
    holders: holders.slice(0, cardLimit).map(holder => cardOf(holder)),
    isHolderUnknown: false,
    isLeaseOver: false,
    mayHold: 0,
    ...(first === undefined ? {} : { kind: first.kind }),
    ...(next === undefined ? {} : { waitingSince: noon - 6 * 60_000 }),
    ...(next === undefined ? {} : { next: { succession: 'known', card: cardOf(next), others: 0 } }),
    ...change,
  };
}

/** A snapshot of the queue that the sketches describe; totals, table and the rest follow from it. */
export function snapshotOf(sketches: readonly Sketch[], change: Partial<PanelSnapshot> = {}): PanelSnapshot {
  const contenders = sketches.map((sketch, index) => {
    const before = sketches[index - 1];
    return contenderOf(sketch, index, before?.name === undefined ? undefined : before);
  });
  const holders = contenders.filter(contender => contender.isHolder).length;
  return {
    revision: 1,
    takenAt: noon,
    status: { state: 'live' },
    lock: {
      path: '/services/billing/locks/invoices',
      name: 'invoices',
      cluster: 'staging',
      isProduction: false,
      isReadOnly: false,
      isRemoved: false,
      dialect: 'Curator',
      warnings: [],
    },
    cycles: [],
    answer: answerOf(contenders),
    totals: { contenders: contenders.length, holders, waiters: contenders.length - holders, strangers: 0 },
    picture: { contenders, folded: 0, canUnfold: false },
    table: { from: 0, rows: contenders.map(contender => rowOf(contender)), matching: contenders.length },
    history: emptyHistory(),
    ...change,
  };
}

/** `count` exclusive contenders, the first of which holds. */
export function queueOf(count: number): Sketch[] {
  return Array.from({ length: count }, () => ({}));
}

/** Hand-overs every two seconds with short gaps, and a queue whose length goes up and down. */
export function busyHistory(holds: number): History {
  const openedAt = noon - holds * 2_000 - 6_000;
  return emptyHistory({
    openedAt,
    events: holds * 2,
    dropped: 12,
    holds: Array.from({ length: holds }, (_, index) => {
      const from = openedAt + 1_000 + index * 2_000;
      const isLast = index === holds - 1;
      return {
        name: nodeName(index + 1),
        who: `worker-${index + 1}.example.org`,
        kind: 'exclusive',
        from,
        isFromBefore: index === 0,
        ...(isLast ? {} : { until: from + 1_700 }),
        ...(index === 0 ? {} : { gapMs: 300 }),
      };
    }),
    lengths: Array.from({ length: holds * 2 }, (_, index) => ({
      at: openedAt + index * 1_000,
      contenders: 6 + Math.round(5 * Math.sin(index / 3)),
    })),
    unwatched: [{ from: openedAt + holds * 2_000 + 800, until: openedAt + holds * 2_000 + 4_000 }],
    figures: {
      handOvers: holds - 1,
      longestQueue: 11,
      hold: { samples: holds, p50: 1_700, p95: 1_900, max: 2_400 },
      wait: { samples: holds, p50: 12_000, p95: 61_000 },
      gap: { samples: holds - 1, p50: 300, p95: 420, max: 700 },
    },
  });
}

/** Every column's text, to say in a test what a row shows. */
export function cellsWith(text: string): Record<TableColumn, string> {
  return Object.fromEntries(tableColumns.map(column => [column, text])) as Record<TableColumn, string>;
}
