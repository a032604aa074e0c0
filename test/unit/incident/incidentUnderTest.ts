import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { momentEntries } from '../../../src/app/incidents/incidentEntries.ts';
import { foreign } from '../../../src/base/report.ts';
import type { IncidentFacts, IncidentHeader, QueueFact } from '../../../src/incident/incident.ts';
import type { IncidentDraft } from '../../../src/incident/writeIncident.ts';
import type { DirectoryReading } from '../../../src/inspector/readDirectory.ts';
import { furtherDirectories, recogniseQueues } from '../../../src/locks/recognition/recognise.ts';
import type { LockDirectory } from '../../../src/locks/lockDirectory.ts';
import { directory } from '../locks/directory.ts';

/** A folder for the files of each test; read it inside tests only. */
export function useFolder(): { readonly path: string } {
  const folder = { path: '' };
  beforeEach(async () => {
    folder.path = await mkdtemp(join(tmpdir(), 'incident-'));
  });
  afterEach(async () => {
    await rm(folder.path, { recursive: true });
  });
  return folder;
}

export const moment = { zxid: 0x1_0000_0a2bn, time: 1_700_000_100_000 };

export const header: Omit<IncidentHeader, 'version'> = {
  savedAt: 1_700_000_100_500,
  savedBy: 'zookeeper-lock-inspector 0.1.0',
  cluster: { name: 'Orders', environment: 'production' },
  scope: { kind: 'cluster', paths: ['/locks'] },
  span: { from: moment, to: moment },
  source: 'live',
  redacted: false,
  changing: [],
};

/** Two locks: one that is held and waited for, and a free one. */
export const lockDirectories: readonly LockDirectory[] = [
  directory('/locks/orders', [
    { name: '_c_1a2b3c4d-0001-4000-8000-00000000000a-lock-0000000001', data: '10.0.0.7', owner: 0x1001n },
    { name: '_c_ffb3c4d0-0002-4000-8000-00000000000b-lock-0000000002', data: 'host-2', owner: 0x1002n },
    {
      name: '_c_00b3c4d0-0003-4000-8000-00000000000c-lock-0000000003',
      data: 'über\u202e ]( x',
      owner: -0x6fff_ffff_ffff_ff00n,
    },
    { name: 'notes', owner: 0n },
  ]),
  directory('/locks/stock', [{ name: 'host-9-R-0000000007', owner: 0x1009n }]),
];

export function readingOf(of: LockDirectory): DirectoryReading {
  const names = of.children.map(({ name }) => name);
  return { directory: of, wantedFurther: furtherDirectories(of.path, names), unreadable: [] };
}

export const readings = lockDirectories.map(readingOf);

export function queueFacts(of: readonly LockDirectory[]): QueueFact[] {
  return of
    .flatMap(each => recogniseQueues(each))
    .map((queue, at) => {
      const [first] = queue.contenders;
      return { queue, marks: new Map(at === 0 && first ? [[first.path, ['deadlocked', 'longHeld'] as const]] : []) };
    });
}

export const facts: IncidentFacts = {
  queues: queueFacts(lockDirectories),
  owners: new Map([
    [0x1001n, { session: 0x1001n, alive: 'yes', address: '10.0.0.7:4711', server: 'zk1:2181', timeoutMs: 30_000 }],
    [-0x6fff_ffff_ffff_ff00n, { session: -0x6fff_ffff_ffff_ff00n, alive: 'no' }],
  ]),
  stale: [
    { path: '/locks/orders', node: '/locks/orders/x', czxid: 7n, confidence: 'certain', reasons: ['owner-unknown'] },
  ],
  deadlocks: [
    {
      isLasting: true,
      ageMs: 61_000,
      steps: [
        { path: '/locks/a', waiter: '/locks/a/1', blocker: '/locks/a/0', waiterSession: 1n, blockerSession: 2n },
        { path: '/b', lockName: 'l', waiter: '/b/1', blocker: '/b/0', waiterSession: 2n, blockerSession: 1n },
      ],
    },
  ],
  explanations: [
    {
      path: '/locks/orders',
      report: {
        headline: `Held by ${foreign('10.0.0.7')}`,
        blocks: [
          { kind: 'heading', text: 'Holders' },
          { kind: 'paragraph', text: `Who: ${foreign('a\u202eb \\u202E c\\\\')}, and ${foreign('')}` },
          { kind: 'list', items: ['one', { text: foreign('](command:x)'), below: ['two', foreign('`` ` ``')] }] },
        ],
      },
    },
    { report: { headline: 'All', blocks: [] } },
  ],
};

/** Everything that a file can hold. */
export function draft(): IncidentDraft {
  const session = { id: 0x1001n, address: '10.0.0.7:4711', host: 'app1.example', timeoutMs: 30_000 };
  return { header, facts, entries: momentEntries(readings, moment, [{ type: 'session', session }]) };
}
