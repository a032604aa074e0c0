import type { IncidentState, IncidentTexts, ShownLock } from '../../../src/incidentProtocol.ts';

/** Fixed texts that show their names. */
export const incidentTestTexts: IncidentTexts = {
  reading: 'Reading',
  openAgain: 'Open again',
  production: 'PRODUCTION',
  redacted: 'redacted',
  problems: 'Problems',
  locks: 'Locks',
  filter: 'Filter by path',
  more: 'Show more',
  noLocks: 'There was no lock.',
  noMatch: 'No lock matches.',
  showQueue: 'Show its queue',
  explanation: 'Explanation',
  report: 'Show incident report',
  compare: 'Compare…',
  copy: 'Copy as Markdown',
};

const ours = (text: string): { text: string; isForeign: boolean }[] => [{ text, isForeign: false }];

export function lockShown(id: number, fields: Partial<ShownLock> = {}): ShownLock {
  return {
    id,
    name: `lock-${String(id)}`,
    path: `/orders/lock-${String(id)}`,
    dialect: 'Curator',
    standing: 'held by worker-1 · 2 waiting',
    marks: [],
    ...fields,
  };
}

/** An opened file with two locks and an explanation. */
export function openState(fields: Partial<Extract<IncidentState, { state: 'open' }>> = {}): IncidentState {
  return {
    state: 'open',
    title: 'Incident · orders-2026-11-24.zkincident',
    isProduction: true,
    isRedacted: true,
    facts: [
      { name: 'Cluster', value: 'Orders' },
      { name: 'About', value: 'all locks below /orders' },
      { name: 'The locks are shown as at', value: '2026-11-24 03:12:00.000' },
      { name: 'Recorded since', value: '2026-11-24 02:12:00.000' },
      { name: 'The past is', value: 'from a recorder' },
      { name: 'Saved', value: '2026-11-24 03:12:04 · zookeeper-lock-inspector 0.9.0' },
    ],
    problems: ['The file ends in the middle of a line (orders-2026-11-24.zkincident, byte 81,204).'],
    locks: [
      lockShown(0, {
        name: 'payment',
        report: {
          headline: ours('Held by worker-1, 2 waiting'),
          blocks: [{ kind: 'paragraph', text: ours('It is alive.') }],
        },
        marks: [{ text: 'deadlocked', isProven: true }],
      }),
      lockShown(1, {
        name: 'a-very-long-name-of-a-lock-that-has-no-blank-in-it-and-goes-on-and-on-without-end',
        path: `/orders/${'deep/'.repeat(20)}lock`,
        marks: [{ text: 'held for long', isProven: false }],
        standing: 'free',
      }),
    ],
    count: '2',
    hasMore: false,
    isEmpty: false,
    reports: [
      {
        headline: [
          ...ours('Held by '),
          { text: '<img src=x onerror=alert(1)>', isForeign: true },
          ...ours(' for 4 min.'),
        ],
        blocks: [
          { kind: 'heading', text: ours('What is wrong') },
          { kind: 'paragraph', text: ours('Sessions of this lock wait for each other.') },
          {
            kind: 'list',
            items: [{ text: ours('1. '), below: [[{ text: '[x](command:evil)', isForeign: true }]] }],
          },
        ],
      },
      {
        headline: ours('Nothing is wrong with the other one.'),
        blocks: [{ kind: 'paragraph', text: ours('It is free.') }],
      },
    ],
    ...fields,
  };
}
