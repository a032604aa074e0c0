import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ClusterNode } from '../../../../src/app/clusters/clusterModel.ts';
import { recorderOf, type RecorderState } from '../../../../src/app/clusters/clusterRecorder.ts';
import type { ClusterProfile } from '../../../../src/app/clusters/clusterProfile.ts';
import { UsualTimes } from '../../../../src/app/clusters/usualTimes.ts';
import { RecorderError } from '../../../../src/app/recorder/recorderError.ts';
import { toTreeItem } from '../../../../src/extension/views/treeItems.ts';
import { sizeText } from '../../../../src/extension/words/recorderText.ts';
import { unusualText, usualLines } from '../../../../src/extension/words/usualText.ts';
import { FakeRecorders, recordingState } from '../../app/clusters/fakeRecorders.ts';
import { at, FakeRecording, holdOf } from '../../app/recordings/fakeRecording.ts';
import { clusterNode, contender, lockNode, now, profileNamed, queueOf } from '../fixtures.ts';

vi.mock('vscode', () => import('../fakeVscode.ts'));

let recorders: FakeRecorders;

beforeEach(() => {
  recorders = new FakeRecorders();
});

const row = (state: RecorderState, fields: Partial<ClusterNode> = {}) => {
  recorders.shown = state;
  return toTreeItem(clusterNode({ recorder: recorderOf(recorders, 'orders'), ...fields }), now);
};
const iconOf = ({ iconPath }: ReturnType<typeof row>) => (iconPath as { id: string }).id;
const failed: RecorderState = { kind: 'failed', error: new RecorderError('disk-full', '/storage/recordings') };

describe('the row of a cluster that is recorded', () => {
  it.each<[RecorderState, RegExp, RegExp]>([
    [{ kind: 'waiting' }, /recording waits for the connection/, /as soon as it is connected\. Stop Recording/],
    [{ kind: 'starting' }, /recording begins…/, /read for the first time/],
    [
      { ...recordingState, since: now },
      /\brecording$/,
      /12:00:00: locks: 2, watches: 1, requests per minute: 12, on the disk: 3\.4 MB/,
    ],
    [{ kind: 'standby' }, /recording in another window/, /goes on when that one is closed/],
    [failed, /recording failed: The disk is full/, /Record Locks again/],
  ])('says how it stands: $kind', (state, words, sentence) => {
    const { description, accessibilityInformation, tooltip } = row(state);
    expect(description).toMatch(words);
    expect(accessibilityInformation?.label).toMatch(words);
    expect(tooltip).toMatch(sentence);
  });

  it('says nothing while it is off', () => {
    expect(row({ kind: 'off' }).description).not.toContain('record');
    expect(row({ kind: 'off' }).tooltip).not.toContain('ecord');
  });

  it('has an icon of its own while all is well, and a warning when it has failed', () => {
    expect(iconOf(row(recordingState))).toBe('record');
    expect(iconOf(row(failed))).toBe('warning');
    expect(iconOf(row(recordingState, { connection: { kind: 'connecting' } }))).toBe('loading~spin');
    expect(iconOf(row({ kind: 'standby' }))).toBe('server-environment');
  });

  it.each<[string, Partial<ClusterProfile>, Partial<ClusterNode>, string]>([
    ['open', {}, {}, 'cluster.open'],
    ['open and read-only', { readOnly: true }, {}, 'cluster.open.readOnly'],
    ['closed', {}, { connection: { kind: 'disconnected' } }, 'cluster.closed'],
    ['sandbox', { isSandbox: true }, {}, 'cluster.open.sandbox'],
    ['closed sandbox', { isSandbox: true }, { connection: { kind: 'disconnected' } }, 'cluster.closed.sandbox'],
  ])('has the menu of a recorded cluster: %s', (_, profile, fields, value) => {
    const of = (state: RecorderState) =>
      row(state, { profile: profileNamed('orders', profile), ...fields }).contextValue;
    expect(of({ kind: 'off' })).toBe(value);
    // Record Locks tries again, and Stop Recording gives up.
    expect(of(failed)).toBe(`${value}.recording.failed`);
    for (const state of [recordingState, { kind: 'waiting' }, { kind: 'standby' }] as const) {
      expect(of(state)).toBe(`${value}.recording`);
    }
  });
});

describe('the row of a lock', () => {
  const recording = new FakeRecording();
  recording.allHolds = Array.from({ length: 25 }, (_, index) =>
    holdOf(`n-${String(index)}`, at(BigInt(10 + 2 * index), 10 * index), at(BigInt(11 + 2 * index), 10 * index + 2)),
  );

  it('says what is far from usual, without a mark', () => {
    const since = now - 240_000;
    const holder = contender('w', { role: 'holder', createdAt: since, heldSince: { earliest: since, latest: since } });
    const usual = UsualTimes.untilNow(() => recording);
    const drawn = toTreeItem(lockNode(queueOf([holder]), clusterNode({ usual })), now);
    expect(drawn.description).toContain('held by w · held 4 min, usually 2 s');
    expect(drawn.accessibilityInformation?.label).toContain('held 4 min, usually 2 s');
    expect(drawn.tooltip).toContain('usually 2 s');
    expect(iconOf(drawn)).toBe('lock');
    expect(drawn.resourceUri).toBeUndefined();
    const ordinary = { ...holder, heldSince: { earliest: now - 4_000, latest: now - 4_000 } };
    expect(toTreeItem(lockNode(queueOf([ordinary]), clusterNode({ usual })), now).description).not.toContain('usually');
  });
});

describe('words', () => {
  it.each([
    [0, '0 bytes'],
    [999, '999 bytes'],
    [12_400, '12 KB'],
    [3_440_000, '3.4 MB'],
    [50_000_000, '50 MB'],
    [2_000_000_000, '2,000 MB'],
  ])('say a size of %d bytes', (bytes, text) => {
    expect(sizeText(bytes)).toBe(text);
  });

  it('say what is usual and what is not', () => {
    const usual = { samples: 20, p50: 300, p95: 2_000, max: 65_000 };
    expect(unusualText({ wait: { ms: 7_200_000, usual } })).toBe('waits 2 h, usually 300 ms');
    expect(unusualText({})).toBe('');
    expect(usualLines({ hold: usual, wait: { samples: 0 } })).toEqual([
      'Held for 300 ms as a rule, 95 % for at most 2 s, longest 1 min (of 20 holds that have ended)',
    ]);
  });
});
