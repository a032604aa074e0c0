import {
  densityParts,
  endCauses,
  type ContenderKind,
  type History,
  type Hold,
  type TimeBar,
  type Wait,
} from '../../../src/historyProtocol.ts';
import type { PanelSnapshot } from '../../../src/protocol.ts';
import { emptyHistory, nodeName, noon, queueOf, snapshotOf } from './snapshots.ts';

const minute = 60_000;

/** Half an hour before noon, with a gap in the middle, shown at eight minutes before its end. */
export function timeBarOf(change: Partial<TimeBar> = {}): TimeBar {
  return {
    from: noon - 30 * minute,
    to: noon,
    at: noon - 8 * minute,
    zxid: '0x1a0000003f',
    speed: 0,
    isFollowing: false,
    sureFrom: noon - 30 * minute,
    isSure: true,
    gaps: [{ from: noon - 17 * minute, to: noon - 15 * minute, why: 'transactions are missing' }],
    starts: Array.from({ length: densityParts }, (_, index) => (index % 7 === 0 ? 1 + (index % 4) : 0)),
    ...change,
  };
}

export function recordedHold(index: number, from: number, until: number | undefined, change: Partial<Hold> = {}): Hold {
  return {
    name: nodeName(index),
    who: `worker-${index}.example.org`,
    kind: 'exclusive',
    from,
    isFromBefore: false,
    ...(until === undefined ? {} : { until, ended: 'released' }),
    recorded: {
      zxid: `0x1a000000${(16 + index).toString(16)}`,
      czxid: String(index),
      session: `0x10000${index}`,
      queued: from - 1_000,
    },
    ...change,
  };
}

/** `count` holds, one after the other over half an hour, each of which ended for another cause. */
export function recordedHistory(
  count: number,
  change: Partial<History> = {},
  kind: ContenderKind = 'exclusive',
): History {
  const begin = noon - 30 * minute;
  const each = (30 * minute) / count;
  const holds = Array.from({ length: count }, (_, index): Hold => {
    const from = begin + index * each;
    if (index === count - 1) return recordedHold(index, from, undefined, { kind });
    const ended = endCauses[index % endCauses.length] ?? 'unknown';
    const ender = ended === 'deleted by another session' ? { endedBy: 'session 0x20000000000beef' } : {};
    const seen = ended === 'unknown' ? { isEndUnseen: true as const } : {};
    const until = from + each * (index % 3 === 0 ? 0.8 : 1);
    return recordedHold(index, from, until, { kind, ended, ...ender, ...seen, isFromBefore: index === 0 });
  });
  const waits = holds.slice(1).map((hold): Wait => {
    const from = hold.from - each * (0.3 + (Number(hold.name.slice(-2)) % 3));
    return { ...recordedHold(Number(hold.recorded?.czxid), from, hold.from, { kind }), ended: 'held' };
  });
  const left = recordedHold(900, begin + 5 * minute, begin + 12 * minute, { ended: 'session expired' });
  return emptyHistory({
    openedAt: begin,
    shown: { from: begin, to: noon },
    holds,
    waits: [left, ...waits].sort((one, other) => one.from - other.from),
    lengths: Array.from({ length: 60 }, (_, index) => ({
      at: begin + index * 30_000,
      contenders: 3 + Math.round(2 * Math.sin(index / 3)),
    })),
    unwatched: [{ from: noon - 17 * minute, until: noon - 15 * minute }],
    figures: {
      handOvers: count - 1,
      longestQueue: 5,
      hold: { samples: count, p50: each, p95: each, max: each },
      wait: { samples: count, p50: 12_000, p95: 61_000, max: 100_000 },
      gap: { samples: 0 },
    },
    ...change,
  });
}

/** A lock at a moment of a recording. */
export function recordedSnapshot(change: Partial<PanelSnapshot> = {}): PanelSnapshot {
  const time = timeBarOf();
  const plain = snapshotOf(queueOf(4));
  const past = time.at - noon;
  const cards = plain.answer.holders.map(card => ({
    ...card,
    createdAt: card.createdAt + past,
    heldSince: { earliest: time.at - 90_000, latest: time.at - 90_000 },
  }));
  return {
    ...plain,
    takenAt: time.at,
    status: { state: 'recorded' },
    lock: { ...plain.lock, cluster: 'version-2 · 11:30–12:00', isReadOnly: true },
    answer: { ...plain.answer, holders: cards, waitingSince: time.at - 200_000 },
    time,
    history: recordedHistory(9),
    ...change,
  };
}
