import type { CycleStep, PanelSnapshot } from '../../../src/protocol.ts';
import { recordedHistory, recordedSnapshot, timeBarOf } from '../../unit/webview/recordedSnapshots.ts';
import { busyHistory, nodeName, queueOf, snapshotOf, type Sketch } from '../../unit/webview/snapshots.ts';

export interface Scene {
  name: string;
  snapshot: PanelSnapshot;
  /** Pressed before the picture is taken. */
  keys?: string[];
  /** Clicked before that. */
  click?: string;
}

const plain = snapshotOf(queueOf(14), { history: busyHistory(20) });

const readers: Sketch[] = [
  { kind: 'read', isHolder: true, who: 'report-eu-1' },
  { kind: 'read', isHolder: true, who: 'report-eu-2', marks: ['own'] },
  { kind: 'write', waitsFor: nodeName(2), who: 'importer' },
  ...Array.from({ length: 9 }, (_, index): Sketch => ({
    kind: 'read',
    waitsFor: nodeName(3),
    who: `report-us-${index}`,
  })),
  {
    kind: 'write',
    waitsFor: nodeName(12),
    marks: ['looksStale'],
    who: 'importer-of-a-very-long-name.example.internal',
  },
  { kind: 'read', waitsFor: nodeName(13) },
];

const circle: Sketch[] = [
  { marks: ['maybeStale', 'longHeld'] },
  { marks: ['deadlocked'], waitsFor: nodeName(4) },
  {},
  { marks: ['deadlocked'], waitsFor: nodeName(2) },
  { marks: ['own'] },
  {},
  { position: 812, marks: ['deadlocked', 'looksStale'], waitsFor: nodeName(4) },
];
const steps: CycleStep[] = ['invoices', 'orders', 'stock'].map((lock, index) => ({
  name: nodeName(index),
  czxid: String(index),
  who: `worker-${index + 1}.example.org`,
  lock: `/services/billing/locks/${lock}`,
  isHolder: index !== 1,
  isHere: index === 0,
}));
const deadlocked = snapshotOf(circle, {
  cycles: [
    { level: 'lasting', steps, folded: 0 },
    { level: 'possible', steps: steps.slice(0, 2), folded: 3 },
  ],
  lock: {
    ...plain.lock,
    isProduction: true,
    isReadOnly: true,
    warnings: [
      {
        text: 'Sessions of this lock wait for each other, and nothing has changed for longer than the limit in the settings: a deadlock.',
        filter: 'deadlocked',
      },
      { text: '49 contenders may be stale.', filter: 'maybe stale' },
      {
        text: 'Several libraries use this directory and may not see each other: two clients may hold the lock at once.',
      },
    ],
  },
});
const leases = snapshotOf([0, 1, 2].map((): Sketch => ({ kind: 'lease', isHolder: true })));

const overlapping = recordedHistory(12, {}, 'read').holds.map(hold => ({
  ...hold,
  ...(hold.until === undefined ? {} : { until: hold.until + 200_000 }),
}));

/** What is worth looking at: an ordinary queue, groups, slots, trouble, and each state without a queue. */
export const scenes: Scene[] = [
  { name: 'loading', snapshot: { ...snapshotOf([]), status: { state: 'loading' } } },
  { name: 'plain', snapshot: { ...plain, picture: { ...plain.picture, folded: 9_950, canUnfold: true } } },
  {
    name: 'readers',
    snapshot: snapshotOf(readers, { history: busyHistory(100) }),
    keys: ['Tab', 'Tab', 'ArrowRight', 'Enter'],
  },
  { name: 'semaphore', snapshot: { ...leases, picture: { ...leases.picture, slots: 5 } } },
  {
    name: 'deadlock',
    snapshot: { ...deadlocked, picture: { ...deadlocked.picture, folded: 9_993, canUnfold: false } },
  },
  {
    name: 'disconnected',
    snapshot: {
      ...plain,
      status: {
        state: 'disconnected',
        text: 'Connection to 10.0.0.7:2181 was lost.',
        lastContact: plain.takenAt - 4_000,
      },
    },
  },
  { name: 'recorded', snapshot: recordedSnapshot(), click: '.bar.ended-deleted' },
  {
    name: 'recordedMany',
    snapshot: recordedSnapshot({
      history: recordedHistory(250, { leftOut: 1_250, waitsLeftOut: 40 }),
      time: timeBarOf({ speed: 100, sureFrom: timeBarOf().from + 60_000 }),
    }),
  },
  {
    name: 'recordedReaders',
    snapshot: recordedSnapshot({ history: { ...recordedHistory(12, {}, 'read'), holds: overlapping } }),
    keys: ['Tab', 'Tab', 'ArrowRight'],
  },
  { name: 'recordedGone', snapshot: { ...recordedSnapshot({ status: { state: 'gone' } }) } },
  { name: 'empty', snapshot: { ...snapshotOf([], { history: busyHistory(5) }), status: { state: 'empty' } } },
  { name: 'denied', snapshot: { ...snapshotOf([]), status: { state: 'denied', text: 'No permission to read /a/b.' } } },
];
